import { type FoundProblem, kindName } from '../../language/calls/found-problem.ts';
import { isJsonObject, type Json, own } from '../../lib/json.ts';
import { compileRegex, RegexError } from '../../lib/regex/regex.ts';

/** What a text is expected to be. */
export interface TextTest {
  /** As people read it: `containing "x"`, `matching /x/`, `"x"`. */
  readonly wanted: string;
  readonly holds: (text: string) => boolean;
}

export type TextTestReading =
  | { readonly ok: true; readonly test: TextTest }
  | { readonly ok: false; readonly problem: FoundProblem };

/** Reads an expected text: a part of it, `/regex/` or `/regex/i`, or `{exactly: text}`. */
export function readTextTest(value: Json, key: string): TextTestReading {
  const exact = isJsonObject(value) && Object.keys(value).length === 1 ? own(value, 'exactly') : undefined;
  if (typeof exact === 'string') {
    return { ok: true, test: { wanted: JSON.stringify(exact), holds: (text) => text === exact } };
  }
  if (typeof value !== 'string') {
    return failed('wrong-type', `Cannot use key "${key}": it is ${kindName(value)}`, TEXT_HINT);
  }
  if (value === '')
    return failed('bad-value', `Cannot use key "${key}": every text contains nothing`, TEXT_HINT);
  const [, source, flags] = /^\/(.+)\/(i?)$/s.exec(value) ?? [];
  if (source === undefined) {
    return {
      ok: true,
      test: { wanted: `containing ${JSON.stringify(value)}`, holds: (text) => text.includes(value) },
    };
  }
  try {
    const regex = compileRegex(flags === 'i' ? `(?i)${source}` : source);
    return { ok: true, test: { wanted: `matching ${value}`, holds: (text) => regex.test(text) === true } };
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    return failed(
      'regex',
      `Cannot compile regex "${source}": ${error.message}`,
      'write RE2 syntax between the slashes',
    );
  }
}

const TEXT_HINT = 'write a part of the text, /regex/ or {exactly: text}';

function failed(code: FoundProblem['code'], message: string, hint: string): TextTestReading {
  return { ok: false, problem: { code, path: [], at: 'value', message, hint } };
}
