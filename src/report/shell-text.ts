import type { ReadCommand, Reading } from '../reading/reading.ts';
import type { Word, WordPart } from '../reading/word.ts';
import { printable, printableCut } from './printable.ts';
import { countOf } from './quantity.ts';

const MAX_LISTED = 8;
const MAX_COMMAND_CHARS = 100;
/** What needs no quotes in a shell. */
const PLAIN = /^[^\s'"\\$`;&|<>()*?[\]{}#~]*$/;

/** What a shell text would run, a line each, in the order in which it starts. Wrappers stand beside what they run. */
export function readingLines(readings: readonly Reading[], verbose: boolean): readonly string[] {
  const maxChars = verbose ? Number.POSITIVE_INFINITY : MAX_COMMAND_CHARS;
  const lines = readings.flatMap(({ commands, gaps }) => [
    ...commands.filter(({ wrapper }) => !wrapper).map((command) => commandLine(command, maxChars)),
    ...gaps.map(({ message }) => `not read: ${printable(message)}`),
  ]);
  if (verbose || lines.length <= MAX_LISTED) return lines;
  return [
    ...lines.slice(0, MAX_LISTED - 1),
    `and ${countOf(lines.length - MAX_LISTED + 1, 'command')} more (-v lists them)`,
  ];
}

function commandLine(command: ReadCommand, maxChars: number): string {
  const words = [command.program, ...command.args].map(wordText).filter((text) => text !== '');
  const redirections = command.redirections
    .filter(({ kind }) => kind === 'read' || kind === 'write' || kind === 'append' || kind === 'read_write')
    .map(({ kind, target }) => `${ARROWS[kind] ?? '>'} ${wordText(target)}`);
  const text = printableCut([...words, ...redirections].join(' '), maxChars);
  const notes = notesOf(command);
  return notes.length === 0 ? text : `${text}  [${notes.join(', ')}]`;
}

const ARROWS: Readonly<Record<string, string>> = { read: '<', write: '>', append: '>>', read_write: '<>' };

function notesOf({ via, privileged, elsewhere, openEnded }: ReadCommand): readonly string[] {
  const way = via.map(({ name }) => printable(name));
  return [
    ...(way.length === 0 ? [] : [`through ${way.join(' > ')}`]),
    ...(privileged ? ['privileged'] : []),
    ...(elsewhere ? ['elsewhere'] : []),
    ...(openEnded ? ['and words that cannot be seen'] : []),
  ];
}

/** A word as a shell would take it back. */
function wordText(word: Word): string {
  const text = word.map(partText).join('');
  const isPlain = word.length > 0 && word.every((part) => part.type !== 'text' || PLAIN.test(part.text));
  if (isPlain || word.some(({ type }) => type !== 'text')) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function partText(part: WordPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'glob':
      return part.pattern;
    case 'unknown':
      return part.source;
  }
}
