import { isAscii } from '../characters.ts';
/**
 * A path as a volume may read it that takes several spellings for the same name: in one letter case and one Unicode form, without
 * the characters that HFS+ and ext4 pass over (joiners, marks of direction and the like), and without those that Windows takes
 * off a name (dots and blanks at its end, a stream behind a colon). It takes more for the same than any one volume, never less.
 */
export function foldPath(path: string): string {
  return foldLetters(path).replace(STREAM, '').replace(TAIL, '');
}

/** A letter in front of a colon is a drive. */
const STREAM = /(?<=[^/:]{2}):[^/]*/g;
const TAIL = /(?<=[^/. ])[. ]+(?=\/|$)/g;

/** The same for a part of a path, of which only the characters are looked at. */
export function foldLetters(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const folded = text.normalize('NFD').replace(IGNORED, '').toUpperCase().toLowerCase();
  // At the end of a word this letter has a form of its own.
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

export function foldGlob(glob: string): string {
  const [variable = ''] = /^\$\w+/.exec(glob) ?? [];
  const rest = glob.slice(variable.length);
  return variable + foldLetters(rest.includes('[') ? rest.replace(/\[[^\]]*\]/g, foldClass) : rest);
}

/** `[A-_]` in small letters goes from a later character to an earlier one. */
function foldClass(cls: string): string {
  const folded = cls.toLowerCase();
  const turns = (folded.match(/[^\\]-[^\]]/gsu) ?? []).some(([from = '', , to = '']) => from > to);
  return turns ? '?' : folded;
}
