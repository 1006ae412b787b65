import { isJsonObject, type Json, own } from '../../lib/json.ts';
import { atPath } from '../../lib/json-path.ts';
import type { Cursor } from './cursor.ts';

/** A program with the subcommands in front of the word. */
export type ProgramWords = readonly [program: string, ...subcommands: string[]];

/** The thing that a word of a file names; undefined if the word is not the name of anything that can be looked up. */
export type Meaning =
  | { readonly type: 'program' }
  | { readonly type: 'subcommand' | 'flag'; readonly commands: readonly ProgramWords[] }
  /** The id of a policy, in tests with or without the name of its file. */
  | { readonly type: 'policy' }
  /** A pack or a policy of one. */
  | { readonly type: 'disabled' }
  /** A pack or a policy file, relative to this one. */
  | { readonly type: 'file' }
  /** A file with the values of a list, relative to the project. */
  | { readonly type: 'data' }
  /** A call among the `calls` of a test file. */
  | { readonly type: 'call' }
  /** A parameter of this file, or of another one with the name of that. */
  | { readonly type: 'parameter' | 'setting' }
  | { readonly type: 'fact' }
  /** A host's own name of a tool. */
  | { readonly type: 'tool' }
  /** A portable class of tools, where the schema takes any name. */
  | { readonly type: 'class' };

/** Finds the thing that the word at a position names, by the keys that it is under. */
export function meaningAt(cursor: Cursor, kind: 'policy' | 'test'): Meaning | undefined {
  const { path, at } = cursor;
  const names = path.filter((step) => typeof step === 'string');
  const last = names.at(-1) ?? '';
  if (kind === 'test') return at === 'key' ? undefined : inTest(names, last);
  if (last === '$parameter' && at !== 'key') return { type: 'parameter' };
  // Arguments of calls are no conditions, whatever they are called.
  if (['arguments', 'examples'].some((name) => names.includes(name))) return undefined;
  if (at === 'key') {
    if (names.length === 1 && last === 'settings') return { type: 'setting' };
    return names.at(-2) === 'flags' && last === 'values' ? flagOf(cursor) : undefined;
  }
  switch (last) {
    case 'extends':
      return names.length === 1 ? { type: 'file' } : undefined;
    case 'disable':
      return names.length === 1 ? { type: 'disabled' } : undefined;
    case 'policy':
      return names[0] === 'exceptions' ? { type: 'policy' } : undefined;
    case 'file':
      return names.at(-2) === 'one_of' ? { type: 'data' } : undefined;
    case 'seen':
    case 'not_seen':
    case 'since':
      return names.at(-2) === 'history' ? { type: 'fact' } : undefined;
    case 'of':
      return names.at(-2) === 'count' ? { type: 'fact' } : undefined;
    case 'from':
      return names.at(-2) === 'carries' ? { type: 'fact' } : undefined;
    case 'tool_matcher':
      return { type: 'tool' };
    default:
      return names.includes('command') ? inCommand(cursor, last, names.at(-2)) : undefined;
  }
}

function inTest(names: readonly string[], last: string): Meaning | undefined {
  if (last === 'policy' || last === 'monitored')
    return names.includes('expect') ? { type: 'policy' } : undefined;
  if (last === 'policies' && names.length === 1) return { type: 'file' };
  if (last === 'tool') return { type: 'class' };
  const isCall = last === 'call' || last === 'history' || last === 'calls';
  return isCall && names[0] === 'cases' ? { type: 'call' } : undefined;
}

const FLAG_LISTS = ['any', 'all', 'none', 'unless'];

function inCommand(cursor: Cursor, last: string, parent: string | undefined): Meaning | undefined {
  if (['command', 'run', 'pipes_to', 'pipes_from', 'wrapped_by'].includes(last)) return { type: 'program' };
  if (last === 'subcommand') return subcommandOf(cursor);
  return parent === 'flags' && FLAG_LISTS.includes(last) ? flagOf(cursor) : undefined;
}

/** The first word of `subcommand` is the program. */
function subcommandOf({ path, value }: Cursor): Meaning {
  const from = path.lastIndexOf('subcommand') + 1;
  const index = path[from];
  if (typeof index !== 'number' || index === 0) return { type: 'program' };
  const words = atPath(value, path.slice(0, from));
  return { type: 'subcommand', commands: commandsOf(Array.isArray(words) ? words.slice(0, index) : []) };
}

/** The programs whose flags are meant are named beside the key. */
function flagOf({ path, value }: Cursor): Meaning {
  const condition = atPath(value, path.slice(0, path.lastIndexOf('flags')));
  const run = isJsonObject(condition) ? own(condition, 'run') : undefined;
  const words = isJsonObject(condition) ? own(condition, 'subcommand') : undefined;
  const commands = [
    ...commandsOf(run === undefined ? [] : [run]),
    ...commandsOf(Array.isArray(words) ? words : []),
  ];
  return { type: 'flag', commands };
}

/** Every way to take one word of each place: `[git, [push, pull]]` is two commands. */
function commandsOf(places: readonly Json[]): readonly ProgramWords[] {
  let commands: readonly (readonly string[])[] = [[]];
  for (const place of places) {
    const words = (Array.isArray(place) ? place : [place]).filter((word: Json) => typeof word === 'string');
    commands = commands.flatMap((command) => words.map((word) => [...command, word]));
  }
  return commands.filter((command): command is ProgramWords => command.length > 0);
}
