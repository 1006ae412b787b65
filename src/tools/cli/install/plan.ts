import { dirname, isAbsolute, join } from 'node:path';
import { isKeyName, ONE_CALL, passedOn } from '../../../hosts/clean-start.ts';
import { ConfigurationProblem } from '../../../hosts/configuration-problem.ts';
import type { Host } from '../../../hosts/host.ts';
import type { Installation, InstalledHook, InstallScope, Machine } from '../../../hosts/installation.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import type { Program } from '../../../model/policy.ts';
import { UsageError } from '../io.ts';
import type { FoundHost } from './found-hosts.ts';
import type { InstallRecord, InstallStore } from './install-store.ts';
import { keptVariables, PLACING_VARIABLES } from './kept-variables.ts';
import { kindsFor } from './kinds-for.ts';
import { FILES, readConfiguration } from './machine.ts';
import { addedWords, readOwnLine } from './own-line.ts';
import type { Replacement } from './write-configuration.ts';

export interface Plan extends Replacement {
  readonly host: Host;
  readonly record: InstallRecord | undefined;
  /** The text before anything was installed. */
  readonly base: string | undefined;
  /** True for a file that the host wants beside that of the hook. */
  readonly isBeside?: true;
}

interface InstallRequest {
  readonly machine: Machine;
  readonly scope: InstallScope;
  readonly program: string;
  readonly version: string | undefined;
  /** The version of the host here; undefined if it is unknown. */
  readonly release: string | undefined;
  readonly policies: Program;
  readonly store: InstallStore;
  /** Words behind those that the adapter writes into the line of the hook. */
  readonly options: readonly string[];
}

/** Plans how a host comes to ask this program. */
export function planInstall({ host, installation }: FoundHost, request: InstallRequest): Plan {
  const { machine, scope, program, version, options, release, policies, store } = request;
  const places = installation.places(scope, machine);
  return aboutFile(places, () => {
    const [path = ''] = places;
    const place = installation.choose?.(places, FILES, version) ?? { path, version };
    return aboutFile([place.path], () => {
      const current = readConfiguration(place.path);
      const record = store.find(place.path);
      const base = withoutOurs(installation, current, record);
      const there = hookIn(installation, place.path, machine, current);
      const line = there && readOwnLine(there.argv, host);
      const keys = judgeKeysOf(policies);
      const kept = line === undefined ? {} : keptVariables(line, place.path, machine, keys);
      // The adapter writes the others on its own.
      const isTheirs = ([name]: readonly [string, string]) =>
        name !== 'HOME' && !Object.hasOwn(ONE_CALL, name);
      const theirVariables = Object.fromEntries(Object.entries(kept).filter(isTheirs));
      const variables = {
        ...Object.fromEntries(
          PLACING_VARIABLES.flatMap((name) => {
            const value = machine.env[name] ?? '';
            return isAbsolute(value) ? [[name, value]] : [];
          }),
        ),
        ...theirVariables,
        ...Object.fromEntries(
          keys
            .filter((name) => isKeyName(name) && !Object.hasOwn(theirVariables, name))
            .map((name) => [name, passedOn(name)]),
        ),
      };
      const kinds = kindsFor(policies, host);
      const digits = crypto.randomUUID().slice(0, 6);
      const edited = (words: readonly string[]) => {
        const start = { program, home: machine.home, variables, version: place.version, options: words };
        const order = { scope, start, kinds, release, files: FILES, digits };
        return installation.edit(base, current, order, machine);
      };
      // A person has not added the options that the adapter writes on its own.
      const fresh = addedOptions(installation, host, place.path, machine, edited([]));
      const theirs = addedOptions(installation, host, place.path, machine, current);
      const words = withoutOptions(theirs, [
        ...optionNames(fresh),
        ...optionNames(options),
        '--host-version',
      ]);
      const after = edited([...words, ...options]);
      return { host, path: place.path, before: current, after, base, record };
    });
  });
}

/** Plans the changes of the files that the host wants beside that of the hook. */
export function plansBeside(
  { host, installation }: FoundHost,
  { path }: Plan,
  store: InstallStore,
): readonly Plan[] {
  return Object.entries(installation.beside ?? {}).map(([name, after]) => {
    const at = join(dirname(path), name);
    const [before, record] = [readConfiguration(at), store.find(at)];
    return {
      host,
      path: at,
      before,
      after,
      base: record === undefined ? before : record.before,
      record,
      isBeside: true,
    };
  });
}

/** The variables with the keys and passwords of judges. */
export function judgeKeysOf({ rules }: Program): readonly string[] {
  const names = rules.flatMap(({ judge }) => [judge?.endpoint?.apiKeyEnv, judge?.cache?.passwordEnv]);
  return [...new Set(names.filter((name) => name != null))];
}

/** The options of the hook that a configuration starts, as far as they are known. */
function addedOptions(
  installation: Installation,
  host: Host,
  path: string,
  machine: Machine,
  text: string | undefined,
): readonly string[] {
  const hook = hookIn(installation, path, machine, text);
  return hook === undefined ? [] : addedWords(hook.argv, host.name);
}

/** The hook in this text of a configuration; undefined if there is none, or it cannot be read. */
function hookIn(
  installation: Installation,
  path: string,
  machine: Machine,
  text: string | undefined,
): InstalledHook | undefined {
  if (text === undefined) return undefined;
  const files = { ...FILES, text: (at: string) => (at === path ? text : FILES.text(at)) };
  try {
    const { hooks } = installation.inspect(machine, files);
    return hooks.find((each) => each.path === path);
  } catch (error) {
    if (error instanceof ConfigurationProblem) return undefined;
    throw error;
  }
}

/** Plans how a host stops to ask this program; nothing if it does not ask. */
export function planUninstall(
  { host, installation }: FoundHost,
  { machine, scope, store }: Pick<InstallRequest, 'machine' | 'scope' | 'store'>,
): readonly Plan[] {
  return installation.places(scope, machine).flatMap((path) =>
    aboutFile([path], () => {
      const before = readConfiguration(path);
      const record = store.find(path);
      if (before === undefined || installation.strip(before) === before) return [];
      const after = withoutOurs(installation, before, record);
      const plan = { host, path, before, after, base: after, record };
      const beside = plansBeside({ host, installation }, plan, store).filter(
        (each) => each.before === each.after,
      );
      // The first one was written into folders that were made for it.
      return [plan, ...beside.toReversed().map((each) => ({ ...each, after: each.base }))];
    }),
  );
}

/** The text without the additions of an install: to the byte if nothing else has changed since. */
function withoutOurs(
  installation: Installation,
  current: string | undefined,
  record: InstallRecord | undefined,
): string | undefined {
  if (current === undefined) return undefined;
  return record?.written === sha256Hex([current]) ? record.before : installation.strip(current);
}

function aboutFile<T>(places: readonly string[], action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ConfigurationProblem)) throw error;
    throw new UsageError(`Cannot use "${places.at(-1) ?? ''}": ${error.message}`);
  }
}

/** The names of options in the words of a command line. */
function optionNames(words: readonly string[]): readonly string[] {
  return words.filter(isOption).map(nameOf);
}

function withoutOptions(words: readonly string[], names: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let isOut = false;
  for (const word of words) {
    if (isOption(word)) isOut = names.includes(nameOf(word));
    if (!isOut) kept.push(word);
  }
  return kept;
}

function isOption(word: string): boolean {
  return word.startsWith('--');
}

function nameOf(word: string): string {
  return word.split('=')[0] ?? word;
}
