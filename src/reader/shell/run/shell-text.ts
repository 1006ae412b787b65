import { takeChars } from '../../reading/bounds.ts';
import type { Span } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  FOUND_FILES,
  type Origin,
  originsOf,
  showWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Arg, Call, CommandBuilder, Frame, Interpreter } from '../scope/interpreter.ts';

/**
 * Runs a text in a shell. Notes its origin in a file, the network or a decoder; unknown text is a gap. `what` names it for
 * people.
 */
export function runShellText(call: Call, script: Arg, frame: Frame, what: string): Word {
  const { word, span } = script;
  if (word.length === 0) return EMPTY_WORD;
  const origins = originsOf(word);
  addRemoteCode(call.command, origins, span, call.interpreter);
  const blank = word.every(
    (part) => part.type === 'unknown' || (part.type === 'text' && part.text.trim() === ''),
  );
  if (!blank && !isListing(word)) return call.interpreter.runScript(script, frame);
  noteUnreadable(call, blank ? word : unknownWord('{}'), span, what, 'unknown_script');
  return unknownWord('the output of a script', origins);
}

/** True for files below a folder whose own names are not known, and nothing beside them: nobody knows them as code. */
export function isListing(word: Word): boolean {
  const isBelow = word.some(
    (part) =>
      (part.type === 'glob' && part.pattern === '**') ||
      (part.type === 'unknown' && part.source === FOUND_FILES && part.origins.length === 0),
  );
  if (!isBelow || word.some((part) => part.type === 'text' && !/^[\w@%+=:,./~-]*$/.test(part.text)))
    return false;
  const at = word.findLastIndex((part) => part.type === 'text' && part.text.includes('/'));
  return at < word.length - 1;
}

/** The same for the content of a file. Text that one of its commands adds there is run as well: the shell reads on in it. */
export function runFileText(call: Call, file: Arg, content: Word, frame: Frame, what: string): Word {
  const { interpreter } = call;
  const path = showWord(interpreter.resolve(file.word, call.command));
  const isNested = interpreter.running.has(path);
  interpreter.running.add(path);
  const printed = runShellText(call, { word: content, span: file.span }, frame, what);
  if (!isNested) interpreter.running.delete(path);
  return printed;
}

/** The input of a command as a script, with its place if it is in the text as it is. */
export function inputScript(input: Word, span: Span, interpreter: Interpreter): Arg {
  const [only] = input;
  return {
    word: input,
    span,
    at: only !== undefined && input.length === 1 ? interpreter.places.get(only) : undefined,
  };
}

/** Notes the known facts of a text that is run but cannot be read. */
export function noteUnreadable(
  call: Call,
  word: Word,
  span: Span,
  what: string,
  reason: 'unknown_script' | 'unknown_code',
): void {
  if (word.every((part) => part.type === 'text')) return;
  const files = originsOf(word).filter((origin) => origin.type === 'file');
  for (const file of files) call.interpreter.path(call.command, 'execute', file.source, { span });
  const onlyFiles = word.every((part) => part.type !== 'unknown' || isFileOnly(part.origins));
  if (!onlyFiles)
    call.interpreter.gap(reason, span, `Cannot read ${what}: it is computed or comes from outside`);
}

function isFileOnly(origins: readonly Origin[]): boolean {
  return origins.length > 0 && origins.every((origin) => origin.type === 'file');
}

/** The cost of an effect, in characters that are read. */
const CHARS_PER_EFFECT = 64;

/** Notes that a command runs code from the network or out of a decoder. */
export function addRemoteCode(
  command: CommandBuilder,
  origins: readonly Origin[],
  span: Span,
  { budget }: Interpreter,
): void {
  for (const { type, source } of origins) {
    if (type === 'file') continue;
    if (!takeChars(budget, CHARS_PER_EFFECT)) return;
    const known = source.length === 0 ? undefined : source;
    command.effects.push({ type: 'remote_code', origin: type, source: known, span });
  }
}
