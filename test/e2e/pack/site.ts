import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package registry and a place for downloads on this machine, with the files of a folder. */
export interface Site {
  readonly url: string;
  /** Where a release's files are downloaded from. */
  readonly repository: string;
  readonly stop: () => Promise<void>;
}

/**
 * Serves what is in a folder: packed packages to npm, and all files as those of a release. The folder may change meanwhile.
 */
export function serveSite(folder: string): Site {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url, headers }): Response {
      const path = decodeURIComponent(new URL(url).pathname).slice(1);
      const [, file] = /^(?:files|house\/policy\/releases\/download\/v[\d.]+)\/([^/]+)$/.exec(path) ?? [];
      const body =
        file === undefined ? packument(path, folder, `http://${headers.get('host')}`) : fileIn(folder, file);
      return body ?? new Response('{}', { status: 404 });
    },
  });
  const url = server.url.origin;
  return { url, repository: `${url}/house/policy`, stop: () => server.stop(true) };
}

function fileIn(folder: string, name: string): Response | undefined {
  return readdirSync(folder).includes(name) ? new Response(Bun.file(join(folder, name))) : undefined;
}

/** What npm asks of a registry about a package: its versions. */
function packument(name: string, folder: string, origin: string): Response | undefined {
  const packed = readdirSync(folder)
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => ({ file, ...readPacked(join(folder, file)) }))
    .filter(({ manifest }) => manifest.name === name);
  const newest = packed
    .map(({ manifest }) => manifest.version)
    .sort(Bun.semver.order)
    .at(-1);
  if (newest === undefined) return undefined;
  const versions = packed.map(({ file, manifest, integrity }) => [
    manifest.version,
    { ...manifest, dist: { tarball: `${origin}/files/${file}`, integrity } },
  ]);
  return Response.json({ name, 'dist-tags': { latest: newest }, versions: Object.fromEntries(versions) });
}

export interface Packed {
  readonly manifest: { readonly name: string; readonly version: string } & Readonly<Record<string, unknown>>;
  readonly integrity: string;
}

const read = new Map<string, Packed>();

/** The manifest and the digest of a packed package, which is read once. */
export function readPacked(path: string): Packed {
  const known = read.get(path);
  if (known !== undefined) return known;
  const { stdout } = Bun.spawnSync(['tar', '-xzOf', path, 'package/package.json']);
  const sha512 = createHash('sha512').update(readFileSync(path)).digest('base64');
  const packed: Packed = { manifest: JSON.parse(stdout.toString()), integrity: `sha512-${sha512}` };
  read.set(path, packed);
  return packed;
}
