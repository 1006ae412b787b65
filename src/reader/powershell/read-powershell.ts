import { unknownWord, type Word } from '../reading/word.ts';
import { spanIn } from '../shell/parse/source.ts';
import type { Frame } from '../shell/scope/interpreter.ts';
import { runWords } from './commands.ts';
import { readExpression } from './expressions.ts';
import { parsePowerShell } from './parse.ts';
import { linesOf } from './pipeline.ts';
import { lineAndColumn } from './scanner.ts';
import { type PsFrame, type Readers, stateOf } from './state.ts';
import { callBlock, readStatements } from './statements.ts';

const READERS: Readers = {
  expression: readExpression,
  statements: readStatements,
  call: callBlock,
  cmdlet: runWords,
};

/** Separators (`;`, `|`, newlines) in one script, counted without parsing: several for each command that may be listed. */
const MAX_SEPARATORS = 10_000;

/** Reads the text of a place as a script of PowerShell; returns its output. */
export function readPowerShell(frame: Frame): Word {
  const { source, interpreter } = frame;
  if (source.text.length > MAX_SEPARATORS && (source.text.match(/[\n;|]/g)?.length ?? 0) > MAX_SEPARATORS) {
    interpreter.gap('too_many_steps', source.span, 'The script has too many commands to be read');
    return unknownWord('the output of a script');
  }
  const { block, error, errorFrom } = parsePowerShell(source.text);
  const at: PsFrame = { ...frame, state: stateOf(interpreter), read: READERS, loops: 0 };
  const value = readStatements(block.body, at);
  if (error === undefined) return linesOf(value);
  const span = spanIn(source, errorFrom, source.text.length);
  const where = lineAndColumn(source.text, error.at);
  const reason = error.isDeep ? 'too_deep' : 'syntax';
  interpreter.gap(reason, span, `Cannot parse the script as PowerShell (${where}): ${error.message}`);
  return unknownWord('the output of a script');
}
