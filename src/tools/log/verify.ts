import { bytesDigest, type Cover, coveredTo, coverIn } from '../../hook/audit/chain.ts';

export interface LogBytes {
  /** As it is shown. */
  readonly name: string;
  /** Undefined for the one that is being written. */
  readonly number: number | undefined;
  readonly bytes: Uint8Array;
}

/** Something that is not as it was written. */
export interface LogFinding {
  readonly file: string;
  /** Counts from 1; undefined where the whole file is meant. */
  readonly line: number | undefined;
  /** As a sentence without its period. */
  readonly problem: string;
}

/** The result of verifying the log against itself. */
export interface Verification {
  readonly findings: readonly LogFinding[];
  readonly lines: number;
  /** Lines that no later line and not the head vouches for, without anything being wrong. */
  readonly uncovered: number;
  /** The digest of the line that was written last; undefined if none is known. Whoever keeps it elsewhere can ask for it. */
  readonly head: string | undefined;
}

interface Line {
  readonly start: number;
  /** After the newline. */
  readonly end: number;
  readonly cover: Cover | undefined;
  /** Counts from 1. */
  readonly number: number;
}

interface CoverLine extends Line {
  readonly cover: Cover;
}

type Report = (line: number, problem: string) => void;

const LINE_FEED = 10;

/** Looks at the log file by file, oldest first, so that only two of them have to be at hand. */
export interface Verifier {
  add(file: LogBytes): void;
  result(): Verification;
}

/**
 * Compares each line of the log with the later lines about it.
 *
 * @param head the content of the head file; undefined if there is none
 * @param wanted a digest that must be there because it once was the head; undefined if none was kept
 */
export function createVerifier(head: string | undefined, wanted?: string): Verifier {
  const findings: LogFinding[] = [];
  let before: LogBytes | undefined;
  /** The place at which the first file names another one before it. */
  let missing: { readonly number: number; readonly file: string; readonly line: number } | undefined;
  let oldest = 0;
  let lineCount = 0;
  let uncovered = 0;
  let covers = 0;
  let hasHead = false;
  let hasWanted = wanted === undefined;

  const add = (file: LogBytes): void => {
    const lines = linesOf(file.bytes);
    const report: Report = (line, problem) => findings.push({ file: file.name, line, problem });
    lineCount += lines.length;
    // The last line of each write: only these are ever the head.
    const covering = lines.filter((line): line is CoverLine => line.cover !== undefined);
    const [first] = covering;
    if (first !== undefined) checkLink(first, file, report);
    covers += covering.length;

    const covered = checkInside(file.bytes, covering, report);
    let vouchedTo = covered.to;
    for (const { start, end } of covering) {
      const digest = bytesDigest(file.bytes.subarray(start, end - 1));
      if (digest === wanted) hasWanted = true;
      if (digest !== head) continue;
      hasHead = true;
      vouchedTo = Math.max(vouchedTo, end);
    }
    uncovered += lines.filter(({ start, end }) => start < covered.from || end > vouchedTo).length;
    before = file;
  };

  const checkLink = (line: CoverLine, file: LogBytes, report: Report): void => {
    const { cover, number } = line;
    if (cover.file === undefined) {
      if (before !== undefined && covers > 0)
        report(number, `This file does not follow ${before.name}: lines are missing at its beginning`);
      return;
    }
    oldest = cover.oldest ?? oldest;
    if (before === undefined) {
      missing = { number: cover.file, file: file.name, line: number };
      return;
    }
    if (before.number !== cover.file) {
      report(number, missingFile(cover.file));
      return;
    }
    if (!holds(line, file.bytes, before.bytes))
      findings.push({
        file: before.name,
        line: lineAt(before.bytes, cover.from),
        problem:
          'Here or further down lines have been changed, removed or added: the next file records other ones',
      });
  };

  const result = (): Verification => {
    const file = before?.name ?? 'the log';
    const report = (problem: string) => findings.push({ file, line: undefined, problem });
    if (before === undefined && head === undefined)
      report('There is no log: nothing has been logged here yet, or all of it has been removed');
    // Older files have gone because of their age.
    if (missing !== undefined && missing.number >= oldest)
      findings.push({ file: missing.file, line: missing.line, problem: missingFile(missing.number) });
    if (covers > 0 && head === undefined)
      report('The line that was written last is not known: its digest is missing');
    else if (head !== undefined && !hasHead) report('The line that was written last is missing or changed');
    if (!hasWanted) report(`No line has the digest ${wanted}`);
    return { findings, lines: lineCount, uncovered, head: covers > 0 ? head : undefined };
  };

  return { add, result };
}

function missingFile(number: number): string {
  return `The file before, number ${number}, is missing`;
}

/** Compares the covers of a file that are about itself; returns the lines that they vouch for. */
function checkInside(
  bytes: Uint8Array,
  lines: readonly CoverLine[],
  report: Report,
): { from: number; to: number } {
  let from: number | undefined;
  let to = 0;
  let isWhole = true;
  for (const line of lines) {
    const { start, cover } = line;
    // Lines of a version that knew no covers may be before the first one.
    if (from === undefined) to = from = cover.file === undefined ? cover.from : 0;
    if (cover.file !== undefined) continue;
    if (cover.from <= to && cover.to <= start && holds(line, bytes, bytes)) {
      to = Math.max(to, coveredTo(cover, start));
    } else if (isWhole) {
      isWhole = false;
      report(lineAt(bytes, Math.min(cover.from, to)), CHANGED);
    }
  }
  return { from: from ?? bytes.length, to };
}

const CHANGED =
  'Here or further down lines have been changed, removed or added: later lines record other ones';

/** @param covered the file that is covered, if it is not the one with the line */
function holds({ cover, start }: CoverLine, file: Uint8Array, covered: Uint8Array): boolean {
  const { from, to, sha256, own = 0 } = cover;
  if (to > covered.length || own > start) return false;
  return bytesDigest(covered.subarray(from, to), file.subarray(start - own, start)) === sha256;
}

function linesOf(bytes: Uint8Array): readonly Line[] {
  const decoder = new TextDecoder('latin1');
  const lines: Line[] = [];
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    number += 1;
    const at = bytes.indexOf(LINE_FEED, start);
    const end = at === -1 ? bytes.length : at + 1;
    // The cover is at the end; a line can be long.
    const text = decoder.decode(bytes.subarray(Math.max(start, end - 512), at === -1 ? end : at));
    // An empty line marks a writer in doubt whether the line before was finished.
    if (at !== start) lines.push({ start, end, cover: coverIn(text), number });
    start = end;
  }
  return lines;
}

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1 && at < offset; at = bytes.indexOf(LINE_FEED, at + 1))
    line++;
  return line;
}
