import type { WordPart as SyntaxPart, Word as SyntaxWord } from 'unbash';
import type { Word } from '../../reading/word.ts';
import type { Source } from '../parse/source.ts';
import type { Choices } from '../scope/choices.ts';
import type { Place, Walker } from '../scope/walker.ts';

/** What is needed to expand words at one place of a script. */
export interface Expansion {
  readonly source: Source;
  readonly place: Place;
  readonly choices: Choices;
  readonly walker: Walker;
  /** What substitutions printed: they run once however often the words are expanded. */
  readonly printed: Map<object, Word>;
  /** Expands a word that stays one word: words hold expansions, whose operands are words. */
  readonly whole: (word: SyntaxWord, expansion: Expansion) => Word;
  /** Expands parts as inside double quotes. */
  readonly quoted: (parts: readonly SyntaxPart[], expansion: Expansion) => Word;
}
