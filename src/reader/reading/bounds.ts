import type { Gap, GapReason, Span } from './reading.ts';
import { originsOf, unknownWord, type Word } from './word.ts';

/** The limits of a reading. Anything beyond is a gap, so that no text makes a reading slow. */
export const LIMITS = {
  /** Length of the text, in UTF-16 units. */
  textChars: 1 << 20,
  /** Length of a text whose parts are read although it has a syntax error. */
  brokenChars: 1 << 15,
  /** Separators (`;`, `|`, `&`, newlines) in one text, counted without parsing. */
  separators: 50_000,
  /** Opening braces and old sums (`$[`) in one text, counted without parsing. */
  braces: 50_000,
  /** Open parentheses in one line, counted without parsing, because other kinds of texts have them too. */
  parentheses: 2_000,
  /** Here-document operators times length, as the parser's time grows with this product. */
  hereDocumentWork: 100_000_000,
  /** Characters read in all; nested scripts count again at every level. */
  readChars: 3 << 19,
  /** Words, statements and expansions. */
  steps: 50_000,
  /** Commands listed. */
  commands: 2_000,
  /** Scripts inside scripts: `$( )`, `sh -c`, `eval`, functions. */
  scriptDepth: 64,
  /** Nested scripts, groups, loops and conditionals. */
  depth: 220,
  /** Paths that commands use; each may need a look at the disk. */
  paths: 4_000,
  /** Redirections of one command. */
  redirections: 1_000,
  /** Nested programs that run programs: `sudo sudo sudo …`. */
  wrapperDepth: 64,
  /** Values of one variable, and commands from one simple command. */
  alternatives: 64,
  /** Words from one word by brace expansion. */
  braceWords: 256,
  /** Length of a value or output that is followed. */
  wordChars: 1 << 16,
  /** Length of a path that is followed; longer ones do not exist. */
  pathChars: 1 << 12,
  /** Parts of a word that are followed. */
  wordParts: 64,
  /** Reported gaps, in addition to the first of each reason. */
  gaps: 64,
} as const;

/** The remaining limits of one reading, and its gaps. */
export interface Budget {
  steps: number;
  readChars: number;
  commands: number;
  paths: number;
  readonly gaps: Gap[];
}

export function newBudget(): Budget {
  const { steps, readChars, commands, paths } = LIMITS;
  return { steps, readChars, commands, paths, gaps: [] };
}

/** Takes a step; false if none is left. */
export function takeStep(budget: Budget): boolean {
  return --budget.steps >= 0;
}

/** Takes characters, some of them several times; false if none are left. */
export function takeChars(budget: Budget, chars: number): boolean {
  budget.readChars -= chars;
  return budget.readChars >= 0;
}

/** The word; unknown if it is too large to follow. */
export function boundedWord(word: Word): Word {
  let chars = 0;
  for (const part of word) chars += part.type === 'text' ? part.text.length : 1;
  if (chars <= LIMITS.wordChars && word.length <= LIMITS.wordParts) return word;
  return unknownWord('a long text', originsOf(word));
}

/** True if the reading had to stop early. */
export function isExhausted(budget: Budget): boolean {
  return budget.steps < 0 || budget.readChars < 0 || budget.commands < 0 || budget.paths < 0;
}

/** Records a gap: the first of each reason and place, and the first of a new reason whatever their number. */
export function noteGap(budget: Budget, reason: GapReason, span: Span, message: string): void {
  const { gaps } = budget;
  if (gaps.length >= LIMITS.gaps && gaps.some((gap) => gap.reason === reason)) return;
  if (gaps.some((gap) => gap.reason === reason && gap.span.start === span.start && gap.span.end === span.end))
    return;
  gaps.push({ reason, span, message });
}

/** Why a text is too large to parse, found by counting characters. */
export function sizeProblem(text: string): 'too_long' | 'too_many_steps' | 'too_deep' | undefined {
  if (text.length > LIMITS.textChars) return 'too_long';
  if (text.length < LIMITS.separators / 4) return undefined;
  let separators = 0;
  let hereDocuments = 0;
  let braces = 0;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) open = 0;
    if (code === 0x3b || code === 0x7c || code === 0x26 || code === 0x0a) separators++;
    else if (code === 0x3c && text.charCodeAt(at + 1) === 0x3c) hereDocuments++;
    else if (code === 0x7b || (code === 0x24 && text.charCodeAt(at + 1) === 0x5b)) braces++;
    else if (code === 0x28 && ++open > LIMITS.parentheses) return 'too_deep';
    else if (code === 0x29 && open > 0) open--;
  }
  const work = hereDocuments * text.length;
  if (braces > LIMITS.braces) return 'too_many_steps';
  return separators > LIMITS.separators || work > LIMITS.hereDocumentWork ? 'too_many_steps' : undefined;
}
