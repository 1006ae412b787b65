import type { CommandExpansionPart, ParsedScript, ProcessSubstitutionPart, Word as SyntaxWord } from 'unbash';
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
  /** What substitutions printed that do not depend on a choice: they run once however often the words are expanded. */
  readonly printed: Map<object, Word>;
  /** Runs `$( )`; returns what it prints without final newlines. */
  readonly substitute: (part: CommandExpansionPart | ArithmeticSubstitution, expansion: Expansion) => Word;
  /** Runs `<( )` and `>( )`; returns the word that stands for it. */
  readonly processSubstitution: (part: ProcessSubstitutionPart, expansion: Expansion) => Word;
  /** Expands a word that stays one word: words hold expansions, whose operands are words. */
  readonly whole: (word: SyntaxWord, expansion: Expansion) => Word;
}

/** `$( )` inside an arithmetic expression. */
export interface ArithmeticSubstitution {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
  readonly script: ParsedScript | undefined;
}
