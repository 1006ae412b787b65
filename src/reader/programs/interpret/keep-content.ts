import { isBlank, type Word } from '../../reading/word.ts';
import type { Call, Operand } from '../../shell/scope/interpreter.ts';
import { argumentSpan } from './effects-of-words.ts';

/** Remembers what a program leaves in a file that one of its words names, and notes where that is nothing. */
export function keepContent(call: Call, { word, arg }: Operand, content: Word | undefined): void {
  if (content === undefined) return;
  call.interpreter.keepFile(call, word, content);
  if (isBlank(content)) call.interpreter.path(call.command, 'empty', word, { span: argumentSpan(call, arg) });
}
