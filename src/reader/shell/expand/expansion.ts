import type { WordPart as SyntaxPart, Word as SyntaxWord } from 'unbash';
import type { Word } from '../../reading/word.ts';
import type { Choices } from '../scope/choices.ts';
import type { Frame } from '../scope/interpreter.ts';

/** A place while the words of one command there are expanded. */
export interface Expansion extends Frame {
  readonly choices: Choices;
  /** The output of substitutions: they run once however often the words are expanded. */
  readonly printed: Map<object, Word>;
  /** Expands a word that stays one word: words hold expansions, whose operands are words. */
  readonly whole: (word: SyntaxWord, expansion: Expansion) => Word;
  /** Expands parts as inside double quotes. */
  readonly quoted: (parts: readonly SyntaxPart[], expansion: Expansion) => Word;
}
