import { join, resolve } from 'node:path';
import { kindOf, realDirectory, repositoryRoots } from '../language/policy/files/folders.ts';
import { readDataFile } from '../language/policy/files/read-file.ts';
import type { Repository } from '../model/surroundings.ts';
import { readRemotePath, readUrl } from '../reader/reading/url.ts';
import { knownText, textWord } from '../reader/reading/word.ts';

/** Git finds a remote by these, whether its address can be read here or is in another file. */
const MAY_HAVE_REMOTES = /\[(?:remote\s*[".]|include)/i;

/** The repository of a directory, read from its files; undefined if unknown, null if there is none. */
export function repositoryAt(directory: string): Repository | null | undefined {
  const [root] = repositoryRoots(realDirectory(directory));
  if (root === undefined) return null;
  const gitFolder = gitFolderOf(root);
  const config = gitFolder === undefined ? undefined : configOf(gitFolder);
  if (gitFolder === undefined || config === undefined) return undefined;
  const branch = branchOf(gitFolder);
  const remotes = remotesIn(config);
  const url = remotes.get('origin') ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined);
  if (url === undefined) return { root, branch, name: MAY_HAVE_REMOTES.test(config) ? undefined : null };
  return { root, branch, name: nameOf(url) };
}

/** Of a worktree or submodule `.git` is a file that says where its folder is. */
function gitFolderOf(root: string): string | undefined {
  const path = join(root, '.git');
  if (kindOf(path) === 'folder') return path;
  const said = /^gitdir: (.+)$/m.exec(textAt(path) ?? '')?.[1];
  return said === undefined ? undefined : resolve(root, said.trim());
}

/** The worktrees of a repository share the configuration of its own folder. */
function configOf(gitFolder: string): string | undefined {
  const common = textAt(join(gitFolder, 'commondir'));
  return textAt(join(common === undefined ? gitFolder : resolve(gitFolder, common.trim()), 'config'));
}

/** Each worktree has a `HEAD` of its own: `ref: refs/heads/NAME`, or a commit. */
function branchOf(gitFolder: string): string | null | undefined {
  const head = textAt(join(gitFolder, 'HEAD'));
  return head === undefined ? undefined : (/^ref:\s*refs\/heads\/(.+)$/m.exec(head)?.[1]?.trimEnd() ?? null);
}

function textAt(path: string): string | undefined {
  const read = readDataFile(path, undefined);
  return read.ok ? read.text : undefined;
}

/** Addresses by the names of remotes; the first of several. */
function remotesIn(config: string): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split('\n')) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) remote = /^remote\s+"(.+)"$/i.exec(section)?.[1];
    const value = /^\s*url\s*=(.*)$/is.exec(line)?.[1]?.trimStart();
    const url = value && /^"?([^"#;]*)/.exec(value)?.[1]?.trimEnd();
    if (remote !== undefined && url !== undefined && url !== '' && !remotes.has(remote))
      remotes.set(remote, url);
  }
  return remotes;
}

/** Other names by which git reaches the forges that have them. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['ssh.github.com', 'github.com'],
  ['www.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
]);

/** `host/owner/name` in lower case, since forges take any; undefined for a folder of this machine. */
function nameOf(address: string): string | undefined {
  const written = textWord(address);
  const url = readRemotePath(written) ?? (address.includes('://') ? readUrl(written) : undefined);
  const host = knownText(url?.host ?? []);
  if (url === undefined || host === undefined || host === '') return undefined;
  const path = (knownText(url.path) ?? '').replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.git$/, '');
  return path === '' ? undefined : `${OTHER_NAMES.get(host) ?? host}/${path}`.toLowerCase();
}
