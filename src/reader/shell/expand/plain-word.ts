import type { Word as SyntaxWord } from 'unbash';
import { fillPlaceholders } from '../../reading/placeholders.ts';
import {
  EMPTY_WORD,
  joinList,
  joinWords,
  splittingWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Expansion } from './expansion.ts';
import { type Lookup, lookUp } from './variable-value.ts';

/** `of=~/image`, of which bash thinks as of an assignment. */
const NAME = /^[A-Za-z_]\w*\+?=/;

/** A word without quotes, wildcards and expansions; it may begin with a tilde. Unknown parts may be several words. */
export function plainWord(word: SyntaxWord, expansion: Expansion): Word {
  const found = withTildes(word.text, expansion, tildesIn([word], 0));
  if (found !== undefined) return found;
  const value = fillPlaceholders(word.value, expansion.source.placeholders);
  // `eval source <(…)`: the name of a file is one word.
  const { contents } = expansion.interpreter;
  return value.some((part) => contents.has(part)) ? value : splittingWord(value);
}

/** The plain right side of an assignment. */
export function assignedText(word: SyntaxWord, expansion: Expansion): Word {
  const found = withTildes(word.text, expansion, ASSIGNED);
  return found ?? fillPlaceholders(word.value, expansion.source.placeholders);
}

/** The places in a text where a tilde is a home. */
export interface Tildes {
  /** The first one counts there, if it is there. */
  readonly first: number;
  /** One behind a colon counts as well. */
  readonly colons: boolean;
  /** True if something follows, so that the end of the text ends no login name. */
  readonly isOpen: boolean;
}

const ASSIGNED: Tildes = { first: 0, colons: true, isOpen: false };

/** The places at which tildes count in a literal among the parts of a word, or of an assigned value. */
export function tildesIn(
  parts: readonly { readonly text: string }[],
  index: number,
  assigned = false,
): Tildes {
  const [name] = (assigned ? undefined : NAME.exec(parts[0]?.text ?? '')) ?? [''];
  return {
    first: index === 0 ? name.length : -1,
    colons: assigned || name !== '',
    isOpen: index < parts.length - 1,
  };
}

/** A text outside quotes, as it is written, with the folders of its tildes; undefined if no tilde counts. */
export function withTildes(
  written: string,
  expansion: Expansion,
  { first, colons, isOpen }: Tildes,
): Word | undefined {
  if (!written.includes('~')) return undefined;
  // A line that goes on is one line before a shell looks for tildes.
  const text = written.replaceAll('\\\n', '');
  const plain = (from: number, to?: number) =>
    fillPlaceholders(text.slice(from, to).replace(/\\(.)/gs, '$1'), expansion.source.placeholders);
  let found: Word | undefined;
  let done = 0;
  let escaped = -1;
  for (const { 0: part, index } of text.matchAll(/\\.|~[^\\/:]*/gs)) {
    const end = index + part.length;
    if (part.startsWith('\\')) escaped = end;
    const isPlace = index === first || (colons && text[index - 1] === ':' && escaped !== index);
    const isEnded = end < text.length ? text[end] !== '\\' : !isOpen;
    if (part.startsWith('\\') || !isPlace || !isEnded) continue;
    found = joinWords(joinWords(found ?? EMPTY_WORD, plain(done, index)), tilde(part, expansion));
    done = end;
  }
  return found === undefined ? undefined : joinWords(found, plain(done));
}

function tilde(prefix: string, expansion: Expansion): Word {
  if (prefix === '~') return wordOf(lookUp('HOME', expansion, '~'));
  if (prefix === '~+') return wordOf(lookUp('PWD', expansion, prefix));
  if (prefix === '~-') return wordOf(lookUp('OLDPWD', expansion, prefix));
  return unknownWord(prefix);
}

/** The value of a look-up as one word. */
export function wordOf(found: Lookup): Word {
  if (found.type === 'list') return joinList(found.words);
  return found.type === 'unset' ? EMPTY_WORD : found.word;
}
