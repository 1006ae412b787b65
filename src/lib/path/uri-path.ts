import { decodePercent } from './url-path.ts';

const URI = /^([a-z][a-z0-9+.-]+):(?:\/\/([^/?#]*))?([^?#]*)/i;

/** Schemes of what lies in a folder, on this machine or where the editor runs. */
const OF_FILES = /^(?:file|vscode-.+)$/i;

/**
 * The paths that a URI of a file may lead to, percent signs decoded: with and without the host before it, which a system
 * without network names takes for a folder. Empty for a text that is no URI, or that of another place.
 */
export function uriPaths(text: string): readonly string[] {
  const [, scheme, host = '', path = ''] = URI.exec(text) ?? [];
  if (scheme === undefined || !OF_FILES.test(scheme)) return [];
  const rooted = decodePercent(path.startsWith('/') ? path : `/${path}`);
  return host === '' ? [rooted] : [rooted, `/${decodePercent(host)}${rooted}`];
}
