import { join } from 'node:path';
import type { Steps } from '../../../lib/steps.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Layer } from '../../../model/policy.ts';
import type { FileDraft } from '../parse/file-draft.ts';
import type { OnStale } from '../schema/managed-schema.ts';
import { problem, startOf, warning } from '../yaml/problem.ts';
import { displayPath, kindOf } from './folders.ts';
import type { ManagedRecord } from './managed-record.ts';
import { isPast, MANAGED_RECORD, ownerProblem } from './organisation.ts';
import { readRealFile } from './read-file.ts';
import { type Collected, complain, takeFolder } from './take-folder.ts';

/** Takes the bundle that `policy sync` has left last, if one is managed. Nothing is fetched here. */
export function* takeManaged(folder: string, isOfSystem: boolean, collected: Collected): Steps<void> {
  const path = join(folder, MANAGED_RECORD);
  if (kindOf(folder) === 'missing' || kindOf(path) === 'missing') return;
  const { parseManagedRecord, treeFolder } =
    require('./managed-record.ts') as typeof import('./managed-record.ts');
  collected.isSynced = true;
  const open = isOfSystem ? ownerProblem(folder) : undefined;
  if (open !== undefined) collected.diagnostics.push(open);
  const read = (collected.place.readFile ?? readRealFile)(path);
  const file = displayPath(path, collected.place.cwd);
  const record = read.ok ? parseManagedRecord(read.text) : undefined;
  if (record === undefined) {
    complain(collected, file, 'file', read.ok ? 'it is damaged' : read.cause, SYNC);
    return;
  }
  const stale = staleProblem(record, file);
  if (stale !== undefined)
    (record.onStale === 'warn' ? collected.warnings : collected.diagnostics).push(stale);
  if (record.bundle !== undefined)
    yield* takeFolder(
      join(folder, ...treeFolder(record.bundle.digest)),
      'organisation',
      undefined,
      collected,
    );
}

const SYNC = 'run "sudo policy sync"';

/** The problem of a set with a part that the organisation manages, until somebody has fetched that part. */
export function missingManaged(
  { isSynced }: { readonly isSynced: boolean },
  files: readonly { readonly draft: Pick<FileDraft, 'managed'>; readonly layer: Layer }[],
): readonly Diagnostic[] {
  if (isSynced) return [];
  return files.flatMap(({ draft: { managed }, layer }) => {
    if (managed === undefined || layer !== 'organisation') return [];
    const message = 'Cannot rely on the managed policies: they were never fetched';
    return [ofStale(managed.onStale)('stale', managed.position, message, SYNC)];
  });
}

function ofStale(onStale: OnStale): typeof problem {
  return onStale === 'warn' ? warning : problem;
}

function staleProblem(
  { bundle, checked, staleAt, onStale }: ManagedRecord,
  file: string,
): Diagnostic | undefined {
  if (staleAt === undefined || !isPast(staleAt)) return undefined;
  const what =
    bundle === undefined ? 'the managed policies' : `the managed policies "${bundle.name} ${bundle.version}"`;
  const isExpired = bundle?.expires !== undefined && isPast(bundle.expires);
  const when = isExpired
    ? `they expired at ${bundle.expires}`
    : checked === undefined
      ? 'they could never be fetched'
      : `they were last fetched at ${checked}`;
  return ofStale(onStale)('stale', startOf(file), `Cannot rely on ${what}: ${when}`, SYNC);
}
