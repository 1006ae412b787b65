import type { Interpolation, Language } from './language.ts';

/** How many characters of an expression inside a string are looked at. */
export const MAX_EXPRESSION = 200;

const OPENERS: Readonly<Record<Interpolation, string>> = {
  brace: '{',
  hash: '#{',
  dollar: '$',
  'dollar-brace': '${',
};

/** Of Perl and PHP: a variable, and one of its members. */
const VARIABLE =
  /(?:\$(?:\{?[A-Za-z_]\w*\}?|\d)|\{\$[A-Za-z_]\w*)(?:(?:->)?(?:\[[^\]\n]{0,40}\]|\{[^{}\n]{0,40}\}))?\}?/y;

/** How far its end is looked for. */
const LONGEST_HOLE = 2 * MAX_EXPRESSION;

/** The end of an expression inside a string, if one starts here. */
export function holeEnd(code: string, at: number, how: Interpolation | undefined): number | undefined {
  if (how === undefined) return undefined;
  if (how === 'dollar') return variableEnd(code, at);
  if (!code.startsWith(OPENERS[how], at) || (how === 'brace' && code[at + 1] === '{')) return undefined;
  let depth = 0;
  for (let end = at; end < code.length && end < at + LONGEST_HOLE; end++) {
    if (code[end] === '{') depth++;
    else if (code[end] === '}' && --depth === 0) return end + 1;
  }
  return undefined;
}

function variableEnd(code: string, at: number): number | undefined {
  if (code[at] !== '$' && !code.startsWith('{$', at)) return undefined;
  VARIABLE.lastIndex = at;
  const found = VARIABLE.exec(code)?.[0];
  if (found === undefined) return undefined;
  // A brace at the end belongs to it only if one stands at its start.
  const braces = (found.match(/\{/g)?.length ?? 0) < (found.match(/\}/g)?.length ?? 0);
  return at + found.length - (braces ? 1 : 0);
}

/** The expression itself; undefined if it is too long. */
export function holeExpression(source: string, language: Language): string | undefined {
  if (source.length > MAX_EXPRESSION) return undefined;
  switch (language) {
    case 'python':
      return /^\{(.*?)(?:![rsa])?(?::[^{}'"[\]()]*)?\}$/s.exec(source)?.[1];
    case 'ruby':
      return /^#\{(.*)\}$/s.exec(source)?.[1];
    case 'javascript':
      return /^\$\{(.*)\}$/s.exec(source)?.[1];
    case 'perl':
    case 'php':
      return source.replace(/^\$\{(\w+)\}$/, '$$$1').replace(/^\{(.*)\}$/s, '$1');
    default:
      return undefined;
  }
}
