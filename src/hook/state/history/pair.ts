import type { CallNote, ResultStatus } from '../../../model/history.ts';
import type { StoredCall } from './tables.ts';

/** The marks that tell calls apart; digests and the mark that twins share are hashes. */
export type CallIdentity = { readonly [K in 'id' | 'approval' | 'digest' | 'sent' | 'twin']: CallNote[K] };

/** The open call that an event is about, if it was kept before: one call counts once however often a host shows it. */
export function sameCall(
  open: readonly StoredCall[],
  call: CallIdentity,
  turn: string,
): StoredCall | undefined {
  return open.findLast(
    (each) => each.settled === undefined && each.turn === turn && isSame(each, call) && !isUnlike(each, call),
  );
}

function isSame(each: StoredCall, { twin, id, approval = false, digest }: CallIdentity): boolean {
  if (twin !== undefined && each.twin === twin) return true;
  const isKnown = id !== undefined && each.id !== undefined;
  return isKnown ? each.id === id && hasDigest(each, digest) : approval && hasDigest(each, digest);
}

/** Both events of a call with ids of its own name it alike. */
function isUnlike(each: StoredCall, { id }: CallIdentity): boolean {
  return id !== undefined && each.id !== undefined && each.id !== id;
}

/** The calls that a result may belong to, oldest first; with an id there is one at most. */
export function callsOf(open: readonly StoredCall[], result: CallIdentity): readonly StoredCall[] {
  const { id, digest } = result;
  const fitting = open.filter((each) => !each.refused && (digest === undefined || hasDigest(each, digest)));
  if (id === undefined) return fitting.filter(({ settled }) => settled === undefined);
  return fitting.filter((each) => each.id === id).slice(-1);
}

/** The open call that looks like a new one; undefined if there is none. */
export function similarCall(open: readonly StoredCall[], call: CallIdentity): StoredCall | undefined {
  if (call.id !== undefined) return undefined;
  return open.find(
    (each) =>
      each.id === undefined && !each.refused && each.settled === undefined && hasDigest(each, call.digest),
  );
}

function hasDigest(each: StoredCall, digest: string | undefined): boolean {
  return digest !== undefined && (each.digest === digest || each.sent === digest);
}

/**
 * Ends the earliest call of a group that its result cannot tell apart. The earliest ended ones count as successful: whichever
 * really are, as many of them started no earlier.
 */
export function withResult(
  call: StoredCall,
  group: readonly StoredCall[],
  status: ResultStatus,
  settled: number,
): readonly StoredCall[] {
  const worse =
    status === 'succeeded'
      ? group.find(({ result }) => result === 'failed' || result === 'unknown')
      : undefined;
  if (worse === undefined) return [{ ...call, result: status, settled }];
  return [
    { ...worse, result: status },
    { ...call, result: worse.result, settled },
  ];
}
