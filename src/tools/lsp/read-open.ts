import {
  MAX_FILE_BYTES,
  type ReadFile,
  readRealFile,
  TOO_LARGE,
} from '../../language/policy/files/read-file.ts';

/**
 * Reads files as they are in an editor, the others from the disk. The bounds are the same for both.
 *
 * @param open the texts of the editor by their paths without links
 */
export function readOpen(open: ReadonlyMap<string, string>): ReadFile {
  return (path, mayRead = () => true) => {
    const text = open.get(path);
    if (text === undefined) return readRealFile(path, mayRead);
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_FILE_BYTES) return { ok: false, cause: TOO_LARGE };
    return mayRead(bytes) ? { ok: true, path, text } : { ok: false, cause: 'it must not be read' };
  };
}
