import type { Word } from '../../reading/word.ts';

interface Succeeded {
  readonly index: number;
  readonly before: Succeeded | undefined;
  readonly depth: number;
}

/** The commands that have succeeded wherever a script comes to a place: undefined for none; `never` where it does not come. */
export type KnownSuccesses = Succeeded | 'never' | undefined;

/** The commands known to have succeeded if a command succeeds, and if it fails. */
export interface BranchOutcome {
  readonly succeeded: KnownSuccesses;
  readonly failed: KnownSuccesses;
}

/** How far a shell has come in its script. */
export interface Flow {
  /** Here, in front of the part that is read next. Its reader sets it. */
  known: KnownSuccesses;
  /** Behind the part that was read last: the meaning of `$?`. */
  succeeded: KnownSuccesses;
  failed: KnownSuccesses;
  /** Wherever the shell may have ended with success before the end of its script. */
  ended: KnownSuccesses;
  /** Of the stages of the last pipeline. */
  stages: readonly BranchOutcome[];
  /** Of the last substitution. */
  substituted: BranchOutcome | undefined;
  /** Another one in each loop: a status there is that of one round. */
  loop: object;
}

/** That of a shell that starts. */
export function newFlow(known: KnownSuccesses): Flow {
  return {
    known,
    succeeded: known,
    failed: known,
    ended: 'never',
    stages: [],
    substituted: undefined,
    loop: {},
  };
}

/** Adds commands that have succeeded. */
export function after(known: KnownSuccesses, ...indexes: readonly number[]): KnownSuccesses {
  if (known === 'never') return known;
  return indexes.reduce<Exclude<KnownSuccesses, 'never'>>(
    (before, index) => ({ index, before, depth: (before?.depth ?? 0) + 1 }),
    known,
  );
}

/** The commands known to have succeeded if a script comes from one of two places. */
export function either(one: KnownSuccesses, other: KnownSuccesses): KnownSuccesses {
  if (one === 'never') return other;
  return other === 'never' ? one : common(one, other);
}

export function both(one: KnownSuccesses, other: KnownSuccesses): KnownSuccesses {
  if (one === 'never' || other === 'never') return 'never';
  const shared = common(one, other);
  const added: number[] = [];
  for (let each = other; each !== undefined && each !== shared; each = each.before) added.unshift(each.index);
  return after(one, ...added);
}

type Reached = Exclude<KnownSuccesses, 'never'>;

function common(one: Reached, other: Reached): Reached {
  let [a, b] = [one, other];
  while (a !== b)
    if ((a?.depth ?? 0) >= (b?.depth ?? 0)) a = a?.before;
    else b = b?.before;
  return a;
}

/** The latest of the commands that have succeeded, in their order. */
export function indexesOf(known: KnownSuccesses, max: number): readonly number[] {
  const found: number[] = [];
  if (known === 'never') return found;
  for (let each = known; each !== undefined && found.length < max; each = each.before) found.push(each.index);
  return found.reverse();
}

/** Sets the known commands behind something. */
export function setOutcome(flow: Flow, succeeded: KnownSuccesses, failed: KnownSuccesses): void {
  flow.succeeded = succeeded;
  flow.failed = failed;
}

/** Comes to a place that depends on the status of the part that was read last. */
export function enter(flow: Flow, { succeeded, failed }: BranchOutcome): void {
  setOutcome(flow, succeeded, failed);
  flow.known = either(succeeded, failed);
}

/** The outcome of a shell of its own: it may have failed anywhere. */
export function outcomeOf(inside: Flow, known: KnownSuccesses): BranchOutcome {
  return { succeeded: either(inside.succeeded, inside.ended), failed: known };
}

/** The flow of an inner command whose status a command passes on. */
export function passOn(command: { inner: Flow | undefined }, flow: Flow, inThisShell: boolean): Flow {
  // The start of a script knows nothing of the status before it.
  if (inThisShell) setOutcome(flow, flow.known, flow.known);
  command.inner = inThisShell ? flow : newFlow(flow.known);
  return command.inner;
}

const statuses = new WeakMap<object, BranchOutcome & { readonly loop: object }>();

/** The number in `$?` or `${PIPESTATUS[0]}`, as a part of a word that `statusIn` can look up. */
export function statusWord(source: string, { succeeded, failed }: BranchOutcome, { loop }: Flow): Word {
  const status = {};
  statuses.set(status, { succeeded, failed, loop });
  return [{ type: 'unknown', source, variable: undefined, splits: false, origins: [], status }];
}

/** The outcome that the status in a word names, with all that is known here; undefined if the word is no status. */
export function statusIn(word: Word | undefined, { known, loop }: Flow): BranchOutcome | undefined {
  const [only, ...others] = word ?? [];
  if (only?.type !== 'unknown' || others.length > 0 || only.status === undefined) return undefined;
  const found = statuses.get(only.status);
  if (found === undefined || found.loop !== loop) return undefined;
  return { succeeded: both(known, found.succeeded), failed: both(known, found.failed) };
}
