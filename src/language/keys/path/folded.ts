import { foldGlob, foldLetters, foldPath } from '../../../lib/path/fold-path.ts';
import { globPieces } from '../../../reader/reading/glob-pieces.ts';
import { knownText, textWord, type Word, type WordPart } from '../../../reader/reading/word.ts';
import type { UsedPath } from '../call/used-path.ts';

/** A path in the spelling by which a volume that folds names knows it; several if a short name may mean several. */
export function foldedForms(used: UsedPath): readonly UsedPath[] {
  const written = knownText(used.path);
  const { only } = used;
  return spelledOut(foldWord(used.path)).map((path) => ({
    ...used,
    path,
    only: only === undefined ? undefined : foldWord(only),
    folded: { from: written },
  }));
}

function foldWord(word: Word): Word {
  const text = knownText(word);
  if (text !== undefined) return textWord(foldPath(text));
  return word.flatMap((part, index): readonly WordPart[] => {
    if (part.type === 'glob') return [{ type: 'glob', pattern: foldGlob(part.pattern) }];
    if (part.type === 'unknown') return [part];
    // A name that ends here may go on behind the part.
    return textWord(index === word.length - 1 ? foldPath(part.text) : foldLetters(part.text));
  });
}

/** `claude~1` and `settin~1.jso`: the names that Windows and FAT give to long ones, of eight characters and three. */
const SHORT = /(?<=^|\/)([^/~. ]{1,6})~\d(?:\.([^/~. ]{1,3}))?(?=\/|$)/g;
/** Twice as many forms with each. */
const MAX_SHORT = 4;

/** A short name does not say whether the long one begins with a dot. */
function spelledOut(word: Word): readonly Word[] {
  const text = knownText(word);
  if (text === undefined || !text.includes('~')) return [word];
  const count = [...text.matchAll(SHORT)].length;
  if (count === 0 || count > MAX_SHORT) return [word];
  return Array.from({ length: 2 ** count }, (_, dots) => {
    let at = 0;
    const glob = text
      .replace(/[\\*?[\]]/g, '\\$&')
      .replace(SHORT, (_short, name: string, ending?: string) => {
        const dot = (dots >> at++) & 1 ? '.' : '';
        return `${dot}${name}*${ending === undefined ? '' : `.${ending}*`}`;
      });
    return globPieces(glob, { escapes: true, stopsAtSlash: true });
  }).concat([word]);
}
