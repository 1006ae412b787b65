/** How a subcommand of git talks to another repository. */
export interface GitRemote {
  readonly use: 'download' | 'upload';
  /** Index of the operand that names the repository; undefined if none does. */
  readonly at?: number;
  /** How it must be named: by a URL or path, or in any way. If it need not be, the one that is set up is meant. */
  readonly named?: 'place' | 'any';
}

/** Subcommands of git that talk to another repository, with the word behind them where that decides. */
export const GIT_REMOTES: Readonly<Record<string, GitRemote>> = {
  clone: { use: 'download', at: 1, named: 'place' },
  fetch: { use: 'download', at: 1 },
  pull: { use: 'download', at: 1 },
  'ls-remote': { use: 'download', at: 1 },
  push: { use: 'upload', at: 1 },
  'send-email': { use: 'upload' },
  'remote update': { use: 'download' },
  'remote show': { use: 'download', at: 2, named: 'any' },
  'remote prune': { use: 'download', at: 2, named: 'any' },
  'submodule add': { use: 'download', at: 2 },
  'submodule update': { use: 'download' },
  'subtree add': { use: 'download', at: 2 },
  'subtree pull': { use: 'download', at: 2 },
  'subtree push': { use: 'upload', at: 2 },
  'lfs fetch': { use: 'download', at: 2 },
  'lfs pull': { use: 'download', at: 2 },
  'lfs push': { use: 'upload', at: 2 },
  'svn clone': { use: 'download', at: 2, named: 'place' },
  'svn fetch': { use: 'download' },
  'svn rebase': { use: 'download' },
  'svn dcommit': { use: 'upload' },
};

/** Settings whose value is where git goes instead, or by way of. */
export const GIT_PLACE_KEYS = /^(?:http\.(?:.*\.)?proxy|remote\..*\.(?:push)?url)$/;
/** Settings with such a place in their key. */
export const GIT_PLACE_IN_KEY = /^url\.(.*)\.(?:push)?insteadof$/;
