import { compilePathGlobs, type GlobsTest } from '../language/keys/path/globs.ts';
import { PATH_SETS } from '../language/keys/path/sets.ts';
import { textWord } from '../reader/reading/word.ts';
import { filesBelow } from './files-below.ts';

interface Places {
  readonly home: string | undefined;
  readonly workspace: string | undefined;
  /** Files that guard the agent wherever they lie. */
  readonly inForce: readonly string[];
}

/** Compiled when first asked for: most calls change nothing by wildcards. */
let guards: GlobsTest | undefined;

/**
 * The guards of the agent below a folder: files in force, and files with names of guards. Among installed modules only those in
 * force count.
 */
export function guardsBelow(folder: string, depth: number, places: Places): readonly string[] {
  const start = folder === '/' ? '' : folder;
  const inForce = places.inForce.filter(
    (file) => file.startsWith(`${start}/`) && file.slice(start.length + 1).split('/').length <= depth,
  );
  if (/\/node_modules(?:\/|$)/.test(folder)) return inForce;
  const found = filesBelow(folder, (path) => isGuard(path, places), { depth, withModules: false });
  return [...new Set([...inForce, ...found])];
}

function isGuard(path: string, places: Places): boolean {
  guards ??= compilePathGlobs(
    [...PATH_SETS.guarded, ...PATH_SETS.own_policies, ...PATH_SETS.own_state, ...PATH_SETS.own_program],
    'paths',
  );
  return guards({ ...LISTED, path: textWord(path) }, places) === true;
}

const LISTED = {
  use: 'list',
  recursive: false,
  name: undefined,
  bars: false,
  only: undefined,
  chosen: false,
} as const;
