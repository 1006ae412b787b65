import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Host } from '../../../hosts/host.ts';
import type { SessionCall, SessionFile, Sessions } from '../../../hosts/sessions.ts';
import { isMissing } from '../../../language/policy/files/why-unreadable.ts';
import { type JsonObject, parseJson } from '../../../lib/json.ts';
import { UsageError } from '../io.ts';

/** A host with the known facts of its sessions. */
export interface SessionHost {
  readonly host: Host;
  readonly sessions: Sessions;
}

export interface SessionPath {
  readonly path: string;
  readonly hosts: readonly SessionHost[];
  /** True for a folder whose files nobody may list: it cannot be read. */
  readonly isUnlisted?: true;
}

export interface ReadSession {
  readonly host: Host;
  readonly calls: readonly SessionCall[];
  /** True if a line of it cannot be read. */
  readonly isTorn: boolean;
}

/** Files of other kinds beside sessions are not even opened. */
const MAYBE = /\.(?:jsonl?|db)$/;
const DATABASE = /\.db$/;
/** A longer file may not fit into a string. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The session files of hosts at their usual places. */
export function usualSessions(
  hosts: readonly SessionHost[],
  env: Readonly<Record<string, string | undefined>>,
): readonly SessionPath[] {
  const home = env['HOME'] ?? env['USERPROFILE'];
  if (home === undefined) return [];
  // A variable may send the agent elsewhere in one terminal, and not in the next.
  const foldersOf = ({ sessions: { folders } }: SessionHost) =>
    new Set([env, {}].flatMap((variables) => folders(variables, home, textOf)));
  return hosts.flatMap((each) =>
    [...foldersOf(each)].flatMap((folder) =>
      pathsBelow(folder).flatMap(({ path, isUnlisted }) => {
        const isMeant = each.sessions.files.test(relative(folder, path).replaceAll('\\', '/'));
        if (isUnlisted === true) return [{ path, hosts: [each], isUnlisted }];
        return isMeant ? [{ path, hosts: [each] }] : [];
      }),
    ),
  );
}

/**
 * The files that are named and those below the folders that are: whose they are, their text has to tell.
 *
 * @throws UsageError if a path does not exist
 */
export function namedSessions(
  operands: readonly string[],
  hosts: readonly SessionHost[],
  cwd: string,
): readonly SessionPath[] {
  return operands.flatMap((operand) => {
    const path = resolve(cwd, operand);
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined)
      throw new UsageError(`Cannot scan "${operand}": there is no such file or folder`);
    const paths = there.isDirectory() ? pathsBelow(path) : [{ path }];
    return paths
      .filter((each) => path === each.path || each.isUnlisted === true || MAYBE.test(each.path))
      .map((each) => ({ ...each, hosts }));
  });
}

/** Reads a session; undefined if it is none of these hosts', or cannot be read. */
export function readSession({ path, hosts }: SessionPath): ReadSession | undefined {
  const isDatabase = DATABASE.test(path);
  const text = isDatabase ? '' : textOf(path);
  if (text === undefined) return undefined;
  const beside = (name: string) => textOf(join(dirname(path), name));
  const rows = isDatabase ? rowsOf(path) : () => [];
  for (const { host, sessions } of hosts) {
    const calls = sessions.read({ path, text, beside, rows });
    if (calls !== undefined)
      return {
        host,
        calls,
        get isTorn() {
          return /\.jsonl$/.test(path) && isTorn(text);
        },
      };
  }
  return undefined;
}

function isTorn(text: string): boolean {
  return text.split('\n').some((line) => line.trim() !== '' && parseJson(line) === undefined);
}

/** Answers queries to a database that is only read; one that cannot be read, or lacks the tables, has no rows. */
function rowsOf(path: string): SessionFile['rows'] {
  return (sql) => {
    try {
      const { Database } = require('bun:sqlite') as typeof import('bun:sqlite');
      using database = new Database(path, { readonly: true });
      return database.query<JsonObject, []>(sql).all();
    } catch {
      return [];
    }
  };
}

function textOf(path: string): string | undefined {
  try {
    const there = statSync(path);
    return there.isFile() && there.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** Files below a folder, sorted, and folders there that cannot be listed. Links are followed, but not in a circle. */
function pathsBelow(
  folder: string,
  entered: Set<string> = new Set(),
): readonly Pick<SessionPath, 'path' | 'isUnlisted'>[] {
  try {
    const real = realpathSync(folder);
    if (entered.has(real)) return [];
    entered.add(real);
    return readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory() || (entry.isSymbolicLink() && leadsToFolder(path, real)))
          return pathsBelow(path, entered);
        return entry.isFile() || entry.isSymbolicLink() ? [{ path }] : [];
      });
  } catch (error) {
    return isMissing(error) ? [] : [{ path: folder, isUnlisted: true }];
  }
}

/** False for one that holds the folder of the link, such as the whole disk. */
function leadsToFolder(link: string, folder: string): boolean {
  let target: string;
  try {
    if (!statSync(link).isDirectory()) return false;
    target = realpathSync(link);
  } catch {
    return false;
  }
  return !`${folder}${sep}`.startsWith(target.endsWith(sep) ? target : `${target}${sep}`);
}
