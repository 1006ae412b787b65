/** A file or link of a git tree. */
export interface Blob {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  readonly path: string;
  readonly isLink: boolean;
}

/** The files and links of what `git ls-tree -r -l -z` prints, `<mode> blob <id> <size>\t<path>` each. */
export function blobsIn(listing: string): readonly Blob[] {
  return listing.split('\0').flatMap((line) => {
    const [, mode, id, size, path] = /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    return id === undefined || path === undefined
      ? []
      : [{ id, size: Number(size), path, isLink: mode === '120000' }];
  });
}

/** What to ask `git cat-file --batch` for. */
export function batchOf(blobs: readonly Blob[]): string {
  return blobs.map(({ id }) => `${id}\n`).join('');
}

/** The contents in its answer: `<id> blob <size>\n<contents>\n` each, in the order in which they were asked for. */
export function contentsIn(blobs: readonly Blob[], answer: Buffer): readonly Buffer[] {
  let at = 0;
  return blobs.map(({ size }) => {
    const start = answer.indexOf(10, at) + 1;
    at = start + size + 1;
    return answer.subarray(start, start + size);
  });
}
