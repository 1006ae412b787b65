import { joinWords, outsideVariable, textWord, type Word } from '../../../reader/reading/word.ts';

/** A path among the arguments of a tool: tools take `~` for the home directory, as shells do. */
export function pathWord(path: string): Word {
  if (!/^~(?:[\\/]|$)/.test(path)) return textWord(path);
  return joinWords(outsideVariable('HOME', '~'), textWord(path.slice(1)));
}
