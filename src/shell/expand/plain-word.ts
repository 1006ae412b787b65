import type { Word as SyntaxWord } from 'unbash';
import { fillHoles } from '../../reading/holes.ts';
import {
  EMPTY_WORD,
  joinList,
  joinWords,
  knownText,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Expansion } from './expansion.ts';
import { type Lookup, lookUp } from './variable-value.ts';

/** A word without quotes, wildcards and expansions; it may begin with a tilde. */
export function plainWord(word: SyntaxWord, expansion: Expansion): Word {
  const value = fillHoles(word.value, expansion.source.holes);
  const unsplit = value.length < 2 && knownText(value) !== undefined;
  const split = unsplit ? value : splitHoles(value);
  return word.text.startsWith('~') ? withTilde(word.value, expansion) : split;
}

/** Unknown parts that stood unquoted in a script that was put together may be several words. */
export function splitHoles(word: Word): Word {
  return word.map((part) => (part.type === 'unknown' ? { ...part, splits: true } : part));
}

/** The plain right side of an assignment: a tilde counts at its start and after each colon. */
export function assignedText(word: SyntaxWord, expansion: Expansion): Word {
  if (!word.text.includes('~')) return fillHoles(word.value, expansion.source.holes);
  let joined: Word = EMPTY_WORD;
  word.value.split(':').forEach((piece, index) => {
    const expanded = piece.startsWith('~')
      ? withTilde(piece, expansion)
      : fillHoles(piece, expansion.source.holes);
    joined = joinWords(joined, index > 0 ? joinWords(textWord(':'), expanded) : expanded);
  });
  return joined;
}

/** A text that begins with an unquoted tilde. */
export function withTilde(text: string, expansion: Expansion): Word {
  const end = text.indexOf('/');
  const prefix = end < 0 ? text : text.slice(0, end);
  const rest = fillHoles(end < 0 ? '' : text.slice(end), expansion.source.holes);
  return joinWords(tilde(prefix, expansion), rest);
}

function tilde(prefix: string, expansion: Expansion): Word {
  if (prefix === '~') return wordOf(lookUp('HOME', expansion, '~'));
  if (prefix === '~+') return wordOf(lookUp('PWD', expansion, prefix));
  if (prefix === '~-') return wordOf(lookUp('OLDPWD', expansion, prefix));
  return unknownWord(prefix);
}

/** What a look-up gives as one word. */
export function wordOf(found: Lookup): Word {
  if (found.type === 'list') return joinList(found.words);
  return found.type === 'unset' ? EMPTY_WORD : found.word;
}
