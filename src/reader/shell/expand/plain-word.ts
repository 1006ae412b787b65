import type { Word as SyntaxWord } from 'unbash';
import { fillPlaceholders } from '../../reading/placeholders.ts';
import {
  EMPTY_WORD,
  joinList,
  joinWords,
  splittingWord,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Expansion } from './expansion.ts';
import { type Lookup, lookUp } from './variable-value.ts';

/** `of=~/image`, of which bash thinks as of an assignment. */
const TILDE_BEHIND_NAME = /^([A-Za-z_]\w*\+?=)~[^\\]*$/;

/**
 * A word without quotes, wildcards and expansions; it may begin with a tilde. Unknown parts that stood unquoted in a script
 * that was put together may be several words.
 */
export function plainWord(word: SyntaxWord, expansion: Expansion): Word {
  const value = fillPlaceholders(word.value, expansion.source.placeholders);
  if (word.text.startsWith('~')) return withTilde(word.value, expansion);
  const name = TILDE_BEHIND_NAME.exec(word.text)?.[1];
  if (name !== undefined)
    return joinWords(textWord(name), withTildes(word.value.slice(name.length), expansion));
  // `eval source <(…)`: what stands for a file is one word.
  const { contents } = expansion.interpreter;
  return value.some((part) => contents.has(part)) ? value : splittingWord(value);
}

/** The plain right side of an assignment: a tilde counts at its start and after each colon. */
export function assignedText(word: SyntaxWord, expansion: Expansion): Word {
  if (!word.text.includes('~')) return fillPlaceholders(word.value, expansion.source.placeholders);
  return withTildes(word.value, expansion);
}

function withTildes(text: string, expansion: Expansion): Word {
  let joined: Word = EMPTY_WORD;
  text.split(':').forEach((piece, index) => {
    const expanded = piece.startsWith('~')
      ? withTilde(piece, expansion)
      : fillPlaceholders(piece, expansion.source.placeholders);
    joined = joinWords(joined, index > 0 ? joinWords(textWord(':'), expanded) : expanded);
  });
  return joined;
}

/** A text that begins with an unquoted tilde. */
export function withTilde(text: string, expansion: Expansion): Word {
  const end = text.indexOf('/');
  const prefix = end < 0 ? text : text.slice(0, end);
  const rest = fillPlaceholders(end < 0 ? '' : text.slice(end), expansion.source.placeholders);
  return joinWords(tilde(prefix, expansion), rest);
}

function tilde(prefix: string, expansion: Expansion): Word {
  if (prefix === '~') return wordOf(lookUp('HOME', expansion, '~'));
  if (prefix === '~+') return wordOf(lookUp('PWD', expansion, prefix));
  if (prefix === '~-') return wordOf(lookUp('OLDPWD', expansion, prefix));
  // No login name has a colon in it: the text stays as it is.
  return prefix.includes(':') ? textWord(prefix) : unknownWord(prefix);
}

/** What a look-up gives as one word. */
export function wordOf(found: Lookup): Word {
  if (found.type === 'list') return joinList(found.words);
  return found.type === 'unset' ? EMPTY_WORD : found.word;
}
