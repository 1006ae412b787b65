import { displayPath } from '../../policy/source.ts';
import { type Lock, type LockedSource, lockText } from '../../policy/sources/lock.ts';
import type { SourceName } from '../../policy/sources/source-name.ts';
import { diffText } from '../../report/diff-text.ts';
import { type SourceState, sourcesJson, sourcesText } from '../../report/locked-sources.ts';
import { fetchSource } from '../../sources/fetch-source.ts';
import { changeLockFile, readLockFile } from '../../sources/lock-file.ts';
import { createSourceStore, type FileStore } from '../../state/source-store.ts';
import { type Arguments, optionValues } from '../args.ts';
import { askYes } from '../ask.ts';
import type { Command } from '../command.ts';
import { COMPARISON_OPTIONS, compareSides, noSamples, samplesFor } from '../diff/compare-sides.ts';
import { sideOf } from '../diff/open-set.ts';
import { reportSetErrors } from '../diff/report-set-errors.ts';
import { EXIT_CODE } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { paintFor, printJson } from '../print.ts';
import { fetchOptions, TIMEOUT_OPTION } from '../sources/fetch-options.ts';
import { type LockedFolder, lockedFolders, printErrors } from '../sources/locked-folders.ts';
import { UsageError } from '../usage-error.ts';

export const update = {
  operands: '[SOURCE]...',
  options: [
    { name: 'yes', short: 'y', summary: 'Do not ask: for scripts' },
    { name: 'check', summary: 'Write nothing; exit with 1 if there is something newer' },
    {
      name: 'policies',
      value: 'PATH',
      repeatable: true,
      summary: 'The policies whose sources to update; by default, those in force here',
    },
    TIMEOUT_OPTION,
    ...COMPARISON_OPTIONS,
    {
      name: 'json',
      summary: 'Print newer sources as JSON; neither ask nor write without --yes',
    },
  ],
  details: [
    'Fetches the current sources: the branch, or the tag if it has moved. Then it shows which calls would be decided\ndifferently, using the tests and examples of both versions, asks, and writes policy.lock. Until then, and if\nanything fails, the locked versions stay in force.',
    'SOURCE is an entry of "extends" without the path, or its beginning; the default is all of them.',
  ],
  example: [
    '$ policy update',
    'updated  git+https://git.example.com/acme/policies#stable  8f0c2d1e77aa → 41bbe0d3c2f1',
    '',
    'tightened  shell/no-curl  2 calls',
    '  continue → deny  shell curl https://example.com  .policy/own.test.yaml:7',
    '',
    '2 tightened of 48 calls',
    'Take it? [y/N] y',
    'Wrote .policy/policy.lock',
  ],
  async run(args, io) {
    const store = createSourceStore(io.env);
    const { folders, errors, compiled } = lockedFolders(optionValues(args, 'policies'), io);
    printErrors(errors, compiled, io);
    if (errors.length > 0) return EXIT_CODE.invalidPolicy;
    const updates: Update[] = [];
    for (const folder of chosen(folders, args.operands)) updates.push(await newerOf(folder, store, args, io));
    const states = updates.flatMap((each) => each.states);
    const newer = updates.filter(({ changes }) => changes.size > 0);
    if (args.switches.has('json')) printJson(io.stdout, sourcesJson(states));
    else if (newer.length === 0) io.stdout.write(nothingNewer(states.length));
    else io.stdout.write(sourcesText(states, paintFor(io.stdout, io.env)));
    if (newer.length === 0) return EXIT_CODE.ok;
    for (const each of newer)
      if (!(await showDifference(each, store, args, io))) return EXIT_CODE.invalidPolicy;
    if (args.switches.has('check')) return EXIT_CODE.findings;
    if (!args.switches.has('yes')) {
      if (args.switches.has('json')) return EXIT_CODE.findings;
      if (!io.stdin.isTTY)
        throw new UsageError('Cannot ask, because standard input is not a terminal: agree with --yes');
      if (!(await askYes('Take it?', io))) return EXIT_CODE.findings;
    }
    for (const { folder, file, changes } of newer) {
      await changeLockFile(folder.lock, changes);
      if (!args.switches.has('json')) io.stdout.write(`Wrote ${file}\n`);
    }
    return EXIT_CODE.ok;
  },
} satisfies Command;

/** What a folder's lock would become. */
interface Update {
  readonly folder: LockedFolder;
  /** The lock as people name it. */
  readonly file: string;
  readonly lock: Lock;
  readonly changes: ReadonlyMap<string, LockedSource>;
  readonly states: readonly SourceState[];
}

/** The folders with those of their sources that are meant. */
function chosen(folders: readonly LockedFolder[], meant: readonly string[]): readonly LockedFolder[] {
  const isMeant = (name: SourceName, each: string) =>
    name.source === each || name.source.startsWith(`${each}#`);
  for (const each of meant) {
    if (folders.some(({ sources }) => sources.some((name) => isMeant(name, each)))) continue;
    const known = folders.flatMap(({ sources }) => sources.map(({ source }) => source));
    throw new UsageError(
      `Cannot update "${each}": no policy here extends it; ${known.length === 0 ? 'none extends a source' : `there is ${known.join(', ')}`}`,
    );
  }
  return folders.map((folder) => ({
    ...folder,
    sources: folder.sources.filter((name) => meant.length === 0 || meant.some((each) => isMeant(name, each))),
  }));
}

/** @throws SourceError if one of the sources cannot be fetched */
async function newerOf(folder: LockedFolder, store: FileStore, args: Arguments, io: Io): Promise<Update> {
  const lock = readLockFile(folder.lock);
  const file = displayPath(folder.lock, io.cwd);
  const changes = new Map<string, LockedSource>();
  const states: SourceState[] = [];
  for (const name of folder.sources) {
    const before = lock.get(name.source);
    const { revision, files } = await fetchSource(name, undefined, fetchOptions(args, io));
    const entry = { revision, digest: store.keep(files) };
    const isSame = before?.revision === revision && before.digest === entry.digest;
    if (!isSame) changes.set(name.source, entry);
    const state = isSame ? 'kept' : before === undefined ? 'locked' : 'updated';
    states.push({
      lock: file,
      source: name.source,
      state,
      revision,
      before: isSame ? undefined : before?.revision,
    });
  }
  return { folder, file, lock, changes, states };
}

/** Shows which calls would be decided differently; false if what is newer cannot be used, which has been said then. */
async function showDifference(
  { folder, lock, changes }: Update,
  store: FileStore,
  args: Arguments,
  io: Io,
): Promise<boolean> {
  const next = lockText(new Map([...lock, ...changes]));
  const before = sideOf(folder.folder, io.cwd, store);
  const after = sideOf(folder.folder, io.cwd, { ...store, locks: new Map([[folder.lock, next]]) });
  if (reportSetErrors([after], io)) {
    io.stderr.write('Cannot take what is newer: it cannot be loaded. What was locked stays in force\n');
    return false;
  }
  const output = args.switches.has('json') ? io.stderr : io.stdout;
  if (before.compiled.diagnostics.some(({ severity }) => severity === 'error')) {
    output.write('\nNothing to compare with: what was locked is not here, or cannot be loaded\n');
    return true;
  }
  const samples = await samplesFor(args, before, after, io);
  const verbose = args.switches.has('verbose');
  output.write(
    samples.length === 0
      ? `\nNothing to compare by: there are no calls to judge, ${noSamples(args)}\n`
      : `\n${diffText(compareSides(samples, before, after), { paint: paintFor(output, io.env), verbose })}`,
  );
  return true;
}

function nothingNewer(sources: number): string {
  return sources === 0
    ? 'Nothing to update: no policy here extends a source\n'
    : 'Nothing to update: all sources are as they were locked\n';
}
