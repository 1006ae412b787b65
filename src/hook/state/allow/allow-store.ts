import { canonicalJson } from '../../../lib/canonical-json.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { CallToAllow, Grant, RefusedCall } from '../../../model/grant.ts';
import { mayHoldSecret, redactSecrets } from '../../../reader/secrets/redact-secrets.ts';
import { redactedJson } from '../../audit/redact.ts';
import { machineId } from '../machine-id.ts';
import { guarded } from '../state-error.ts';
import { digestOf, isAbout } from './call-to-allow.ts';
import { newCode } from './code.ts';
import { createSignedFiles, type SignedFiles } from './signed-files.ts';

const MAX_ARGUMENT_CHARS = 16 * 1024;
const MAX_REASON_CHARS = 2_048;
const MINUTE_MS = 60 * 1_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a refused call can be let pass. */
const REFUSED_FOR_MS = DAY_MS;
/** How long a used grant is remembered: longer than any grant lasts. */
const USED_FOR_MS = 8 * DAY_MS;
const MAX_REFUSED = 256;
const MAX_GRANTS = 128;
const MAX_USED = 10_000;
/** A host shows the same call again within this time. */
const SHOWN_AGAIN_WITHIN_MS = 60_000;
const MAX_PASSED = 256;
/** One in so many writes sweeps up. */
const SWEEP_EVERY = 16;
/** Clocks of file systems and processes differ by less. */
const CLOCK_SLACK_MS = 5_000;
/** After so many wrong codes in so long a time none is taken any more. */
const MAX_WRONG_CODES = 5;
const WRONG_CODES_FOR_MS = 10 * MINUTE_MS;
const WRONG_CODES = 'codes';

export interface UsedGrant {
  readonly id: string;
  readonly code: string;
  readonly usedMs: number;
  /** The call that has used it, as its host names it. */
  readonly by?: ShownCall | undefined;
}

/** A call as its host names it when it shows it. */
export interface ShownCall {
  readonly session: string | undefined;
  /** The host's own id; undefined where it says none. */
  readonly id: string | undefined;
}

/** A grant that has let a call pass before it runs. */
interface PassedCall {
  readonly grant: Grant;
  readonly ms: number;
}

interface StoredGrant {
  readonly grant: Grant | undefined;
  /** Why something that was found there does not count. */
  readonly problem: string | undefined;
}

/**
 * Refused calls and grants in signed files, which open faster than SQLite. Throws `StateError` if it cannot tell whether there
 * is a grant.
 */
export interface AllowStore {
  /** True if there is no grant for any call, and none that was used a moment ago. */
  isEmpty(): boolean;
  /** Keeps a refused call and gives it a code: the one that it has, if it was refused before and not let pass. */
  refuse(refused: Omit<RefusedCall, 'code' | 'digest' | 'isShortened'>): RefusedCall;
  find(call: CallToAllow): StoredGrant;
  /**
   * The grant that has let this call pass before it was shown again, a moment ago: hosts show a call more than once.
   *
   * @param asks true if the host asks now whether the call may run; it does so once
   */
  passed(call: CallToAllow, by: ShownCall, asks: boolean): UsableGrant | undefined;
  /** Uses a grant up, where it is for one call; false if another call was faster. */
  use(grant: Grant, call: CallToAllow, by: ShownCall): boolean;
  /** The calls that were refused within a day, latest first. */
  refused(): readonly RefusedCall[];
  /** Grants that have not ended, latest first. */
  grants(): readonly Grant[];
  /** Grants that were used up or revoked of late. */
  used(): readonly UsedGrant[];
  allow(refused: RefusedCall, grant: Omit<Grant, 'id' | 'code' | 'machine' | 'madeMs'>): Grant;
  /** Forgets a refused call: it passes by an exception from now on. */
  settle(refused: RefusedCall): void;
  revoke(grant: Grant): void;
  /** Milliseconds for which no code is taken, because too many were wrong; 0 if one is. */
  waitMs(): number;
  countWrongCode(): void;
}

/** A grant that lets a call past its policies. */
export interface UsableGrant extends Pick<Grant, 'code' | 'policies'> {
  /** Uses up a grant for one call; false if another process was faster. */
  readonly use: () => boolean;
}

export interface AllowStoreOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** Tells this machine from others; the system's own unless given. */
  readonly machine?: () => string;
}

export function createAllowStore({ env, nowMs, machine = machineId }: AllowStoreOptions): AllowStore {
  const files = createSignedFiles(env);
  const wrongCodes = (): readonly number[] => {
    const times = files.read<readonly number[]>('wrong', WRONG_CODES) ?? [];
    // A clock that was set back must not make room for more.
    return times.filter((ms) => Math.abs(nowMs() - ms) < WRONG_CODES_FOR_MS);
  };

  return {
    isEmpty: () =>
      guarded('Cannot look for grants', () => {
        if (Math.abs(nowMs() - files.changedMs('passed')) <= SHOWN_AGAIN_WITHIN_MS + CLOCK_SLACK_MS)
          return false;
        return files.isEmpty('granted');
      }),
    refuse: (given) =>
      guarded('Cannot keep the refused call', () => {
        const digest = digestOf(given.call);
        const before = soundly(() => files.read<RefusedCall>('refused', digest));
        const isOpen = before !== undefined && before.grant === undefined && isRecent(before, nowMs());
        const refused: RefusedCall = {
          ...given,
          ...keepable(given),
          digest,
          code: isOpen ? before.code : newCode(),
        };
        // A file that takes the place of another is written out by the file system before the call is answered.
        if (isOpen && isKept(refused, before)) return before;
        files.write('refused', digest, refused);
        if (Math.random() < 1 / SWEEP_EVERY) files.sweep('refused', MAX_REFUSED, nowMs() - REFUSED_FOR_MS);
        return refused;
      }),
    find: (call) => guarded('Cannot look for a grant', () => findGrant(files, call, nowMs(), machine)),
    passed: (call, by, asks) =>
      guarded('Cannot look for a used grant', () => {
        const digest = digestOf(call);
        const passed = files.read<PassedCall>('passed', digest);
        if (passed === undefined || Math.abs(nowMs() - passed.ms) > SHOWN_AGAIN_WITHIN_MS) return undefined;
        const { grant } = passed;
        const used = files.read<UsedGrant>('used', grant.id);
        if (used?.by === undefined || used.by.session !== by.session) return undefined;
        if (isSameCall(used.by, by)) return { ...grant, use: () => true };
        const mayBeSame = by.id === undefined || used.by.id === undefined;
        return asks && mayBeSame ? { ...grant, use: () => files.remove('passed', digest) } : undefined;
      }),
    use: (grant, call, by) =>
      guarded('Cannot use a grant up', () => {
        if (grant.scope !== 'once') return true;
        files.sweep('passed', MAX_PASSED, nowMs() - SHOWN_AGAIN_WITHIN_MS);
        // Before the grant is gone: another process with the same call finds one or the other.
        const passed: PassedCall = { grant, ms: nowMs() };
        files.write('passed', digestOf(call), passed);
        if (spend(files, grant, nowMs(), by)) return true;
        const used = files.read<UsedGrant>('used', grant.id);
        return used?.by !== undefined && isSameCall(used.by, by);
      }),
    refused: () =>
      guarded('Cannot read what was refused', () =>
        files
          .all<RefusedCall>('refused')
          .filter((each) => isRecent(each, nowMs()))
          .toSorted((a, b) => b.refusedMs - a.refusedMs),
      ),
    grants: () =>
      guarded('Cannot read what was let pass', () =>
        files
          .all<Grant>('granted')
          .filter(({ endsMs, id }) => endsMs > nowMs() && !files.has('used', id))
          .toSorted((a, b) => b.madeMs - a.madeMs),
      ),
    used: () => guarded('Cannot read what was used', () => files.all<UsedGrant>('used')),
    allow: (refused, given) =>
      guarded('Cannot make a grant', () => {
        files.sweep('granted', MAX_GRANTS, nowMs() - USED_FOR_MS);
        files.sweep('used', MAX_USED, nowMs() - USED_FOR_MS);
        const id = newCode() + newCode();
        const grant: Grant = { ...given, id, code: refused.code, machine: machine(), madeMs: nowMs() };
        files.write('granted', id, grant);
        files.write('refused', refused.digest, { ...refused, grant: id });
        return grant;
      }),
    settle: ({ digest }) =>
      guarded('Cannot forget the refused call', () => {
        files.remove('refused', digest);
      }),
    revoke: (grant) =>
      guarded('Cannot revoke a grant', () => {
        spend(files, grant, nowMs());
      }),
    waitMs: () =>
      guarded('Cannot count codes', () => {
        const times = wrongCodes();
        return times.length < MAX_WRONG_CODES ? 0 : WRONG_CODES_FOR_MS - (nowMs() - Math.max(...times));
      }),
    countWrongCode: () =>
      guarded('Cannot count codes', () => {
        files.write('wrong', WRONG_CODES, [...wrongCodes(), nowMs()].slice(-MAX_WRONG_CODES));
      }),
  };
}

function findGrant(files: SignedFiles, call: CallToAllow, now: number, machine: () => string): StoredGrant {
  const problems: string[] = [];
  const grants = files.all<Grant>('granted', problems);
  if (grants.length === 0) return { grant: undefined, problem: problems[0] };
  const digest = digestOf(call);
  const changedMs = files.changedMs('granted');
  const grant = grants.find((each) => {
    if (!isAbout(each, call, digest) || files.has('used', each.id)) return false;
    const problem = problemOf(each, now, changedMs, machine);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined;
  });
  return { grant, problem: grant === undefined ? problems[0] : undefined };
}

/** Why a grant for a call does not count. */
function problemOf(
  { code, madeMs, endsMs, machine: madeOn }: Grant,
  now: number,
  changedMs: number,
  machine: () => string,
): string | undefined {
  if (Math.max(madeMs, changedMs) > now + CLOCK_SLACK_MS)
    return `the grant ${code} does not count: the clock shows a time before it was given`;
  if (endsMs <= now) return `the grant ${code} has ended`;
  return madeOn === machine() ? undefined : `the grant ${code} does not count: it is another machine's`;
}

/** The mark stays where the grant goes: a copy that is put back does not count. */
function spend(files: SignedFiles, { id, code }: Grant, now: number, by?: ShownCall): boolean {
  const used: UsedGrant = { id, code, usedMs: now, by };
  if (!files.writeNew('used', id, used)) return false;
  files.remove('granted', id);
  return true;
}

function isSameCall(one: ShownCall, other: ShownCall): boolean {
  return one.id !== undefined && one.id === other.id && one.session === other.session;
}

function isRecent({ refusedMs }: RefusedCall, now: number): boolean {
  return Math.abs(now - refusedMs) < REFUSED_FOR_MS;
}

/** True if a refused call was kept within a minute, and nothing else of it has changed. */
function isKept(refused: RefusedCall, before: RefusedCall): boolean {
  const { refusedMs } = before;
  const isFresh = Math.abs(refused.refusedMs - refusedMs) < MINUTE_MS;
  return isFresh && JSON.stringify({ ...refused, refusedMs }) === JSON.stringify(before);
}

/** The call and its reason as they are kept: without secrets, and without arguments that are too long. */
function keepable({
  call,
  reason,
}: Pick<RefusedCall, 'call' | 'reason'>): Pick<RefusedCall, 'call' | 'reason' | 'isShortened'> {
  const json = redactedJson(call.arguments, MAX_ARGUMENT_CHARS);
  const kept = json === undefined ? {} : (JSON.parse(json) as JsonObject);
  const { tool, directory, session } = call;
  const clean = redacted({ tool, directory, session, reason: reason.slice(0, MAX_REASON_CHARS) });
  const isShortened = clean.directory !== directory || canonicalJson(kept) !== canonicalJson(call.arguments);
  const { reason: cleanReason, ...others } = clean;
  return { call: { ...call, ...others, arguments: kept }, reason: cleanReason, isShortened };
}

/** Texts without secrets. One look at all of them mostly tells that there are none. */
function redacted<T extends Readonly<Record<string, string | undefined>>>(texts: T): T {
  if (!mayHoldSecret(Object.values(texts).join('\n'))) return texts;
  const clean = Object.entries(texts).map(([key, text]) => [key, text && redactSecrets(text).text]);
  return Object.fromEntries(clean) as T;
}

/** A file that cannot be read is written anew. */
function soundly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
