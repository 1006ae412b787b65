import { readCommand } from '../../../src/reader/commands/read-command.ts';
import type { Reading } from '../../../src/reader/reading/reading.ts';
import { knownText, showWord, wordEquals } from '../../../src/reader/reading/word.ts';
import { runInBash } from './bash.ts';
import type { Script } from './generator.ts';
import { commandStarts } from './sh-syntax.ts';

/** What an oracle knows of a script. */
export interface Verdict {
  /** False if it cannot say which commands there are. */
  readonly known: boolean;
  /** A command that the oracle sees, and that the reading neither lists nor makes up for by a gap. */
  readonly missed: string | undefined;
}

/** Something beside the reading that knows which commands a script holds. */
export interface Oracle {
  readonly name: string;
  /** The verdicts of scripts, in their order. */
  readonly judge: (scripts: readonly Script[]) => Promise<readonly Verdict[]>;
}

const UNKNOWN: Verdict = { known: false, missed: undefined };

/** A real bash: which marker commands it runs. */
export const BASH: Oracle = {
  name: 'bash',
  judge: async (scripts) => {
    const written = await runInBash(scripts.map(({ text }) => text));
    return scripts.map(({ text, markers }) => {
      const ran = markers.filter((marker) => written.has(marker));
      if (ran.length === 0) return UNKNOWN;
      const reading = readScript(text);
      const missed = reading.complete ? ran.find((marker) => !echoes(reading, marker)) : undefined;
      return { known: true, missed };
    });
  },
};

/** The grammar of mvdan/sh: where commands start. */
export const SH_SYNTAX: Oracle = {
  name: 'sh-syntax',
  judge: async (scripts) => {
    const verdicts: Verdict[] = [];
    for (const { text } of scripts) verdicts.push(await judgeSyntax(text));
    return verdicts;
  },
};

/** What mvdan/sh makes of any text. */
export async function judgeSyntax(text: string): Promise<Verdict> {
  const starts = await commandStarts(text);
  if (starts === undefined) return UNKNOWN;
  const reading = readScript(text);
  if (!reading.complete) return { known: true, missed: undefined };
  const start = starts.find((start) => !isListed(reading, text, start));
  return { known: true, missed: start === undefined ? undefined : wordAt(text, start) };
}

/** How the oracles read a script. */
export function readScript(text: string): Reading {
  return readCommand(text, { home: '/home/me', cwd: '/work' });
}

function echoes({ commands }: Reading, marker: string): boolean {
  return commands.some(
    ({ name, args }) =>
      name === 'echo' &&
      args.some(
        (word) => wordEquals(word, marker) !== false || knownText(word)?.split(/\s/).includes(marker),
      ),
  );
}

function isListed({ commands }: Reading, text: string, start: number): boolean {
  const word = wordAt(text, start).replaceAll('\\', '');
  // What a function's name runs is in its body. What a computed name runs is seen by bash alone.
  // Places in nested backquotes are those of the text without its backslashes.
  if (word === '' || isDefined(text, word) || /[$`{"]/.test(word)) return true;
  return commands.some(
    ({ span, programPlace, program }) =>
      span.start === start ||
      programPlace.span.start === start ||
      // Places in backquotes with escapes are not exact.
      (span.start <= start && start < span.end && showWord(program) === word),
  );
}

function wordAt(text: string, start: number): string {
  return (
    text
      .slice(start)
      .replace(/\\+\n/g, '')
      .match(/^[^\s;|&()`]+/)?.[0] ?? ''
  );
}

function isDefined(text: string, word: string): boolean {
  return text.includes(`${word}()`) || text.includes(`function ${word}`);
}
