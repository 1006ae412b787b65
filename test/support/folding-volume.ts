import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A volume that takes names in any letter case for the same. */
export interface FoldingVolume {
  readonly folder: string;
  /** Takes it away again. */
  readonly unmount: () => void;
}

const BYTES = 16 * 1024 * 1024;

/** Mounts NTFS in a file, as Windows reads it; undefined where Debian's `ntfs-3g` or the right to mount is missing. */
export function foldingVolume(): FoldingVolume | undefined {
  const place = mkdtempSync(join(tmpdir(), 'policy-volume-'));
  const image = join(place, 'image');
  const folder = join(place, 'Volume');
  const works = (program: string, ...args: readonly string[]) => spawnSync(program, args).status === 0;
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, BYTES);
  const unmount = () => {
    works('umount', folder);
    rmSync(place, { recursive: true, force: true });
  };
  if (
    works('mkntfs', '-F', '-q', image) &&
    works('lowntfs-3g', '-o', 'ignore_case,permissions', image, folder)
  )
    return { folder, unmount };
  unmount();
  return undefined;
}
