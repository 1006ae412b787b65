import { flowYaml } from '../../../lib/flow-yaml.ts';
import { asList, isJsonObject } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import { orList } from '../../../lib/or-list.ts';
import { ACTIONS, type Action } from '../../../model/action.ts';
import { likelyWord } from '../../../model/likely-word.ts';
import { actionSpec } from '../../actions/registry.ts';
import { keyWithoutSpace } from '../yaml/mistakes/keys.ts';
import type { SchemaPlace } from './schema-place.ts';

/** A hint about a value names no more keys. */
const FEW_KEYS = 10;

/** A hint for a value of another type than one of those wanted. */
export function typeHint(place: SchemaPlace, wanted: readonly string[], keys: readonly string[]): string {
  const { value } = place;
  if (typeof value === 'string') {
    const key = keyWithoutSpace(value);
    if (key !== undefined && wanted.includes('a mapping')) return `write a space after ${key}:`;
    // An example is a call, and most people think of a command.
    if (/^(?:hit|miss)$/.test(String(place.path.at(-2)))) return `write ${flowYaml({ command: value })}`;
  }
  const form = writtenForm(place, wanted, keys);
  if (form !== undefined) return form;
  const within = keys.length > 0 && keys.length <= FEW_KEYS ? ` with ${orList(keys)}` : '';
  const couldBeQuoted = wanted.includes('a string') && typeof value !== 'object';
  return `write ${orList(wanted)}${within}${couldBeQuoted ? '; quote it to make it a string' : ''}`;
}

/** The value itself in the wanted form, where that is clear: `[claude]`, `{any: [--force]}`, `{one_of: [a, b]}`. */
function writtenForm(
  { path, name, value }: SchemaPlace,
  wanted: readonly string[],
  keys: readonly string[],
): string | undefined {
  if (path.length === 1 && isJsonObject(value) && wanted.includes('a list'))
    return 'write a list, with a dash before each item';
  const values = asList(value ?? []);
  const isFew = values.length > 0 && values.every((each) => typeof each === 'string' && each.length < 40);
  if (!isFew) return undefined;
  const words = values.map(String);
  if (name === 'tool_matcher' && Array.isArray(value)) return `write '${words.join('|')}'`;
  const key = [...(/^(?:flags|args)$/.test(name) ? ['any'] : []), 'one_of'].find((each) =>
    keys.includes(each),
  );
  // One operand passes one test, which may name several values.
  const test = name === 'args' && Array.isArray(value) ? { one_of: value } : (value ?? null);
  if (wanted.includes('a mapping') && key !== undefined) return `write ${flowYaml({ [key]: test })}`;
  if (wanted.length > 1 || wanted[0] !== 'a list' || Array.isArray(value)) return undefined;
  return `write ${flowYaml(name === 'subcommand' ? words.flatMap((text) => text.trim().split(/\s+/)) : words)}`;
}

/**
 * A hint for a text that is none of those wanted.
 *
 * @param keys those of a mapping that could be in place of the value
 */
export function choiceHint(
  wanted: readonly string[],
  place: SchemaPlace,
  keys: ReadonlyMap<string, string | undefined>,
): string {
  const { name, value } = place;
  if (typeof value !== 'string') return `write ${orList(wanted)}`;
  if (keys.has(value)) return `write ${name}: {${value}: …}: ${lowerFirst(keys.get(value) ?? '')}`;
  if (wanted.includes(value)) return `write ${value} without quotes`;
  if (name === 'action' && WATCHING.test(value))
    return `write action: ${watchingAction(place)}, and mode: monitor beside it`;
  const several = value.split(/[\s,|]+/);
  if (several.length > 1 && several.every((each) => wanted.includes(each)))
    return `write [${several.join(', ')}]`;
  const near = likelyWord(value, wanted);
  if (near !== undefined && wanted.length > 1) return `did you mean "${near}"?`;
  return (name === 'tool' ? toolHint(value, wanted) : undefined) ?? `write ${orList(wanted)}`;
}

/** Names that other tools give to an action that only reports. */
const WATCHING = /^(?:warn|warning|log|audit|monitor|observe|alert|notify)$/i;

/** Deny, or the strongest action that the events of the policy have. */
function watchingAction({ document, path }: SchemaPlace): Action {
  const on = asList(atPath(document.value, [...path.slice(0, -1), 'on']) ?? []).map(String);
  const isOn = (action: Action) =>
    on.every((kind) => actionSpec(action).events.some((each) => each === kind));
  return (['deny', 'abort_turn', ...ACTIONS] as const).find(isOn) ?? 'deny';
}

/** For the name of a tool, and for `Bash(git push:*)` as the settings of agents have it. */
function toolHint(value: string, wanted: readonly string[]): string | undefined {
  const [, tool = '', inside] = /^(\w+)\((.*)\)$/s.exec(value) ?? [];
  if (inside !== undefined && likelyWord(tool, wanted) === 'shell')
    return lineHint(inside.replace(/:\*$/, ' *'));
  if (value === '' || value.includes('(')) return undefined;
  return `write tool_matcher: ${flowYaml(value)} for one tool by its name, or ${orList(wanted)}`;
}

/** A hint for a command line in place of a program's name. */
export function lineHint(text: string): string | undefined {
  const [program = '', ...words] = text.trim().split(/\s+/);
  if (words.length === 0 || program.includes(',') || /[;|&<>`]|\$./.test(text)) return undefined;
  const run = /[^/]*$/.exec(program)?.[0] ?? '';
  // Loaded when somebody writes a command line: the build checks rows before the reader is whole.
  const { testOfLine } =
    require('../../keys/command/test-of-line.ts') as typeof import('../../keys/command/test-of-line.ts');
  return `write command: ${flowYaml(testOfLine(text) ?? { run })}`;
}

/** Lower case for an ordinary first word; JSON, URLs and the like stay. */
export function lowerFirst(text: string): string {
  return /^\p{Lu}(?!\p{Lu})/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
