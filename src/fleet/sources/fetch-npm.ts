import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, ownObject, ownString, parseJson } from '../../lib/json.ts';
import { archiveFiles } from './archive-files.ts';
import type { Fetch, FetchOptions } from './fetched.ts';
import { folderBytes } from './folder-bytes.ts';
import { runFetcher } from './run-fetcher.ts';
import { SourceError } from './source-error.ts';

const MAX_BYTES = 128 * 1024 * 1024;
/** The folder in which npm puts the files of every package. */
const PACKAGE_FOLDERS = 1;

/**
 * Fetches a package through the system's npm, with the user's registries, keys and proxies. The project's `.npmrc` does not
 * count: it could put variables of the environment into the registry's address. npm holds the archive against the
 * integrity that the registry has for it. No script of the package is run.
 */
export const fetchNpm: Fetch = async ({ location, revision }, pinned, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-npm-'));
  try {
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    // npm looks for its project from here on upwards, and here it is.
    writeFileSync(join(folder, 'package.json'), '{}');
    const version = await pack(`${location}@${pinned ?? revision ?? 'latest'}`, packed, folder, options);
    const [archive] = readdirSync(packed);
    if (archive === undefined) throw new SourceError('npm has packed nothing');
    return {
      revision: version,
      files: await archiveFiles(readFileSync(join(packed, archive)), PACKAGE_FOLDERS),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Has npm put the archive of a package into a folder; returns its version. */
async function pack(
  spec: string,
  to: string,
  folder: string,
  { env, timeoutMs }: FetchOptions,
): Promise<string> {
  const output = await runFetcher(
    [
      'npm',
      'pack',
      '--json',
      '--dry-run=false',
      '--ignore-scripts',
      '--loglevel=error',
      '--no-update-notifier',
      '--fetch-retries=0',
      // Bounded, and newer than what the user's own remembers.
      `--cache=${join(folder, 'cache')}`,
      `--pack-destination=${to}`,
      '--',
      spec,
    ],
    {
      cwd: folder,
      env,
      timeoutMs,
      mustStop: () => (folderBytes(folder) > MAX_BYTES ? 'its registry sends more than 128 MiB' : undefined),
      failure: errorIn,
    },
  );
  const [packed = null] = Object.values(parseJson(output.toString()) ?? {});
  const version = isJsonObject(packed) ? ownString(packed, 'version') : undefined;
  if (version === undefined) throw new SourceError('npm does not say which version it has packed');
  return version;
}

/** What npm prints where it fails: `{"error": {"code": "E404", "summary": "Not Found - …", "detail": "…"}}`. */
function errorIn(output: string): string | undefined {
  const value = parseJson(output);
  const error = value !== undefined && isJsonObject(value) ? ownObject(value, 'error') : undefined;
  return error === undefined ? undefined : ownString(error, 'summary');
}
