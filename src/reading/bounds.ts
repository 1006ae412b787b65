import type { Gap, GapReason, Span } from './reading.ts';

/** What a reading may cost. Whatever goes beyond is a gap, so that no text can make a reading slow or overflow. */
export const LIMITS = {
  /** Length of the text, in UTF-16 units. */
  textChars: 1 << 20,
  /** Separators (`;`, `|`, `&`, newlines) in one text, counted without parsing. */
  separators: 50_000,
  /** Here-document operators times length, which the parser's time grows with. */
  hereDocumentWork: 100_000_000,
  /** Characters parsed in all, nested scripts counted again at every level. */
  parsedChars: 4 << 20,
  /** Words, statements and parameter expansions looked at. */
  steps: 60_000,
  /** Commands listed. */
  commands: 5_000,
  /** Scripts inside scripts: `$( )`, `sh -c`, `eval`, functions. */
  scriptDepth: 64,
  /** Scripts, groups, loops and conditionals inside each other. */
  depth: 220,
  /** Values that one variable may have, and commands that one simple command may stand for. */
  alternatives: 64,
  /** Words that one word may become by brace expansion. */
  braceWords: 256,
  /** Length of a variable's value or a program's output that is followed. */
  wordChars: 1 << 16,
  /** Parts of a word that are followed. */
  wordParts: 64,
  /** Gaps reported. */
  gaps: 64,
} as const;

/** What is left of the limits during one reading, and the gaps found. */
export interface Budget {
  steps: number;
  parsedChars: number;
  commands: number;
  readonly gaps: Gap[];
}

export function newBudget(): Budget {
  return { steps: LIMITS.steps, parsedChars: LIMITS.parsedChars, commands: LIMITS.commands, gaps: [] };
}

/** Takes a step; false if there is none left. */
export function takeStep(budget: Budget): boolean {
  return --budget.steps >= 0;
}

/** Notes a gap. The first of each reason and place is kept. */
export function noteGap(budget: Budget, reason: GapReason, span: Span, message: string): void {
  const { gaps } = budget;
  if (gaps.length >= LIMITS.gaps) return;
  if (gaps.some((gap) => gap.reason === reason && gap.span.start === span.start && gap.span.end === span.end))
    return;
  gaps.push({ reason, span, message });
}

/** Notes that the reading stopped because a bound on work was reached. */
export function noteExhausted(budget: Budget, span: Span): void {
  noteGap(budget, 'too_many_steps', span, 'The text is too large to be read to its end');
}

/** Why a text is not even parsed, decided by counting characters. */
export function tooMuch(text: string): GapReason | undefined {
  if (text.length > LIMITS.textChars) return 'too_long';
  if (text.length < LIMITS.separators / 4) return undefined;
  let separators = 0;
  let hereDocuments = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3b || code === 0x7c || code === 0x26 || code === 0x0a) separators++;
    else if (code === 0x3c && text.charCodeAt(at + 1) === 0x3c) hereDocuments++;
  }
  const work = hereDocuments * text.length;
  return separators > LIMITS.separators || work > LIMITS.hereDocumentWork ? 'too_many_steps' : undefined;
}
