import { LIMITS } from './bounds.ts';

const MAX_NESTING = 16;
const MAX_STEPS = 100_000;

/** Brace expansion without quotes: `a{b,c}d` is `abd` and `acd`. Undefined if there are too many or it is too deep. */
export function expandBraces(text: string): readonly string[] | undefined {
  return expand(text, 0, { steps: MAX_STEPS });
}

/** The number of characters that may still be looked at, one by one. */
interface Budget {
  steps: number;
}

function expand(text: string, depth: number, budget: Budget): readonly string[] | undefined {
  if (depth > MAX_NESTING) return undefined;
  if (!text.includes('{')) return [text];
  const brace = findBrace(text, budget);
  if (budget.steps < 0) return undefined;
  if (brace === undefined) return [text];
  const tails = expand(text.slice(brace.close + 1), depth + 1, budget);
  if (tails === undefined) return undefined;
  const head = text.slice(0, brace.open);
  const words: string[] = [];
  for (const option of brace.options) {
    const expanded = expand(option, depth + 1, budget);
    if (expanded === undefined || words.length + expanded.length * tails.length > LIMITS.braceWords)
      return undefined;
    for (const each of expanded) for (const tail of tails) words.push(head + each + tail);
  }
  return words;
}

interface Brace {
  readonly open: number;
  readonly close: number;
  readonly options: readonly string[];
}

/** The first brace that expands. */
function findBrace(text: string, budget: Budget): Brace | undefined {
  const open = text.indexOf('{');
  const close = text.indexOf('}', open);
  const body = text.slice(open + 1, close);
  // The usual braces: one level, nothing quoted.
  if (close > 0 && body.includes(',') && !body.includes('{') && !text.slice(0, close).includes('\\')) {
    budget.steps -= close;
    return { open, close, options: body.split(',') };
  }
  for (let at = 0; at < text.length && budget.steps-- >= 0; at = skip(text, at)) {
    const brace = text[at] === '{' ? braceAt(text, at, budget) : undefined;
    if (brace !== undefined) return brace;
  }
  return undefined;
}

function braceAt(text: string, open: number, budget: Budget): Brace | undefined {
  const options: string[] = [];
  let start = open + 1;
  let nesting = 0;
  for (let at = start; at < text.length && budget.steps-- >= 0; at = skip(text, at)) {
    const char = text[at];
    if (char === '{') nesting++;
    else if (char === '}' && nesting > 0) nesting--;
    else if (nesting === 0 && (char === ',' || char === '}')) {
      options.push(text.slice(start, at));
      start = at + 1;
      if (char === ',') continue;
      const all = options.length > 1 ? options : sequence(options[0] ?? '');
      return all === undefined ? undefined : { open, close: at, options: all };
    }
  }
  return undefined;
}

const SEQUENCE = /^(?:[a-zA-Z]\.\.[a-zA-Z]|-?[0-9]{1,9}\.\.-?[0-9]{1,9})(?:\.\.-?[0-9]{1,9})?$/;

/** `1..3`, `a..e..2`; more words than are allowed where it has many. */
function sequence(body: string): readonly string[] | undefined {
  if (!SEQUENCE.test(body)) return undefined;
  const [from = '', to = '', by] = body.split('..');
  const letters = /[a-zA-Z]/.test(from);
  const first = letters ? from.charCodeAt(0) : Number(from);
  const last = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  const width = /^-?0[0-9]/.test(from) || /^-?0[0-9]/.test(to) ? Math.max(from.length, to.length) : 0;
  const direction = last < first ? -step : step;
  return Array.from({ length: Math.min(count, LIMITS.braceWords + 1) }, (_, index) => {
    const value = first + index * direction;
    return letters ? String.fromCharCode(value) : padded(value, width);
  });
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}

/** The position after the character at `at`, and after the one that a backslash quotes. */
function skip(text: string, at: number): number {
  return at + (text[at] === '\\' ? 2 : 1);
}
