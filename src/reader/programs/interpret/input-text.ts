import { isBlank, joinAll, joinWords, knownText, unknownWord, type Word } from '../../reading/word.ts';
import type { Call, Operand } from '../../shell/scope/interpreter.ts';
import { argumentSpan } from './effects-of-words.ts';

/** The text of the files, or the input, that a program prints, if it is known. */
export function inputText(call: Call): Word | undefined {
  const files = call.parsed.operands.slice(call.parsed.subcommands);
  if (files.length === 0) return call.command.input;
  const contents: Word[] = [];
  for (const { word } of files) {
    const content = operandContent(word, call);
    if (content === undefined) return undefined;
    contents.push(content);
  }
  return joinAll(contents);
}

const STANDARD_INPUT = /^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/;

export function isStandardInput(path: Word): boolean {
  return STANDARD_INPUT.test(knownText(path) ?? '');
}

/** The text that the script itself wrote into a file, or that `<( )` prints. */
export function writtenContent(file: Word, call: Call): Word | undefined {
  const [only] = file;
  const substituted =
    only !== undefined && file.length === 1 ? call.interpreter.contents.get(only) : undefined;
  return substituted ?? call.interpreter.fileAt(call, file);
}

/** The content of a file, as far as the script tells. */
export function contentOf(file: Word, call: Call): Word | undefined {
  if (isStandardInput(file)) return call.command.input;
  const source = call.interpreter.resolve(file, call.command);
  const other = unknownWord('the content of a file', [{ type: 'file', source }]);
  const content = writtenContent(file, call);
  // Beside the files that the script has written a wildcard may match others.
  const isOne = file.every((part) => part.type !== 'glob');
  return content === undefined ? other : isOne ? content : joinWords(content, other);
}

/** The same for an operand, where `-` is the standard input. */
export function operandContent(file: Word, call: Call): Word | undefined {
  return knownText(file) === '-' ? call.command.input : contentOf(file, call);
}

/** Remembers the text that a program leaves in a file that one of its words names, and notes an empty one. */
export function rememberContent(call: Call, { word, arg }: Operand, content: Word | undefined): void {
  if (content === undefined) return;
  call.interpreter.keepFile(call, word, content);
  if (isBlank(content)) call.interpreter.path(call.command, 'empty', word, { span: argumentSpan(call, arg) });
}
