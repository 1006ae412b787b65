import { parseOciName } from '../../../lib/oci-name.ts';

/** The kinds of places that policies can be fetched from. */
export type SourceKind = 'git' | 'https' | 'oci';

/** An entry of `extends` that is not on this machine, such as `git+https://example.com/acme/policies#v1.2.0:shell`. */
export interface SourceName {
  readonly kind: SourceKind;
  /** The entry without the path: the lock pins this. */
  readonly source: string;
  /** The URL that it is fetched from. */
  readonly location: string;
  /** The tag, branch or commit of git, or the digest of a registry; undefined if the name has none. */
  readonly revision: string | undefined;
  /** A file, folder or glob in it; empty for all of it. */
  readonly path: string;
}

type Read = Omit<SourceName, 'kind'> | { readonly cause: string };

/** How the sources of one kind are named. */
interface Naming {
  readonly begin: RegExp;
  readonly read: (name: string) => Read;
  /** The separator between the name of a source and the path in it. */
  readonly separator: (name: SourceName) => string;
  /** Its server's name for one state of it, as the lock has it. */
  readonly pinned: RegExp;
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const NAMINGS: Readonly<Record<SourceKind, Naming>> = {
  git: {
    begin: /^git\+(?:https|ssh|file):\/\/./,
    read: readGit,
    separator: ({ revision }) => (revision === undefined ? '#:' : ':'),
    pinned: COMMIT,
  },
  https: {
    begin: /^(?:https:\/\/.|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])/,
    read: readHttps,
    separator: () => '#',
    pinned: DIGEST,
  },
  oci: { begin: /^oci:\/\//, read: readOci, separator: () => '#', pinned: DIGEST },
};
const KINDS = Object.keys(NAMINGS) as readonly SourceKind[];

/** People will try `npm:`, too. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|npm:)/;
/** A revision that git takes for a name and no command line for an option. */
const REVISION = /^[A-Za-z0-9_](?:[\w./+-]*[\w+-])?$/;

/** True for an entry of `extends` that names a source, well or badly. */
export function isSourceName(name: string): boolean {
  return SCHEME.test(name);
}

export function parseSourceName(name: string): SourceName | { readonly cause: string } {
  const kind = KINDS.find((each) => NAMINGS[each].begin.test(name));
  if (kind === undefined)
    return {
      cause:
        'sources are git+https://, git+ssh://, git+file://, https:// for archives, and oci://; name a package that is installed by its folder in node_modules',
    };
  if (/^[^:]*:\/\/[^/#]*@/.test(name) && !name.startsWith('git+ssh:'))
    return { cause: 'it has a name or password in it, and whoever reads the policies would read that' };
  if (/[\s\\]|[^\x20-\x7e]/.test(name)) return { cause: 'it has characters that no URL has' };
  const read = NAMINGS[kind].read(name);
  if ('cause' in read) return read;
  const path = read.path.replace(/^\.\/|\/$/g, '');
  return path.startsWith('/') || path.split('/').includes('..')
    ? { cause: `"${read.path}" leads out of the source` }
    : { ...read, kind, path };
}

/** The part that all versions of a source share: the repository, the archive's URL. */
export function withoutRevision({ kind, location }: SourceName): string {
  const artifact = kind === 'oci' ? parseOciName(location) : undefined;
  return `${kind} ${artifact === undefined ? location : `${artifact.host}/${artifact.repository}`}`;
}

/** True for the name of one commit of a git repository. */
export function isCommit(revision: string): boolean {
  return COMMIT.test(revision);
}

/**
 * True for a revision that a lock may pin: of the right form, and not another than the name says. Programs get it as an
 * argument.
 */
export function canBePinned({ kind, revision }: SourceName, pinned: string): boolean {
  const form = NAMINGS[kind].pinned;
  return form.test(pinned) && (revision === undefined || !form.test(revision) || revision === pinned);
}

/** How a file of a source is named: as `extends` would. */
export function fileInSource(name: SourceName, path: string): string {
  return name.source + NAMINGS[name.kind].separator(name) + path;
}

function readGit(name: string): Read {
  const [location, fragment] = splitAt(name, '#');
  const [revision, path] = splitAt(fragment, ':');
  if (revision !== '' && (!REVISION.test(revision) || /\.\.|\/\/|\.lock(?:\/|$)/.test(revision)))
    return { cause: `"${revision}" is no tag, branch or commit` };
  return {
    source: revision === '' ? location : `${location}#${revision}`,
    location: location.slice('git+'.length),
    revision: revision === '' ? undefined : revision,
    path,
  };
}

function readHttps(name: string): Read {
  const [location, path] = splitAt(name, '#');
  return /^[^?]*\.(?:tar\.gz|tgz)(?:\?|$)/.test(location)
    ? { source: location, location, revision: undefined, path }
    : { cause: 'it is not an archive: *.tar.gz or *.tgz. A git repository begins with git+https://' };
}

function readOci(name: string): Read {
  const [location, path] = splitAt(name, '#');
  const artifact = parseOciName(location);
  return artifact === undefined
    ? { cause: 'bundles in registries are named as oci://HOST/REPOSITORY:TAG#PATH' }
    : { source: location, location, revision: artifact.digest, path };
}

/** The text before the first separator, and the text behind it. */
function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
