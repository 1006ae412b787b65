import { fetchSource } from '../../../fleet/sources/fetch-source.ts';
import type { FetchOptions } from '../../../fleet/sources/fetched.ts';
import { changeLockFile, readLockFile } from '../../../fleet/sources/lock-file.ts';
import { SourceError } from '../../../fleet/sources/source-error.ts';
import { createSourceStore, type FileStore } from '../../../hook/state/source-store.ts';
import { displayPath } from '../../../language/policy/source.ts';
import type { LockedSource } from '../../../language/policy/sources/lock.ts';
import type { SourceName } from '../../../language/policy/sources/source-name.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { type SourceState, sourcesJson, sourcesText } from '../../report/locked-sources.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { paintFor, printJson } from '../print.ts';
import { fetchOptions, TIMEOUT_OPTION } from '../sources/fetch-options.ts';
import { type LockedFolder, lockedFolders, printErrors } from '../sources/locked-folders.ts';

export const lock = {
  operands: '[PATH]...',
  options: [
    { name: 'check', summary: 'Fetch and write nothing; exit with 1 if a lock is incomplete' },
    TIMEOUT_OPTION,
    { name: 'json', summary: 'Print JSON' },
  ],
  details: [
    'Fetches the sources that policies extend, such as git+https://example.com/acme/policies#v1.2.0, and records the\nrevision and digest of their files in policy.lock. From then on the hook uses exactly these files, and fetches\nnothing itself.',
    'Locked sources do not change. If their files are not on this machine, as after a clone, this command fetches them\nand insists on the same content. policy update moves to newer ones.',
    'PATH is a file or folder of policies; the default is all policies in force here.',
  ],
  example: [
    '$ policy lock',
    'locked  git+https://git.example.com/acme/policies#v1.2.0  8f0c2d1e77aa',
    'Wrote .policy/policy.lock',
  ],
  async run(args, io) {
    const { folders, errors, compiled } = lockedFolders(args.operands, io);
    printErrors(errors, compiled, io);
    const states: SourceState[] = [];
    const written: string[] = [];
    for (const folder of folders) {
      const file = displayPath(folder.lock, io.cwd);
      const store = createSourceStore(io.env);
      const options = fetchOptions(args, io);
      const work: Work = { folder, file, store, options, isCheck: args.switches.has('check') };
      const { changes, ...result } = await lockFolder(work);
      states.push(...result.states);
      if (changes.size === 0 || work.isCheck) continue;
      await changeLockFile(folder.lock, changes);
      written.push(file);
    }
    if (args.switches.has('json')) printJson(io.stdout, sourcesJson(states));
    else {
      io.stdout.write(
        states.length === 0
          ? 'Nothing to lock: no policy here extends a source\n'
          : sourcesText(states, paintFor(io.stdout, io.env)),
      );
      io.stdout.write(written.map((file) => `Wrote ${file}\n`).join(''));
    }
    for (const { cause } of states) if (cause !== undefined) io.stderr.write(`${cause}\n`);
    if (errors.length > 0 || states.some(({ state }) => state === 'failed')) return EXIT_CODE.invalidPolicy;
    const isComplete = states.every(({ state }) => state === 'kept' || state === 'fetched');
    return args.switches.has('check') && !isComplete ? EXIT_CODE.findings : EXIT_CODE.ok;
  },
} satisfies Command;

interface Work {
  readonly folder: LockedFolder;
  /** The lock as people name it. */
  readonly file: string;
  readonly store: FileStore;
  readonly options: FetchOptions;
  readonly isCheck: boolean;
}

async function lockFolder(work: Work): Promise<{
  readonly states: readonly SourceState[];
  readonly changes: Map<string, LockedSource | undefined>;
}> {
  const { folder, file } = work;
  const lock = readLockFile(folder.lock);
  const changes = new Map<string, LockedSource | undefined>();
  const states: SourceState[] = [];
  for (const name of folder.sources) {
    const before = lock.get(name.source);
    try {
      const { entry, state } = await lockSource(name, before, work);
      if (before === undefined) changes.set(name.source, entry);
      states.push({ lock: file, source: name.source, state, revision: entry?.revision });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      states.push({ lock: file, source: name.source, state: 'failed', cause: messageOf(error) });
    }
  }
  const used = new Set(folder.sources.map(({ source }) => source));
  for (const [source, { revision }] of folder.isWhole ? lock : []) {
    if (used.has(source)) continue;
    changes.set(source, undefined);
    states.push({ lock: file, source, state: 'dropped', revision });
  }
  return { states, changes };
}

interface LockResult {
  readonly entry: LockedSource | undefined;
  readonly state: SourceState['state'];
}

/** @throws SourceError if the source cannot be had, or is not what was locked */
async function lockSource(
  name: SourceName,
  before: LockedSource | undefined,
  { store, options, isCheck }: Work,
): Promise<LockResult> {
  if (isCheck) return { entry: before, state: before === undefined ? 'unlocked' : 'kept' };
  if (before !== undefined && typeof store.open(before.digest) === 'object')
    return { entry: before, state: 'kept' };
  const { revision, files } = await fetchSource(name, before?.revision, options);
  if (before === undefined) return { entry: { revision, digest: store.keep(files) }, state: 'locked' };
  const digest = store.digestOf(files);
  if (digest !== before.digest)
    throw new SourceError(
      `Cannot use "${name.source}": its files at ${revision} are not those that were locked (${digest} in the place of ${before.digest}). If that is meant, run policy update`,
    );
  store.keep(files);
  return { entry: before, state: 'fetched' };
}
