import { LIMITS } from '../../reading/bounds.ts';
import { withPlaceholders } from '../../reading/placeholders.ts';
import { unknownWord, type Word } from '../../reading/word.ts';
import { noteUncovered } from '../expand/cover.ts';
import { type Source, spanIn } from '../parse/source.ts';
import { parseShell } from '../parse/syntax.ts';
import type { Arg, Frame } from '../scope/interpreter.ts';

/** The cost of a script beside its length, in characters that are read. */
const CHARS_PER_SCRIPT = 500;

/** Reads a word as a shell script. Unknown parts stay the same inside it. */
export function runScript(script: Arg, frame: Frame, read: (frame: Frame) => Word): Word {
  const { text, placeholders } = withPlaceholders(script.word);
  if (!frame.interpreter.enter(frame, script.span, CHARS_PER_SCRIPT + text.length))
    return unknownWord('the output of a script');
  const source: Source = {
    text,
    placeholders,
    offset: placeholders.length === 0 ? script.at : undefined,
    span: script.span,
  };
  return read({ ...frame, source, depth: frame.depth + 1, scriptDepth: frame.scriptDepth + 1 });
}

export function runText(frame: Frame): Word {
  const { source, interpreter } = frame;
  const { script, error } = parseShell(source.text);
  if (error !== undefined) {
    const span = spanIn(source, error.pos, source.text.length);
    interpreter.gap('syntax', span, `Cannot parse the command to its end: ${error.message}`);
  }
  // A long text that does not parse is mostly unread anyway, and going through it can take long.
  const given = error !== undefined && source.text.length > LIMITS.brokenChars;
  if (script === undefined || given) return unknownWord('the output of a script');
  const printed = interpreter.runStatements(script.commands, frame);
  noteUncovered(script, source, interpreter);
  return printed;
}
