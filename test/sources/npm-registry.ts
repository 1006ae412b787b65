import { createHash } from 'node:crypto';
import { archiveOf, type Entry } from '../bundle/make-bundle.ts';

/** A package as its registry has it. */
export interface Published {
  readonly name: string;
  readonly version: string;
  readonly archive: Uint8Array;
  /** What the registry says of the archive, if that is not true. */
  readonly integrity?: string;
}

/** The archive of a package as npm makes it. */
export function packageOf(
  name: string,
  version: string,
  files: Readonly<Record<string, string>>,
  more: readonly Entry[] = [],
): Promise<Uint8Array> {
  const texts = { 'package.json': JSON.stringify({ name, version }), ...files };
  const entries = Object.entries(texts).map(([path, content]) => ({ name: `package/${path}`, content }));
  return archiveOf([...entries, ...more]);
}

/** What a registry with these packages answers; the last of each is its latest. */
export function registryOf(published: readonly Published[]): (request: Request) => Response {
  return (request) => {
    const { origin, pathname } = new URL(request.url);
    const path = decodeURIComponent(pathname).slice(1);
    const archive = published.find(({ name, version }) => path === `${name}/-/${version}.tgz`)?.archive;
    if (archive !== undefined) return new Response(archive);
    const versions = published.filter(({ name }) => name === path);
    const latest = versions.at(-1)?.version;
    if (latest === undefined) return Response.json({ error: 'Not found' }, { status: 404 });
    return Response.json({
      name: path,
      'dist-tags': { latest, next: versions[0]?.version },
      versions: Object.fromEntries(versions.map((each) => [each.version, manifestOf(each, origin)])),
    });
  };
}

function manifestOf({ name, version, archive, integrity }: Published, origin: string) {
  const honest = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const dist = { tarball: `${origin}/${name}/-/${version}.tgz`, integrity: integrity ?? honest };
  return { name, version, dist };
}
