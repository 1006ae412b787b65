import { type Discovered, pathsOf } from '../files/discovery.ts';
import { linksTo } from '../files/follow-link.ts';
import type { KeptSet } from './program-text.ts';

type Beside = Pick<KeptSet, 'locks' | 'data'> & {
  readonly extended: readonly Pick<KeptSet['extended'][number], 'at' | 'path' | 'root'>[];
};

/** Every file that a set was made from, without links, and every link by which it was found: who changes one changes the set. */
export function filesInForce(discovered: Discovered, { extended, locks, data }: Beside): readonly string[] {
  // The agent may change a file that a project names: it lies in the project.
  const ofOthers = [...extended, ...data].filter(({ root }) => root === null);
  return [
    ...pathsOf(discovered, [...extended, ...locks.map(({ at }) => ({ path: at }))]),
    ...discovered.links,
    ...ofOthers.flatMap(({ at }) => linksTo(at)),
  ];
}
