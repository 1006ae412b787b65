import { type Dirent, readdirSync } from 'node:fs';
import { checkTime } from '../lib/time-limit.ts';

/** Many times the folders that any host looks into for a name. */
const MAX_FOLDERS = 1_000;

/** The files below a folder that are asked for, nearest first; in folders of modules last, in git's never. */
export function filesBelow(
  folder: string,
  isWanted: (path: string) => boolean,
  { depth = Number.POSITIVE_INFINITY, withModules = true } = {},
): readonly string[] {
  const found: string[] = [];
  const open = [{ path: folder, depth: 1 }];
  const last: typeof open = [];
  for (let count = 0; count < MAX_FOLDERS; count++) {
    checkTime();
    const here = open.shift() ?? last.shift();
    if (here === undefined) break;
    const start = here.path.endsWith('/') ? here.path : `${here.path}/`;
    for (const entry of entriesOf(here.path)) {
      const path = start + entry.name;
      if (!entry.isDirectory()) {
        if (isWanted(path)) found.push(path);
      } else if (here.depth < depth && entry.name !== '.git') {
        const isModules = entry.name === 'node_modules';
        if (!isModules || withModules) (isModules ? last : open).push({ path, depth: here.depth + 1 });
      }
    }
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
