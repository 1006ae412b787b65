import { fetchSource } from '../../../fleet/sources/fetch-source.ts';
import { changeLockFile, readLockFile } from '../../../fleet/sources/lock-file.ts';
import { createSourceStore, type FileStore } from '../../../hook/state/source-store.ts';
import type { SourceUse } from '../../../language/policy/compile/find-in-source.ts';
import { displayPath } from '../../../language/policy/files/folders.ts';
import type { Lock, LockedSource } from '../../../language/policy/sources/lock.ts';
import {
  parseSourceName,
  type SourceName,
  withoutRevision,
} from '../../../language/policy/sources/source-name.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import type { Program } from '../../../model/policy.ts';
import { compareCalls } from '../../compare/comparison.ts';
import { declaredChanges } from '../../compare/declared-changes.ts';
import { declaredText } from '../../report/history/declared-text.ts';
import { diffText } from '../../report/history/diff-text.ts';
import { type SourceState, sourcesJson, sourcesText } from '../../report/locked-sources.ts';
import { type Arguments, optionValues } from '../args.ts';
import { askYes } from '../ask.ts';
import { knownCalls } from '../diff/known-calls.ts';
import { deciderOf, reportSetErrors, sideOf } from '../diff/open-set.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { recordingPlace, reportUnjudged } from '../past/recorded-calls.ts';
import { paintFor, printDiagnostics, printJson } from '../print.ts';
import { fetchOptions } from './fetch-options.ts';
import { type LockedFolder, lockedFolders } from './locked-folders.ts';

/** `policy lock --update`: shows the newer sources and their changes, asks, and locks them. */
export async function updateSources(args: Arguments, io: Io): Promise<number> {
  const store = createSourceStore(io.env);
  const { folders, errors, compiled } = lockedFolders(args.operands, io);
  printDiagnostics(errors, (file) => compiled.texts.get(file), io);
  if (errors.length > 0) return EXIT_CODE.invalidPolicy;
  const updates: Update[] = [];
  for (const folder of chosen(folders, optionValues(args, 'update')))
    updates.push(await newerOf(folder, store, args, io));
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
}

/** A folder with the sources of it that are meant. */
interface ChosenFolder extends LockedFolder {
  /** All that its policies extend. */
  readonly used: ReadonlySet<string>;
}

interface Update {
  readonly folder: LockedFolder;
  /** The lock as people name it. */
  readonly file: string;
  /** The lock in force, with the locked version of a source of which another version is extended now. */
  readonly before: Lock;
  readonly after: Lock;
  readonly changes: ReadonlyMap<string, LockedSource | undefined>;
  readonly states: readonly SourceState[];
}

/** The folders with those of their sources that are meant. */
function chosen(folders: readonly LockedFolder[], meant: readonly string[]): readonly ChosenFolder[] {
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
    used: new Set(folder.sources.map(({ source }) => source)),
    sources: folder.sources.filter((name) => meant.length === 0 || meant.some((each) => isMeant(name, each))),
  }));
}

/** @throws SourceError if one of the sources cannot be fetched */
async function newerOf(folder: ChosenFolder, store: FileStore, args: Arguments, io: Io): Promise<Update> {
  const lock = readLockFile(folder.lock);
  const file = displayPath(folder.lock, io.cwd);
  const inForce = new Map(lock);
  const changes = new Map<string, LockedSource | undefined>();
  const states: SourceState[] = [];
  for (const name of folder.sources) {
    const former = lock.has(name.source) ? undefined : formerName(name, folder, lock);
    const before = lock.get(former ?? name.source);
    if (former !== undefined && before !== undefined) {
      inForce.set(name.source, before);
      changes.set(former, undefined);
    }
    const { revision, files } = await fetchSource(name, undefined, fetchOptions(args, io));
    const entry = { revision, digest: store.keep(files) };
    const isSame = former === undefined && before?.revision === revision && before.digest === entry.digest;
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
  const after = new Map(lock);
  for (const [source, entry] of changes) {
    if (entry === undefined) after.delete(source);
    else after.set(source, entry);
  }
  return { folder, file, before: inForce, after, changes, states };
}

/** Under which name a source was locked before its policies extended this version of it: a tag that nothing extends any more. */
function formerName(name: SourceName, { used, isWhole }: ChosenFolder, lock: Lock): string | undefined {
  if (!isWhole) return undefined;
  return [...lock.keys()].findLast((source) => {
    const other = parseSourceName(source);
    return !used.has(source) && !('cause' in other) && withoutRevision(other) === withoutRevision(name);
  });
}

/** Shows which calls would be decided differently; false, with a message, if a newer source cannot be used. */
async function showDifference(
  { folder, ...locks }: Update,
  store: FileStore,
  args: Arguments,
  io: Io,
): Promise<boolean> {
  const sideWith = (lock: Lock) =>
    sideOf(folder.folder, io.cwd, { ...store, locks: new Map([[folder.lock, lock]]) });
  const before = sideWith(locks.before);
  const after = sideWith(locks.after);
  if (reportSetErrors([after], io)) {
    io.stderr.write('Cannot use the newer files: they cannot be loaded. The locked ones stay in force\n');
    return false;
  }
  const output = args.switches.has('json') ? io.stderr : io.stdout;
  // A source that is extended for the first time was not there before.
  const isNew = ({ stored, name }: SourceUse) => stored === undefined && !locks.before.has(name.source);
  const missing = before.compiled.uses.filter(isNew).length;
  const errors = errorsIn(before.compiled.diagnostics);
  if (errors.length > missing || missing === before.compiled.uses.length) {
    output.write('\nNothing to compare with: the locked files are not here, or cannot be loaded\n');
    return true;
  }
  const filesOf = (program: Program) =>
    [after, before].find(({ compiled }) => compiled.program === program)?.compiled.inForce;
  const calls = await knownCalls(args, [after, before], recordingPlace(io, filesOf), io);
  const comparison = compareCalls(calls, deciderOf(before), deciderOf(after));
  reportUnjudged(calls.filter(({ sample }) => sample === undefined).length, io);
  const verbose = args.switches.has('verbose');
  output.write(
    comparison.judged === 0
      ? '\nNothing to compare: there are no calls to judge\n'
      : `\n${diffText(comparison, { paint: paintFor(output, io.env), verbose })}`,
  );
  const changes = declaredChanges(before.compiled.declared, after.compiled.declared);
  const declared = declaredText(changes, paintFor(output, io.env));
  output.write(declared === '' ? '\nNo policy, mode, exception or setting changes\n' : `\n${declared}`);
  return true;
}

function nothingNewer(sources: number): string {
  return sources === 0
    ? 'Nothing to update: no policy here extends a source\n'
    : 'Nothing to update: all sources are up to date\n';
}
