import type { GlobEnds } from '../../lib/glob/glob-ends.ts';
import { pathSegments } from './path.ts';
import { knownText, leadingText, type Word } from './word.ts';

/** False if the known parts of a path rule a glob out. Cheap, because a path is held against hundreds of globs. */
export function mayFit(path: Word, { prefix, suffix, name }: GlobEnds): boolean {
  const text = knownText(path);
  if (text !== undefined)
    return (
      text.startsWith(prefix) && text.endsWith(suffix) && (name === '' || `/${text}/`.includes(`/${name}/`))
    );
  const start = leadingText(path);
  if (!start.startsWith(prefix) && !prefix.startsWith(start)) return false;
  const end = endingText(path);
  if (!end.endsWith(suffix) && !suffix.endsWith(end)) return false;
  return name === '' || pathSegments(path).some((segment) => mayBeName(segment, name));
}

function endingText(word: Word): string {
  const last = word.at(-1);
  return last?.type === 'text' ? last.text : '';
}

/** False if a piece between slashes rules out that the name is in it. */
function mayBeName(segment: Word, name: string): boolean {
  const known = knownText(segment);
  if (known !== undefined) return known === name;
  if (segment.some((part) => part.type === 'unknown' || (part.type === 'glob' && part.pattern === '**')))
    return true;
  return name.startsWith(leadingText(segment)) && name.endsWith(endingText(segment));
}
