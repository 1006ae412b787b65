import { isFileUrl, readRemotePath } from '../../reading/url.ts';
import { isDetermined, leadingText, type Word } from '../../reading/word.ts';

/** True for a URL instead of a file, unless it names a file here. */
export function isFetched(word: Word): boolean {
  return /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(leadingText(word));
}

/** Tests if words that may be something else name a place. */
export const NAMES_PLACE = {
  host: (word: Word) => !isDetermined(word) || /^[^+].*[.]/.test(leadingText(word)),
  // An image or a repository: `host.example/name`, `localhost:5000/name`.
  hosted: (word: Word) => /^(?:localhost|[^/.:]*[.:][^/]*)\//.test(leadingText(word)),
  url: (word: Word) => isFetched(word) || isUnseen(word),
  remote: isRemote,
} as const;

function isUnseen(word: Word): boolean {
  return leadingText(word) === '' && !isDetermined(word);
}

/** True for a path on another host, and for one that may be. */
function isRemote(word: Word): boolean {
  if (isFileUrl(leadingText(word))) return false;
  if (/^(?:\/\/|\\\\)[^/\\]/.test(leadingText(word))) return true;
  return readRemotePath(word) !== undefined || isUnseen(word);
}
