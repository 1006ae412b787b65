import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How many bytes the files below a folder have. They may come and go meanwhile. */
export function folderBytes(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
      .reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0);
  } catch {
    return 0;
  }
}
