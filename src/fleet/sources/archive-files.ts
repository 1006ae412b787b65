import { archiveEntries } from '../bundle/archive.ts';
import { createKeptFiles } from './kept-files.ts';

/**
 * The files of a gzipped tar that are kept.
 *
 * @throws BundleError or SourceError if it is none, or has what no honest source has
 */
export async function archiveFiles(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const kept = createKeptFiles();
  for await (const { path, type, content } of archiveEntries(bytes)) {
    // As `tar -czf x.tar.gz .` writes it.
    const usual = path.replace(/^\.\//, '');
    if (kept.wants(usual, type, content.length) && usual !== '') kept.take(usual, content);
  }
  return kept.files;
}
