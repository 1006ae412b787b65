import { regexError } from './regex.ts';

/** What to tell whoever wrote a pattern that does not compile; undefined if it does. */
export function regexProblem(source: string): string | undefined {
  const error = regexError(source);
  if (error === undefined) return undefined;
  const place = error.index === undefined ? '' : ` at ${error.index + 1}`;
  return `Cannot compile regex "${source}": ${error.message}${place}`;
}
