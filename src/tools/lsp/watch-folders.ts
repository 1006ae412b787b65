import { type FSWatcher, watch } from 'node:fs';

/** Follows what changes in folders. */
interface FolderWatch {
  /** Follows these and no others. */
  readonly set: (folders: ReadonlySet<string>) => void;
}

/** @param changed called when a file of a followed folder was written, made or deleted, often several times */
export function watchFolders(changed: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  const follow = (folder: string) => {
    try {
      const watcher = watch(folder, changed);
      // A folder that goes away takes its watcher with it.
      watcher.on('error', () => {
        watchers.delete(folder);
        changed();
      });
      watchers.set(folder, watcher);
    } catch {
      // What cannot be watched is looked at again with the next change of a document.
    }
  };
  return {
    set: (folders) => {
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of folders) if (!watchers.has(folder)) follow(folder);
    },
  };
}
