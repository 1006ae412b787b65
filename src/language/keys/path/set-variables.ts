import { compileNameGlob } from '../../../lib/glob/glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { CLOSED, TEXT_OR_TEXTS } from '../../../lib/schema-parts.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import { NO_TEXT, UNSEEN, type WrittenText } from '../../../reader/reading/written-text.ts';
import type { UsedPath } from '../call/used-path.ts';
import { compilePathTest, type PathTest, WHICH_PATHS } from './spec.ts';

/** JSON Schema of a test on the variables that a text for a file of settings sets. */
export const SET_VARIABLES_SCHEMA: JsonObject = {
  anyOf: [
    ...TEXT_OR_TEXTS.anyOf,
    {
      ...CLOSED,
      minProperties: 1,
      properties: {
        any: {
          ...TEXT_OR_TEXTS,
          description: 'One of these is set, or named where it may become part of a line',
        },
        except: { ...TEXT_OR_TEXTS, description: 'These do not count for "any"' },
        unless: {
          ...TEXT_OR_TEXTS,
          description: 'Something else is or may be set, because part of what is written is unknown',
        },
        from: {
          ...WHICH_PATHS,
          description: 'For "unless", content copied from these files counts as known',
        },
      },
    },
  ],
  description:
    'It writes NAME=value lines that set these variables; * matches any characters, and ! takes names out',
};

/** Compiles a test on the text that is written to a path. Names are the same in any case, as on some systems. */
export function setVariablesTest(spec: Json): PathTest {
  const { any, except, unless, from } = isJsonObject(spec) ? spec : { any: spec };
  const wanted = namesTest(any);
  const excepted = namesTest(except);
  const excused = unless === undefined ? undefined : namesTest(unless);
  const isSeen = sourceTest(from);
  return (used, surroundings) => {
    const text = used.text?.() ?? NO_TEXT;
    for (const each of setIn(text.lines)) {
      if (wanted(each) && !excepted(each)) return true;
      if (excused !== undefined && !excused(each)) return true;
    }
    for (const each of any === undefined ? [] : namedIn(text)) {
      if (wanted(each) && !excepted(each)) return true;
    }
    if (excused === undefined) return false;
    return !text.sources.every((source) => isSeen(source, used, surroundings));
  };
}

/** Compiles a test on the files that a text comes from: it decides if their content counts as known. */
export function sourceTest(
  from: Json | undefined,
): (path: WrittenText['sources'][number], used: UsedPath, surroundings: Surroundings) => boolean {
  if (from === undefined) return () => false;
  const isKnown = compilePathTest({ ...(isJsonObject(from) ? from : { match: from }), around: false });
  return (path, used, surroundings) =>
    isKnown(
      { ...used, use: 'read', path, name: undefined, recursive: false, only: undefined },
      surroundings,
    ) === true;
}

function namesTest(spec: Json | undefined): (name: string) => boolean {
  const names = (Array.isArray(spec) ? spec : spec === undefined ? [] : [spec]).map((each) =>
    String(each).toUpperCase(),
  );
  const wanted = names.filter((each) => !each.startsWith('!')).map(compileNameGlob);
  const unwanted = names.filter((each) => each.startsWith('!')).map((each) => compileNameGlob(each.slice(1)));
  return (each) => wanted.some((test) => test(each)) && !unwanted.some((test) => test(each));
}

const QUOTES = ['"', "'", '`'];

/** The names, in capitals, that lines set as dotenv reads them: with quoted values over several lines. Time: linear. */
function* setIn(text: string): Iterable<string> {
  const trimmed = text.split('\n').map((line) => line.trim());
  const lines = trimmed.filter((line) => line !== '').join('\n');
  const setting = /^(?:export[^\S\n]+)?([\w.\0-]+)(?:[^\S\n]*\n?=|:\s)[^\S\n]*/gm;
  const unclosed = new Set<string>();
  for (let found = setting.exec(lines); found !== null; found = setting.exec(lines)) {
    checkTime();
    const [, each = ''] = found;
    if (each.includes(UNSEEN)) continue;
    yield each.toUpperCase();
    const quote = lines[setting.lastIndex] ?? '';
    if (!QUOTES.includes(quote) || unclosed.has(quote)) continue;
    const end = closingQuote(lines, setting.lastIndex + 1, quote);
    if (end < 0) unclosed.add(quote);
    else if (/^\s*(?:#|$)/.test(restOfLine(lines, end + 1))) setting.lastIndex = end + 1;
  }
}

function restOfLine(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end < 0 ? undefined : end);
}

function closingQuote(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at > 0 && text[at - 1] === '\\') at = text.indexOf(quote, at + 1);
  return at;
}

/** Every word, in capitals, that could become a name where pieces are put together. */
function* namedIn({ pieces }: WrittenText): Iterable<string> {
  const seen = new Set<string>();
  for (const piece of pieces) {
    for (const [word] of piece.matchAll(/\w+/g)) {
      checkTime();
      const each = word.toUpperCase();
      if (seen.has(each)) continue;
      seen.add(each);
      yield each;
    }
  }
}
