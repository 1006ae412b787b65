import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { messageOf } from '../../../lib/message-of.ts';
import type { ImportSource } from './imported.ts';
import { checkDepth, unreadable } from './places.ts';

/**
 * Reads a TOML file.
 *
 * @throws UnreadableImport if it is none, with the place of the statement that is wrong
 */
export function readToml(source: ImportSource): JsonObject {
  checkDepth(source, '"\'', '#');
  const read = tried(source.text);
  if (typeof read !== 'string') return read;
  throw unreadable(source, badStatement(source.text), `it is not valid TOML (${read})`);
}

function tried(text: string): JsonObject | string {
  try {
    const value: unknown = Bun.TOML.parse(text);
    return isJsonObject(value) ? value : 'it holds no keys';
  } catch (error) {
    return (messageOf(error).split('\n')[0] ?? '').replace('TOML Parse error: ', '');
  }
}

/** Finds the part of a text that makes it no TOML: the parser does not say, so it is asked about shorter texts. */
function badStatement(text: string): number {
  const ends = [...text.matchAll(/\n|$/g)].map(({ index }) => index);
  let [good, from, to] = [-1, 0, ends.length - 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    // A statement may run over lines, and ends with the last of them.
    let line = middle;
    const first = Math.max(from, middle - MAX_LINES);
    while (line >= first && typeof tried(text.slice(0, ends[line])) === 'string') line--;
    if (line < first) to = middle;
    else [good, from] = [line, middle + 1];
  }
  const start = good < 0 ? 0 : (ends[good] ?? 0) + 1;
  return start + (/^\s*/.exec(text.slice(start))?.[0].length ?? 0);
}

/** Texts in brackets are rarely longer. */
const MAX_LINES = 40;
