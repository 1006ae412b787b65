import { child } from '../../../lib/child.ts';
import { foldLetters } from '../../../lib/path/fold-path.ts';
import { takeChars } from '../../reading/bounds.ts';
import { parentOf, resolvePath } from '../../reading/path.ts';
import type { PathUse } from '../../reading/reading.ts';
import { joinWords, knownText, leadingText, type Word, wordFrom } from '../../reading/word.ts';
import type { Interpreter } from './interpreter.ts';

/** Remembers the target of a symbolic link that the script makes, seen from the folder that the link lies in. */
export function keepLink(path: Word, target: Word, { links, context, budget }: Interpreter): void {
  const link = knownText(path);
  if (link === undefined || !takeChars(budget, link.length)) return;
  const to = resolvePath(target, { cwd: parentOf(path), home: context.home });
  child(links, foldLetters(link), () => new Map<string, Word>()).set(link, to);
}

/** So many ways through links are followed. */
const MAX_WAYS = 8;

/** The targets of a path through the links that the script itself has made. */
export function throughLinks(
  path: Word,
  use: PathUse,
  { links, context, budget }: Interpreter,
): readonly Word[] {
  const ways: Word[] = [];
  if (links.size === 0) return ways;
  for (let way: Word | undefined = path, next = 0; way !== undefined; way = ways[next++]) {
    const lead = leadingText(way);
    // A link that is deleted is gone itself, not its target.
    const isLeaf = way.length === 1 && use !== 'delete';
    for (
      let end = isLeaf ? lead.length : lead.lastIndexOf('/');
      end > 0;
      end = lead.lastIndexOf('/', end - 1)
    ) {
      if (ways.length >= MAX_WAYS || !takeChars(budget, end)) return ways;
      const written = lead.slice(0, end);
      // If the volume folds names, the link may be any that differs in case alone.
      const alike = links.get(foldLetters(written));
      if (alike === undefined) continue;
      const rest = wordFrom(way, end);
      const found = new Set([alike.get(written), ...alike.values()]);
      for (const target of [...found].slice(0, MAX_WAYS))
        if (target !== undefined)
          ways.push(resolvePath(joinWords(target, rest), { cwd: undefined, home: context.home }));
    }
  }
  return ways;
}
