import { fetchSource } from '../../../fleet/sources/fetch-source.ts';
import { type FetchOptions, SourceError } from '../../../fleet/sources/fetched.ts';
import { changeLockFile, readLockFile } from '../../../fleet/sources/lock-file.ts';
import { createSourceStore, type FileStore } from '../../../hook/state/source-store.ts';
import { displayPath } from '../../../language/policy/files/folders.ts';
import type { LockedSource } from '../../../language/policy/sources/lock.ts';
import type { SourceName } from '../../../language/policy/sources/source-name.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { type SourceState, sourcesJson, sourcesText } from '../../report/locked-sources.ts';
import type { Command } from '../command.ts';
import { COMPARISON_OPTIONS } from '../diff/known-calls.ts';
import { EXIT_CODE, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { paintFor, printDiagnostics, printJson } from '../print.ts';
import { fetchOptions, TIMEOUT_OPTION } from '../sources/fetch-options.ts';
import { type LockedFolder, lockedFolders } from '../sources/locked-folders.ts';

export const lock = {
  operands: '[PATH]...',
  options: [
    ...optionsOf({
      '--update[=SOURCE]...':
        'Move to newer sources, after showing what they change; without SOURCE, all of them',
      '-y, --yes': '--update: do not ask; for scripts',
      '--check': 'Write nothing; exit with 1 if a lock is incomplete or, with --update, not the newest',
    }),
    TIMEOUT_OPTION,
    ...COMPARISON_OPTIONS.map((option) => ({ ...option, summary: `--update: ${lowered(option.summary)}` })),
    ...optionsOf({ '--json': 'Print JSON; --update then neither asks nor writes without --yes' }),
  ],
  details: [
    'Fetches the sources that policies extend, such as git+https://example.com/acme/policies#v1.2.0, and records the\nrevision and digest of their files in policy.lock. From then on the hook uses exactly these files, and fetches\nnothing itself.',
    'Locked sources do not change. If their files are not on this machine, as after a clone, this command fetches them\nand insists on the same content.',
    '--update fetches the current sources: the branch, or the tag if it has moved or "extends" names another one. Then it\nshows which calls would be decided differently, using the tests and examples of both versions, and every policy, mode,\nexception and setting that changes, asks, and writes policy.lock. Until then, and if anything fails, the locked\nversions stay in force. SOURCE is an entry of "extends" without the path, or its beginning.',
    'PATH is a file or folder of policies; the default is all policies in force here.',
  ],
  example: [
    '$ policy lock',
    'locked  git+https://git.example.com/acme/policies#v1.2.0  8f0c2d1e77aa',
    'Wrote .policy/policy.lock',
    '$ policy lock --update',
    'updated  git+https://git.example.com/acme/policies#stable  8f0c2d1e77aa → 41bbe0d3c2f1',
    '',
    'tightened  shell/no-curl  2 calls',
    '  continue → deny  shell curl https://example.com  .policy/own.test.yaml:7',
    '',
    '2 tightened of 48 calls',
    '',
    'changed  policy shell/no-curl  mode monitor → enforce',
    'Take it? [y/N] y',
    'Wrote .policy/policy.lock',
  ],
  async run(args, io) {
    if (args.switches.has('update') || args.values.has('update'))
      return (await import('../sources/update.ts')).updateSources(args, io);
    const unused = ['yes', 'calls', 'since', 'verbose'].find(
      (name) => args.switches.has(name) || args.values.has(name),
    );
    if (unused !== undefined) throw new UsageError(`Cannot use --${unused} without --update`);
    const { folders, errors, compiled } = lockedFolders(args.operands, io);
    printDiagnostics(errors, (file) => compiled.texts.get(file), io);
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
    if (states.some(({ state }) => state === 'locked' || state === 'fetched')) {
      const now = lockedFolders(args.operands, io);
      printDiagnostics(now.errors, (file) => now.compiled.texts.get(file), io);
      if (now.errors.length > 0) return EXIT_CODE.invalidPolicy;
    }
    const isComplete = states.every(({ state }) => state === 'kept' || state === 'fetched');
    return args.switches.has('check') && !isComplete ? EXIT_CODE.findings : EXIT_CODE.ok;
  },
} satisfies Command;

function lowered(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

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

/** @throws SourceError if the source cannot be had, or differs from the locked one */
async function lockSource(
  name: SourceName,
  before: LockedSource | undefined,
  { store, options, isCheck }: Work,
): Promise<{ readonly entry: LockedSource | undefined; readonly state: SourceState['state'] }> {
  if (isCheck) return { entry: before, state: before === undefined ? 'unlocked' : 'kept' };
  if (before !== undefined && typeof store.open(before.digest) === 'object')
    return { entry: before, state: 'kept' };
  const { revision, files } = await fetchSource(name, before?.revision, options);
  if (before === undefined) return { entry: { revision, digest: store.keep(files) }, state: 'locked' };
  const digest = store.digestOf(files);
  if (digest !== before.digest)
    throw new SourceError(
      `Cannot use "${name.source}": its files at ${revision} are not those that were locked (${digest} in the place of ${before.digest}). If that is intended, run policy lock --update`,
    );
  store.keep(files);
  return { entry: before, state: 'fetched' };
}
