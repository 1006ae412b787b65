import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkTime } from '../lib/time-limit.ts';

/** Many times the folders that any host looks into for a name. */
const MAX_FOLDERS = 1_000;

/** The files below a folder whose paths end in a text, nearest first; in folders of modules last, in git's never. */
export function namedBelow(folder: string, ending: string): readonly string[] {
  const found: string[] = [];
  const open = [folder];
  const last: string[] = [];
  for (let count = 0; count < MAX_FOLDERS; count++) {
    checkTime();
    const here = open.shift() ?? last.shift();
    if (here === undefined) break;
    for (const entry of entriesOf(here)) {
      const path = join(here, entry.name);
      if (!entry.isDirectory()) {
        if (path.endsWith(`/${ending}`)) found.push(path);
      } else if (entry.name === 'node_modules') last.push(path);
      else if (entry.name !== '.git') open.push(path);
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
