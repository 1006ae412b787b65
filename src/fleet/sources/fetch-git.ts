import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCommit, type SourceName } from '../../language/policy/sources/source-name.ts';
import { type Fetch, type FetchOptions, SourceError } from './fetched.ts';
import { createKeptFiles } from './kept-files.ts';
import { runFetcher } from './run-fetcher.ts';

const MAX_PACK_BYTES = 512 * 1024 * 1024;
/** The fetched commit is kept under this name. */
const FETCHED = 'refs/policy/fetched';
/** Variables by which git would take another repository than the given one. */
const OF_A_REPOSITORY = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
];
/** No transport but those that can be written, none of the user's hooks, nothing in the background. */
const SETTINGS = [
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'core.hooksPath=/dev/null',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** Fetches one revision of a git repository through the system's git, with the user's configuration and keys. */
export const fetchGit: Fetch = async (name, pinned, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-git-'));
  try {
    const git = gitIn(folder, name, options);
    await git(['init', '--quiet', '--bare', folder]);
    const { ref, commit } = await resolveRevision(name, git);
    if (pinned !== undefined && pinned !== commit && ref?.startsWith('refs/tags/') === true)
      throw new SourceError(
        `tag ${name.revision} has moved: it was ${pinned} when it was locked and is ${commit} now. If that is intended, run policy lock --update`,
      );
    const wanted = pinned ?? commit;
    const from = wanted === commit && ref !== undefined ? ref : wanted;
    await git([
      'fetch',
      '--quiet',
      '--depth=1',
      '--no-tags',
      '--no-recurse-submodules',
      name.location,
      `${from}:${FETCHED}`,
    ]);
    const fetched = await commitOf(FETCHED, git);
    if (fetched !== wanted)
      throw new SourceError(`its server calls it ${wanted} and sends ${fetched}; try again`);
    return { revision: wanted, files: await filesOf(fetched, git) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

type Git = (args: readonly string[], stdin?: string) => Promise<Buffer>;

function gitIn(folder: string, { location }: SourceName, { env, timeoutMs }: FetchOptions): Git {
  const own = Object.fromEntries(Object.entries(env).filter(([key]) => !OF_A_REPOSITORY.includes(key)));
  const settings = location.startsWith('file:')
    ? [...SETTINGS, '-c', 'protocol.file.allow=always']
    : SETTINGS;
  const endMs = performance.now() + timeoutMs;
  return (args, stdin) =>
    runFetcher(['git', ...settings, `--git-dir=${folder}`, ...args], {
      cwd: folder,
      env: {
        ...own,
        // Nobody is there to type a password: it runs without a terminal, and no window may open either.
        GIT_TERMINAL_PROMPT: '0',
        SSH_ASKPASS_REQUIRE: 'never',
        LC_ALL: 'C',
      },
      timeoutMs: Math.max(1, endMs - performance.now()),
      mustStop: () =>
        folderBytes(join(folder, 'objects')) > MAX_PACK_BYTES
          ? 'its server sends more than 512 MiB'
          : undefined,
      ...(stdin === undefined ? {} : { stdin }),
    });
}

interface Resolved {
  readonly ref: string | undefined;
  readonly commit: string;
}

/** Finds the commit of a tag, branch or commit now. A tag goes before a branch of the same name, as in git. */
async function resolveRevision({ location, revision }: SourceName, git: Git): Promise<Resolved> {
  if (revision !== undefined && isCommit(revision)) return { ref: undefined, commit: revision };
  const names = revision === undefined ? ['HEAD'] : [`refs/tags/${revision}`, `refs/heads/${revision}`];
  const wanted = names.flatMap((name) => [`${name}^{}`, name]);
  const listed = (await git(['ls-remote', '--quiet', location, ...wanted])).toString();
  const refs = new Map(listed.split('\n').map((line) => line.split('\t').toReversed() as [string, string]));
  for (const ref of wanted) {
    const commit = refs.get(ref);
    if (commit !== undefined && isCommit(commit)) return { ref: ref.replace('^{}', ''), commit };
  }
  throw new SourceError(`it has no tag and no branch ${revision ?? 'HEAD'}`);
}

async function commitOf(ref: string, git: Git): Promise<string> {
  return (await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).toString().trim();
}

async function filesOf(commit: string, git: Git): Promise<ReadonlyMap<string, Uint8Array>> {
  const kept = createKeptFiles();
  const blobs = blobsIn((await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])).toString()).filter(
    ({ path, size, isLink }) => kept.wants(path, isLink ? 'symlink' : 'file', size),
  );
  const contents = contentsIn(blobs, await git(['cat-file', '--batch'], batchOf(blobs)));
  for (const [index, { path }] of blobs.entries()) kept.take(path, contents[index] ?? new Uint8Array());
  return kept.files;
}

/** How many bytes the files below a folder have. They may come and go meanwhile. */
function folderBytes(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
      .reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0);
  } catch {
    return 0;
  }
}

/** A file or link of a git tree. */
export interface Blob {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  readonly path: string;
  readonly isLink: boolean;
}

/** The files and links in the output of `git ls-tree -r -l -z`, `<mode> blob <id> <size>\t<path>` each. */
export function blobsIn(listing: string): readonly Blob[] {
  return listing.split('\0').flatMap((line) => {
    const [, mode, id, size, path] = /^(\d{6}) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    return id === undefined || path === undefined
      ? []
      : [{ id, size: Number(size), path, isLink: mode === '120000' }];
  });
}

/** The request to `git cat-file --batch`. */
export function batchOf(blobs: readonly Blob[]): string {
  return blobs.map(({ id }) => `${id}\n`).join('');
}

/** The contents in its answer: `<id> blob <size>\n<contents>\n` each, in the order in which they were asked for. */
export function contentsIn(blobs: readonly Blob[], answer: Buffer): readonly Buffer[] {
  let at = 0;
  return blobs.map(({ size }) => {
    const start = answer.indexOf(10, at) + 1;
    at = start + size + 1;
    return answer.subarray(start, start + size);
  });
}
