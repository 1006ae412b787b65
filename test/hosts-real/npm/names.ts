import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hostNamed } from '../../../src/hosts/host-loaders.ts';
import { isJsonObject, type Json, own, ownObject, ownString } from '../../../src/lib/json.ts';
import type { Scene } from '../real-host.ts';
import { installedProgram, type NpmHost, play } from './npm-host.ts';

/** Where the package of a host says which tools and events there are, beside the tools that it offers the model. */
export interface Lists {
  readonly tools?: (program: string) => readonly string[];
  readonly events?: (program: string) => readonly string[];
  /** Events that bring nothing to judge, and so are answered with nothing to say. */
  readonly passedOver?: readonly string[];
}

/** Holds the tools and events of the newest version against those that the adapter knows. */
export async function* namesOf(pinned: NpmHost, policy: string, lists: Lists = {}): AsyncIterable<Scene> {
  const host = { ...pinned, version: newestOf(pinned) };
  const known = hostNamed(host.name);
  if (known === undefined) throw new Error(`no host ${host.name}`);
  const program = installedProgram(host);
  const offered = await play(
    host,
    { policy, policies: 'version: 1\npolicies: []\n', answers: ['done'] },
    ({ requests }) => requests.flatMap(toolsIn),
  );
  const rows = Object.keys(known.tools);
  const isKnown = (name: string) =>
    rows.some((row) => (row.endsWith('*') ? name.startsWith(row.slice(0, -1)) : name === row));
  yield {
    name: `know the tools of ${host.version}`,
    expected: 'each has a class',
    seen: strangers([...offered, ...(lists.tools?.(program) ?? [])], isKnown, 'each has a class'),
  };
  if (lists.events === undefined) return;
  const { passedOver = [] } = lists;
  yield {
    name: `know the events of ${host.version}`,
    expected: 'each is known',
    seen: strangers(
      lists.events(program),
      (name) => Object.hasOwn(known.events, name) || passedOver.includes(name),
      'each is known',
    ),
  };
}

function strangers(names: readonly string[], isKnown: (name: string) => boolean, none: string): string {
  if (names.length === 0) return 'no list was found';
  const unknown = [...new Set(names)].filter((name) => !isKnown(name)).toSorted();
  return unknown.length === 0 ? none : `unknown: ${unknown.join(' ')}`;
}

function newestOf({ package: name }: NpmHost): string {
  const { stdout } = Bun.spawnSync(['npm', 'view', name, 'version']);
  return stdout.toString().trim();
}

/** The names of the tools in a request to a model, whichever interface it is for. */
export function toolsIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(toolsIn);
  if (!isJsonObject(value)) return [];
  const tools = own(value, 'tools');
  const named = (Array.isArray(tools) ? tools : []).flatMap((tool) => {
    if (!isJsonObject(tool) || own(tool, 'tools') !== undefined) return [];
    const said = ownObject(tool, 'function') ?? tool;
    const name = ownString(said, 'name');
    // Tools that code may call are in what is said about it.
    const inside = [...(ownString(said, 'description') ?? '').matchAll(/^### `(\w+)`$/gm)].map(
      ([, inner = '']) => inner,
    );
    return name === undefined ? inside : [name, ...inside];
  });
  return [...named, ...Object.values(value).flatMap(toolsIn)];
}

/** What is in quotes in the first match of a pattern in a file, or in any file of a folder. */
export function namesIn(path: string, pattern: RegExp, quotes = /["']([\w.]+)["']/g): readonly string[] {
  if (statSync(path).isDirectory())
    return readdirSync(path)
      .filter((name) => name.endsWith('js'))
      .flatMap((name) => namesIn(join(path, name), pattern, quotes));
  const found = pattern.exec(readFileSync(path, 'latin1'))?.[0] ?? '';
  return [...found.matchAll(quotes)].map(([, name = '']) => name);
}
