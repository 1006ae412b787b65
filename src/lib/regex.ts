import type { RE2JS } from 're2js';
import { requiredLiterals } from './regex-literals.ts';
import { parseRegex, programSizeBound } from './regex-syntax.ts';

/** A source that is no regular expression of the engine, or work that would exceed what one match may cost. */
export class RegexError extends Error {
  override readonly name = 'RegexError';
  /** Where the culprit starts in the source, in UTF-16 units from 0; undefined if it has no place. */
  readonly index: number | undefined;

  constructor(message: string, index?: number) {
    super(message);
    this.index = index;
  }
}

/** A compiled regular expression of RE2 syntax, unanchored. Time is linear in the text and capped. */
export interface Regex {
  readonly source: string;
  /** Whether it matches somewhere; unknown if text length times program size is over the cap. */
  readonly test: (text: string) => boolean | 'unknown';
  /** The first match and its groups (a group that took no part is empty); undefined if none, or over the cap. */
  readonly captures: (text: string) => readonly string[] | undefined;
  /**
   * Replaces every match; `$1`, `$<name>`, `$&` and `$$` in the replacement as in JavaScript.
   * @throws {RegexError} if the work is over the cap, so that nothing passes unreplaced.
   */
  readonly replaceAll: (text: string, replacement: string) => string;
}

const MAX_SOURCE_LENGTH = 32_768;
const MAX_PROGRAM_SIZE = 20_000;
const MAX_TEST_COST = 30_000_000;
const MAX_CAPTURE_COST = 10_000_000;

/**
 * Compiles a regular expression.
 * @throws {RegexError} with a message in plain words if it cannot be compiled.
 */
export function compileRegex(source: string): Regex {
  if (source === '') throw new RegexError('an empty pattern matches everything, write what is meant');
  if (source.length > MAX_SOURCE_LENGTH) {
    throw new RegexError(`longer than ${MAX_SOURCE_LENGTH} characters`);
  }
  const tree = parseRegex(source);
  if (!('type' in tree)) throw new RegexError(tree.message, tree.index);
  if (programSizeBound(tree) > MAX_PROGRAM_SIZE)
    throw new RegexError('too large when its repetitions are written out');
  const engine = compileWithEngine(source);
  const size = engine.programSize();
  const captureSize = size * (1 + engine.groupCount());
  const literals = requiredLiterals(source);
  return {
    source,
    test: (text) => {
      if (size * text.length <= MAX_TEST_COST) return engine.test(text);
      return literals !== undefined && !literals.fold && !literals.anyOf.some((l) => text.includes(l))
        ? false
        : 'unknown';
    },
    captures: (text) => {
      if (captureSize * text.length > MAX_CAPTURE_COST) return undefined;
      const match = engine.exec(text);
      return match === null
        ? undefined
        : Array.from(match, (group: unknown) => (typeof group === 'string' ? group : ''));
    },
    replaceAll: (text, replacement) => {
      if (captureSize * text.length > MAX_CAPTURE_COST)
        throw new RegexError('the text is too long for this pattern');
      return engine.matcher(text).replaceAll(replacement);
    },
  };
}

function compileWithEngine(source: string): RE2JS {
  const { RE2JS, RE2JSSyntaxException } = require('re2js') as typeof import('re2js');
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new RegexError(error.getDescription());
  }
}
