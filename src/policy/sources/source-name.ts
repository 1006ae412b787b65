/** Where policies can be fetched from. */
export type SourceKind = 'git';

/** An entry of `extends` that is not on this machine, such as `git+https://example.com/acme/policies#v1.2.0:shell`. */
export interface SourceName {
  readonly kind: SourceKind;
  /** The entry without the path: what the lock pins. */
  readonly source: string;
  /** Where it is fetched from: a URL, a package with its range, an image with its tag or digest. */
  readonly location: string;
  /** In git the tag, branch or commit; undefined for the default branch, and elsewhere. */
  readonly revision: string | undefined;
  /** A file, folder or glob in it; empty for all of it. */
  readonly path: string;
}

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|npm:)/;
/** How the locations of each kind look. */
const LOCATIONS: readonly (readonly [SourceKind, RegExp])[] = [['git', /^git\+(?:https|ssh|file):\/\/./]];
/** What git takes for a name and no command line for an option. */
const REVISION = /^[A-Za-z0-9_](?:[\w./+-]*[\w+-])?$/;

/** True for an entry of `extends` that names a source, well or badly. */
export function isSourceName(name: string): boolean {
  return SCHEME.test(name);
}

/** Reads the name of a source, or says what is wrong with it. */
export function parseSourceName(name: string): SourceName | { readonly cause: string } {
  const hash = name.indexOf('#');
  const location = hash === -1 ? name : name.slice(0, hash);
  const fragment = hash === -1 ? '' : name.slice(hash + 1);
  const kind = kindOf(location);
  if (kind === undefined) return { cause: UNKNOWN };
  if (/^[^:]*:\/\/[^/]*@/.test(location) && !location.startsWith('git+ssh:'))
    return { cause: 'it has a name or password in it; keep those in the configuration of git' };
  if (/[\s\\]|[^\x20-\x7e]/.test(name)) return { cause: 'it has characters that no URL has' };
  const colon = fragment.indexOf(':');
  const revision = colon === -1 ? fragment : fragment.slice(0, colon);
  if (revision !== '' && (!REVISION.test(revision) || /\.\.|\/\/|\.lock(?:\/|$)/.test(revision)))
    return { cause: `"${revision}" is no tag, branch or commit` };
  return withPath(
    {
      kind,
      source: revision === '' ? location : `${location}#${revision}`,
      location: location.slice('git+'.length),
      revision: revision === '' ? undefined : revision,
    },
    colon === -1 ? '' : fragment.slice(colon + 1),
  );
}

/** How a file of a source is named: as `extends` would. */
export function fileInSource({ source, revision }: SourceName, path: string): string {
  return revision === undefined ? `${source}#:${path}` : `${source}:${path}`;
}

const UNKNOWN = 'sources are git+https://, git+ssh:// and git+file://';

function kindOf(location: string): SourceKind | undefined {
  return LOCATIONS.find(([, pattern]) => pattern.test(location))?.[0];
}

function withPath(name: Omit<SourceName, 'path'>, path: string): SourceName | { readonly cause: string } {
  const trimmed = path.replace(/^\.\/|\/$/g, '');
  return trimmed.startsWith('/') || trimmed.split('/').includes('..')
    ? { cause: `"${path}" leads out of the source` }
    : { ...name, path: trimmed };
}
