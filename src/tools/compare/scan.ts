import type { PastCall } from '../../hosts/sessions.ts';
import { fastHash } from '../../lib/fast-hash.ts';
import type { Action } from '../../model/action.ts';
import { prevents } from '../../model/action.ts';
import { redactSecrets } from '../../reader/secrets/redact-secrets.ts';
import { callLabel } from '../suite/call-label.ts';

const MAX_CALL_CHARS = 200;
/** More of them nobody reads; the policies are counted whole. */
const MAX_CANDIDATES = 200;

/** What would have become of a past call. */
export interface PastVerdict {
  readonly action: Action;
  /** The policy that decided; undefined if a failure did. */
  readonly policy: string | undefined;
  /** True if a judge would have been asked: what it would have said is not known. */
  readonly asked: boolean;
}

/** A policy that would have held calls back. */
export interface ScannedPolicy {
  readonly id: string;
  readonly action: Action;
  readonly calls: number;
  readonly sessions: number;
  readonly hosts: readonly string[];
}

/** A call that a policy would have held back, however often it was made. */
export interface Candidate {
  readonly policy: string;
  readonly action: Action;
  readonly host: string;
  /** In a line, cut, without secrets. */
  readonly call: string;
  readonly calls: number;
  readonly sessions: number;
  /** ISO time of the newest one; undefined if its session does not tell. */
  readonly last: string | undefined;
}

export interface ScannedHost {
  readonly host: string;
  readonly sessions: number;
  readonly calls: number;
  readonly refused: number;
}

/** What the policies make of past sessions. */
export interface Scan {
  readonly calls: number;
  readonly sessions: number;
  /** Calls that would not have been made as they were. */
  readonly refused: number;
  /** Calls about which a judge would have been asked. */
  readonly asked: number;
  readonly hosts: readonly ScannedHost[];
  /** Those that hold back most first. */
  readonly policies: readonly ScannedPolicy[];
  /** What was done in most sessions first: what people let pass again and again is likely to be meant. */
  readonly candidates: readonly Candidate[];
}

/** Counts past calls one by one. */
export interface Scanner {
  add(host: string, call: PastCall, verdict: PastVerdict): void;
  result(): Scan;
}

interface Counts {
  calls: number;
  refused: number;
  readonly sessions: Set<string>;
}

interface PolicyCounts extends Counts {
  readonly action: Action;
  readonly hosts: Set<string>;
}

interface CandidateCounts extends Counts {
  readonly policy: string;
  readonly action: Action;
  readonly host: string;
  readonly call: PastCall;
  last: string | undefined;
}

const FAILURE = 'a failure';

export function createScanner(): Scanner {
  const hosts = new Map<string, Counts>();
  const policies = new Map<string, PolicyCounts>();
  const candidates = new Map<string, CandidateCounts>();
  let asked = 0;

  const add = (host: string, call: PastCall, verdict: PastVerdict): void => {
    const session = `${host} ${call.session}`;
    const isRefused = prevents(verdict.action);
    count(made(hosts, host, start), session, isRefused);
    if (verdict.asked) asked += 1;
    if (!isRefused) return;
    const { action, policy = FAILURE } = verdict;
    const byPolicy = made(policies, `${policy} ${action}`, () => ({
      ...start(),
      action,
      hosts: new Set<string>(),
    }));
    count(byPolicy, session, true);
    byPolicy.hosts.add(host);
    const key = JSON.stringify([policy, action, host, call.tool, call.arguments]);
    const alike = made(candidates, fastHash(key), () => ({
      ...start(),
      policy,
      action,
      host,
      call,
      last: undefined,
    }));
    count(alike, session, true);
    if (call.time !== undefined && call.time > (alike.last ?? '')) alike.last = call.time;
  };

  const result = (): Scan => {
    const ofHosts = [...hosts].map(([host, { calls, refused, sessions }]) => ({
      host,
      sessions: sessions.size,
      calls,
      refused,
    }));
    return {
      calls: sum(ofHosts.map(({ calls }) => calls)),
      sessions: sum(ofHosts.map(({ sessions }) => sessions)),
      refused: sum(ofHosts.map(({ refused }) => refused)),
      asked,
      hosts: ofHosts.sort((a, b) => b.calls - a.calls),
      policies: [...policies]
        .map(([key, { action, calls, sessions, hosts: of }]) => ({
          id: key.slice(0, -action.length - 1),
          action,
          calls,
          sessions: sessions.size,
          hosts: [...of].sort(),
        }))
        .sort((a, b) => b.calls - a.calls || (a.id < b.id ? -1 : 1)),
      candidates: [...candidates.values()]
        .sort((a, b) => b.sessions.size - a.sessions.size || b.calls - a.calls)
        .slice(0, MAX_CANDIDATES)
        .map(({ policy, action, host, call, calls, sessions, last }) => ({
          policy,
          action,
          host,
          call: labelOf(call),
          calls,
          sessions: sessions.size,
          last,
        })),
    };
  };

  return { add, result };
}

function start(): Counts {
  return { calls: 0, refused: 0, sessions: new Set() };
}

function count(counts: Counts, session: string, isRefused: boolean): void {
  counts.calls += 1;
  counts.sessions.add(session);
  if (isRefused) counts.refused += 1;
}

function made<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Cut first by far too much, so that no half of a secret is left, and taken for none. */
function labelOf({ tool, arguments: args }: PastCall): string {
  const whole = callLabel({ on: 'before_tool', tool, arguments: args }, 16 * MAX_CALL_CHARS);
  const { text } = redactSecrets(whole);
  return text.length > MAX_CALL_CHARS ? `${text.slice(0, MAX_CALL_CHARS - 1)}…` : text;
}
