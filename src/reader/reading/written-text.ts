import { checkTime } from '../../lib/time-limit.ts';
import { resolvePath } from './path.ts';
import type { PathEffect, ReadCommand } from './reading.ts';
import { EMPTY_WORD, showWord, type UnknownPart, type Word } from './word.ts';

/** The text that is written into a file, as far as it is seen. */
export interface WrittenText {
  /** Lines that are written as they are. `UNSEEN` replaces the unknown parts of a line; wholly unknown ones are absent. */
  readonly lines: string;
  /** Words out of which lines may be made: those of an editor, of code, of programs with unknown output. */
  readonly pieces: ReadonlySet<string>;
  /** The files that the rest comes from; the empty word means anywhere. */
  readonly sources: readonly Word[];
  /** `whole` if this is then all of the file, `part` if it is a part; undefined if that is unknown. */
  readonly extent?: 'whole' | 'part';
}

/** Nothing is written, or nothing that counts. */
export const NO_TEXT: WrittenText = { lines: '', pieces: new Set(), sources: [] };

/** Replaces the unknown parts in lines. */
export const UNSEEN = '\0';

/** So many commands are followed back from a file through others that the same script has written. */
const MAX_WRITERS = 32;

type Draft = { lines: string[]; pieces: Set<string>; sources: Word[] };
type Writer = readonly [command: ReadCommand, path: PathEffect];

/**
 * The text that a command writes into the file of one of its effects. Time: linear in the script for each of a few commands.
 *
 * @param commands all of the script, in its order
 */
export function writtenText(
  command: ReadCommand,
  path: PathEffect,
  commands: readonly ReadCommand[],
): WrittenText {
  const found: Draft = { lines: [], pieces: new Set(), sources: [] };
  const writers: Writer[] = [[command, path]];
  for (const [writer, written] of writers) {
    const isPrinted = writer.redirections.some(({ target }) => target === written.written);
    if (isPrinted) {
      addText(writer.output, found, commands);
      continue;
    }
    // An install adds names and versions of packages to the file that lists them, and no other field.
    const list = writer.rows[0]?.manifest?.file;
    if (list !== undefined && showWord(written.written).endsWith(list)) continue;
    if (writer.input !== undefined) addText(writer.input, found, commands);
    addWords(writer, found, commands);
    for (const source of sourcesOf(writer, written)) {
      const earlier = writers.length < MAX_WRITERS ? lastWriter(source, writer, commands) : undefined;
      if (earlier === undefined) found.sources.push(source);
      else writers.push(earlier);
    }
  }
  return { ...found, lines: found.lines.join('\n'), ...extentOf(command, path) };
}

/** The extent of a text: one that is appended, or edited in place, is a part. */
function extentOf({ redirections, effects }: ReadCommand, path: PathEffect): Pick<WrittenText, 'extent'> {
  const redirection = redirections.find(({ target }) => target === path.written);
  if (redirection !== undefined) return { extent: redirection.kind === 'write' ? 'whole' : 'part' };
  const file = showWord(path.path);
  const isUsed = effects.some(
    (effect) =>
      effect.type === 'path' &&
      (effect.use === 'read' || effect.use === 'list') &&
      showWord(effect.path) === file,
  );
  return isUsed ? { extent: 'part' } : {};
}

/** Files that a program reads or runs beside the one that it writes; the empty word for its downloads. */
function sourcesOf({ name, operands, cwd, effects }: ReadCommand, written?: PathEffect): readonly Word[] {
  const own = written === undefined ? undefined : showWord(written.path);
  // A reader of a link reads its target.
  const linked = name === 'ln' ? operands.slice(0, Math.max(operands.length - 1, 1)) : [];
  const used = effects.flatMap((effect) => {
    if (effect.type === 'network')
      return effect.use === 'upload' || effect.use === 'listen' ? [] : [EMPTY_WORD];
    if (effect.type !== 'path' || (effect.use !== 'read' && effect.use !== 'execute')) return [];
    return showWord(effect.path) === own ? [] : [effect.path];
  });
  return [...linked.map((word) => resolvePath(word, { cwd, home: undefined })), ...used];
}

/** The last command before another that writes a file. */
function lastWriter(path: Word, before: ReadCommand, commands: readonly ReadCommand[]): Writer | undefined {
  const name = showWord(path);
  let last: Writer | undefined;
  checkTime();
  for (const command of commands) {
    if (command === before) break;
    for (const effect of command.effects) {
      if (effect.type === 'path' && effect.use === 'write' && showWord(effect.path) === name)
        last = [command, effect];
    }
  }
  return last;
}

/** Text that is put into a file: undefined if nothing is known of it. */
function addText(text: Word | undefined, found: Draft, commands: readonly ReadCommand[]): void {
  if (text === undefined) {
    found.sources.push(EMPTY_WORD);
    return;
  }
  let line = '';
  for (const part of text) {
    if (part.type !== 'unknown')
      line = withText(line, part.type === 'text' ? part.text : part.pattern, found);
    else if (isInValue(line)) line += UNSEEN;
    else {
      addUnseen(part, found, commands);
      line = withText(line, '\n', found);
    }
  }
  found.lines.push(line);
}

/** Adds text to a line that has begun; returns the one that has begun then. */
function withText(line: string, text: string, found: Draft): string {
  const end = text.lastIndexOf('\n');
  if (end < 0) return line + text;
  found.lines.push(line + text.slice(0, end));
  return text.slice(end + 1);
}

/** True after a name and its `=`, and in a comment: an unknown part there is read as a part of the line. */
function isInValue(line: string): boolean {
  return /^\s*(?:#|[^\s=]+\s*=|export\s+[^\s=]+\s*=)/.test(line);
}

/** Adds an unknown part: it comes from the files that it was made from, else from those that its printer uses. */
function addUnseen({ origins, printer }: UnknownPart, found: Draft, commands: readonly ReadCommand[]): void {
  const command = printer === undefined ? undefined : commands[printer];
  if (command !== undefined) addWords(command, found, commands);
  const made = origins.map(({ type, source }) => (type === 'file' ? source : EMPTY_WORD));
  const used = command === undefined || made.length > 0 ? made : sourcesOf(command);
  found.sources.push(...(used.length === 0 ? [EMPTY_WORD] : used));
}

/** The words of a command and of those that feed it. */
function addWords(command: ReadCommand, { pieces }: Draft, commands: readonly ReadCommand[]): void {
  const open = new Set([command]);
  for (const { args, input, fedBy } of open) {
    for (const word of input === undefined ? args : [...args, input]) {
      for (const part of word) if (part.type === 'text') pieces.add(part.text);
    }
    for (const index of fedBy) {
      const feeder = commands[index];
      if (feeder !== undefined) open.add(feeder);
    }
  }
}
