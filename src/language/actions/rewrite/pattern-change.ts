import { type JsonObject, ownString } from '../../../lib/json.ts';
import { compileRegex, type Regex, RegexError } from '../../../lib/regex.ts';
import { regexProblem } from '../../../lib/regex-problem.ts';
import { templatePaths } from '../../../lib/template.ts';
import type { ParamProblem, Render } from '../action-spec.ts';

/** What stands for a text that is too large to be looked through. */
export const WITHHELD = '[withheld: too large to check]';

/** Compiled once per policy and process: the specs live as long as the policies. */
const compiled = new WeakMap<JsonObject, Regex>();

/**
 * The change that `{regex, with}` asks for: every match replaced, or undefined for a text that is too large to be
 * looked through.
 */
export function patternChange(
  spec: JsonObject,
  render: Render,
  fallback: string,
): (text: string) => string | undefined {
  const regex = compiledRegex(spec);
  const replacement = renderReplacement(ownString(spec, 'with') ?? fallback, render);
  return (text) => {
    const found = regex.test(text);
    if (found === false) return text;
    if (found === 'unknown') return undefined;
    try {
      return regex.replaceAll(text, replacement);
    } catch (error) {
      if (error instanceof RegexError) return undefined;
      throw error;
    }
  };
}

/** The problem of the pattern in `{regex, with}`. */
export function checkPattern(spec: JsonObject, path: readonly (string | number)[]): readonly ParamProblem[] {
  const message = regexProblem(ownString(spec, 'regex') ?? '');
  return message === undefined ? [] : [{ code: 'regex', path: [...path, 'regex'], message }];
}

function compiledRegex(spec: JsonObject): Regex {
  const known = compiled.get(spec);
  if (known !== undefined) return known;
  const regex = compileRegex(ownString(spec, 'regex') ?? '');
  compiled.set(spec, regex);
  return regex;
}

/** Fills in the templates of a replacement; a `$` in a filled-in value is no reference to a group. */
function renderReplacement(template: string, render: Render): string {
  let text = '';
  let from = 0;
  for (const { index } of templatePaths(template)) {
    const end = template.indexOf('}}', index) + 2;
    text += template.slice(from, index) + render(template.slice(index, end)).replaceAll('$', '$$$$');
    from = end;
  }
  return text + template.slice(from);
}
