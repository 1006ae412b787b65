import { isBlank, type Word } from '../../reading/word.ts';
import type { Call, Operand, Walker } from '../../shell/scope/walker.ts';
import { argumentSpan } from './effects-of-words.ts';

/** Remembers what a program leaves in a file that one of its words names, and notes where that is nothing. */
export function keepContent(
  call: Call,
  { word, arg }: Operand,
  content: Word | undefined,
  walker: Walker,
): void {
  if (content === undefined) return;
  walker.keepFile(call, word, content);
  if (isBlank(content)) walker.path(call.command, 'empty', word, { span: argumentSpan(call, arg) });
}
