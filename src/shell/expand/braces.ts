import { LIMITS } from '../../reading/bounds.ts';

const MAX_NESTING = 16;
const MAX_STEPS = 100_000;

/**
 * The words that brace expansion makes of one without quotes: `a{b,c}d` gives `abd` and `acd`. Returns undefined if there
 * are too many or the nesting is too deep.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  return expand(text, 0, { steps: MAX_STEPS });
}

/** What is left of the characters that may be looked at, one by one. */
interface Budget {
  steps: number;
}

function expand(text: string, depth: number, budget: Budget): readonly string[] | undefined {
  if (depth > MAX_NESTING || budget.steps < 0) return undefined;
  const brace = findBrace(text, budget);
  if (brace === undefined) return [text];
  if (budget.steps < 0) return undefined;
  const options = optionsOf(
    text.slice(brace.open + 1, brace.close),
    brace.commas,
    brace.open + 1,
    depth,
    budget,
  );
  const tails = expand(text.slice(brace.close + 1), depth + 1, budget);
  if (options === undefined || tails === undefined) return undefined;
  if (options.length * tails.length > LIMITS.braceWords) return undefined;
  const head = text.slice(0, brace.open);
  return options.flatMap((option) => tails.map((tail) => head + option + tail));
}

interface Brace {
  readonly open: number;
  readonly close: number;
  /** Positions of the commas that separate its options; empty for a sequence. */
  readonly commas: readonly number[];
}

/** The first brace that expands. */
function findBrace(text: string, budget: Budget): Brace | undefined {
  for (let at = 0; at < text.length && budget.steps-- >= 0; at = skip(text, at)) {
    if (text[at] !== '{') continue;
    const brace = closeBrace(text, at, budget);
    if (brace !== undefined) return brace;
  }
  return undefined;
}

function closeBrace(text: string, open: number, budget: Budget): Brace | undefined {
  const commas: number[] = [];
  let nesting = 0;
  for (let at = open + 1; at < text.length && budget.steps-- >= 0; at = skip(text, at)) {
    const char = text[at];
    if (char === '{') nesting++;
    else if (char === ',' && nesting === 0) commas.push(at);
    else if (char === '}' && nesting-- === 0) {
      const isSequence = commas.length === 0 && SEQUENCE.test(text.slice(open + 1, at));
      return commas.length > 0 || isSequence ? { open, close: at, commas } : undefined;
    }
  }
  return undefined;
}

const SEQUENCE = /^(?:[a-zA-Z]\.\.[a-zA-Z]|-?[0-9]{1,9}\.\.-?[0-9]{1,9})(?:\.\.-?[0-9]{1,9})?$/;

function optionsOf(
  body: string,
  commas: readonly number[],
  offset: number,
  depth: number,
  budget: Budget,
): readonly string[] | undefined {
  if (commas.length === 0) return sequence(body);
  const options: string[] = [];
  let start = 0;
  for (const comma of [...commas, offset + body.length]) {
    const expanded = expand(body.slice(start, comma - offset), depth + 1, budget);
    if (expanded === undefined || options.length + expanded.length > LIMITS.braceWords) return undefined;
    options.push(...expanded);
    start = comma - offset + 1;
  }
  return options;
}

function sequence(body: string): readonly string[] | undefined {
  const [from = '', to = '', by] = body.split('..');
  const letters = /[a-zA-Z]/.test(from);
  const first = letters ? from.charCodeAt(0) : Number(from);
  const last = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  if (count > LIMITS.braceWords) return undefined;
  const width = /^-?0[0-9]/.test(from) || /^-?0[0-9]/.test(to) ? Math.max(from.length, to.length) : 0;
  const direction = last < first ? -step : step;
  return Array.from({ length: count }, (_, index) => {
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
