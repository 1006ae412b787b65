import { sha256Of } from './digest.ts';

/**
 * The SHA-256 of a tree of files, as 64 hex digits: that of the lines `sha256sum` prints for them, in the order of their
 * names' bytes. `find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum` says the same.
 *
 * @param files by their path in the tree, with `/` and without line breaks
 */
export function treeDigest(files: ReadonlyMap<string, Uint8Array>): string {
  const names = [...files.keys()].map((name) => ({ name, bytes: Buffer.from(name) }));
  const lines = names
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ name }) => `${sha256Of(files.get(name) ?? new Uint8Array())}  ${name}\n`);
  return sha256Of(lines.join(''));
}
