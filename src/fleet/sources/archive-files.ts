import { archiveEntries } from '../bundle/archive.ts';
import { createKeptFiles } from './kept-files.ts';

/**
 * The files of a gzipped tar that are kept.
 *
 * @param skipped how many folders at the beginning of each path are left out, with what lies beside them
 * @throws BundleError or SourceError if it is none, or has what no honest source has
 */
export async function archiveFiles(
  bytes: Uint8Array,
  skipped: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const kept = createKeptFiles();
  for await (const { path, type, content } of archiveEntries(bytes)) {
    // As `tar -czf x.tar.gz .` writes it.
    const usual = path.replace(/^\.\//, '');
    if (!kept.wants(usual, type, content.length)) continue;
    const name = usual.split('/').slice(skipped).join('/');
    if (name !== '') kept.take(name, content);
  }
  return kept.files;
}
