import { deepEqual } from '../lib/deep-equal.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { nestsDeeper } from '../lib/json-depth.ts';
import { atPath, mapStrings, withAtPath } from '../lib/json-path.ts';
import { parseInner } from '../lib/json-size.ts';
import { decodePercent } from '../lib/path/url-path.ts';
import type { ArgumentPath, ArgumentReading, ArgumentReadings, ToolCall } from '../model/event.ts';
import { holdsContent } from './argument-names.ts';

/** A host may read an argument's text so after its hook has seen it; a reading without effect gives the text back. */
const READINGS: Readonly<Record<ArgumentReading, (text: string) => readonly Json[]>> = {
  trimmed: (text) => [text.trim()],
  'without NULs': (text) => [text.replaceAll('\0', '')],
  // Taken off unless a file of that name is there.
  'without @': (text) => (/^@./s.test(text) ? [text, text.slice(1).replace(/^[\\/]+/, '')] : [text]),
  'without escapes': (text) => [text.replace(/\\([ \t()[\]{};|*?$`'"#&<>!~,])/g, '$1')],
  'without quotes': (text) => [text.replace(/^[\s\u0085"']+|(?<![\s\u0085"'])[\s\u0085"']+$/g, '')],
  'with slashes': (text) => [text.replaceAll('\\', '/')],
  'path of a URI': (text) => [text, ...uriPaths(text)],
  'list of globs': (text) => [globsIn(text)],
  'JSON as text': (text) => [jsonOr(text, text)],
  // A text that does not parse cannot be read.
  'JSON always': (text) => [jsonOr(text, null)],
};

/** The arguments of a call as its host may read them. */
export interface OtherArguments {
  /** Undefined if they cannot be read. */
  readonly arguments: JsonObject | undefined;
  /** True if there are others, whose meaning nobody knows yet. */
  readonly parsed: boolean;
}

/** The arguments of a call in the other ways that its host may read them. */
export function otherArguments(call: ToolCall): readonly OtherArguments[] {
  const { arguments: args, reads } = call;
  if (args === undefined || reads === undefined) return [];
  const inner = reads['texts'] === undefined ? [] : textsWithJson(args);
  if (inner === undefined) return [{ arguments: undefined, parsed: false }];
  const places = Object.entries(reads).flatMap(([name, steps]) =>
    (name === 'texts' ? inner : placesOf(call, name)).flatMap((at) => {
      const value = atPath(args, at);
      return value === undefined ? [] : [{ at, ways: readValues(value, steps), parses: steps.some(parses) }];
    }),
  );
  if (places.length === 0) return [];
  const count = Math.max(...places.map(({ ways }) => ways.length));
  return Array.from({ length: count }, (_, nth) => {
    let changed: Json = args;
    let parsed = false;
    for (const { at, ways, parses } of places) {
      const way = nthOf(ways, nth);
      if (way === null) return { arguments: undefined, parsed };
      if (way === undefined) continue;
      changed = withAtPath(changed, at, way);
      parsed ||= parses;
    }
    return { arguments: isJsonObject(changed) ? changed : undefined, parsed };
  });
}

function parses(step: ArgumentReading): boolean {
  return step === 'JSON as text' || step === 'JSON always';
}

/** Longer, and more, than in any call: the meaning of a longer one is unknown. */
const LONGEST_JSON = 1 << 20;
const MOST_JSON = 300;

/** Texts at any depth that may be JSON, which servers may parse, except for contents. Undefined if they are too long. */
function textsWithJson(args: JsonObject): readonly ArgumentPath[] | undefined {
  const found: ArgumentPath[] = [];
  let left = LONGEST_JSON;
  const look = (value: Json, at: ArgumentPath): void => {
    if (typeof value === 'string') {
      if (!mayBeJson(value)) return;
      left -= value.length;
      found.push(at);
    } else if (left < 0 || found.length > MOST_JSON) {
      left = -1;
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, [...at, index]);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value))
        if (!holdsContent(name)) look(member, [...at, name]);
    }
  };
  look(args, []);
  return left < 0 || found.length > MOST_JSON ? undefined : found;
}

/** Other texts that a host may make of one. */
export function otherTexts(text: string, steps: ArgumentReadings[string] | undefined): readonly string[] {
  return readValues(text, steps ?? []).filter((way) => typeof way === 'string');
}

function placesOf({ aliases, lookalikes, globs }: ToolCall, name: string): readonly ArgumentPath[] {
  if (name === 'globs') return (globs ?? []).map((each) => [each]);
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return [[name], ...(alias === undefined ? [] : [[alias]]), ...(lookalikes?.[name] ?? [])];
}

/** More ways to read one text than any host has. */
const MAX_WAYS = 8;

/** The values that a host may make of one, other than itself: of each text in it the first way, then the second. */
function readValues(value: Json, steps: ArgumentReadings[string]): readonly Json[] {
  // A value in a list or an object has a place of its own.
  if (steps.some(parses) && typeof value !== 'string') return [];
  const found: Json[] = [];
  for (let nth = 0; nth < MAX_WAYS; nth++) {
    const way = mapStrings(value, (text) => {
      const ways = readTexts(text, steps);
      return ways.length === 0 ? text : (nthOf(ways, nth) ?? null);
    });
    if (deepEqual(way, found.at(-1) ?? value)) break;
    found.push(way);
  }
  return found;
}

function nthOf<T>(list: readonly T[], nth: number): T | undefined {
  return list[Math.min(nth, list.length - 1)];
}

/** The values that a text may become, step by step; without itself. */
function readTexts(text: string, steps: ArgumentReadings[string]): readonly Json[] {
  let ways: readonly Json[] = [text];
  for (const step of steps) {
    const read = READINGS[step];
    ways = ways.flatMap((way) => (typeof way === 'string' ? read(way) : [way]));
  }
  return ways.filter((way) => way !== text);
}

/** Globs with white space and commas between them; a comma in braces is part of one. */
function globsIn(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.flatMap((word) =>
    word.includes('{') && word.lastIndexOf('}') > word.indexOf('{')
      ? [word]
      : word.split(',').filter((part) => part !== ''),
  );
}

/** A list or an object that a text says; null for one that is too large. */
function jsonOr(text: string, otherwise: Json): Json {
  const found = jsonIn(text);
  return found === undefined ? otherwise : found;
}

const DEEPEST = 100;

function mayBeJson(text: string): boolean {
  const trimmed = text.trim();
  const end = trimmed.at(-1);
  return (end === ']' && trimmed.startsWith('[')) || (end === '}' && trimmed.startsWith('{'));
}

function jsonIn(text: string): Json | undefined {
  if (!mayBeJson(text)) return undefined;
  if (text.length > LONGEST_JSON) return null;
  const value = parseInner(text);
  return value === undefined || nestsDeeper(value, DEEPEST) ? undefined : value;
}

const URI = /^([a-z][a-z0-9+.-]+):(?:\/\/([^/?#]*))?([^?#]*)/i;

/** Schemes of files in a folder, on this machine or in the editor's place. */
const OF_FILES = /^(?:file|vscode-.+)$/i;

/** The paths that a file URI may mean, decoded, with and without its host; empty for other texts. */
function uriPaths(text: string): readonly string[] {
  const [, scheme, host = '', path = ''] = URI.exec(text) ?? [];
  if (scheme === undefined || !OF_FILES.test(scheme)) return [];
  const rooted = decodePercent(path.startsWith('/') ? path : `/${path}`);
  return host === '' ? [rooted] : [rooted, `/${decodePercent(host)}${rooted}`];
}
