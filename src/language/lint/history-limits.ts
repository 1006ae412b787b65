import type { Host } from '../../hosts/host.ts';
import { own } from '../../lib/json.ts';
import { factName } from '../../model/history.ts';
import type { Rule } from '../../model/policy.ts';
import { type FactPlace, withFacts } from '../keys/history/fact-places.ts';
import { type FactUse, factUse } from '../keys/history/spec.ts';
import type { Complaint, Target } from './complaint.ts';

/** The facts that a host lets the engine know of earlier calls. */
export interface ReportedHistory {
  /** The link between a result and its call; `nothing` if no results come. */
  readonly results: Host['results']['by'];
  /** True if it says of some call that it succeeded, or failed. */
  readonly succeeded: boolean;
  readonly failed: boolean;
  /** The marks between turns: their names, the prompts that start them, or none. */
  readonly turns: 'names' | 'prompts' | 'nothing';
}

/** Facts about earlier calls that a policy asks for and a host never reports. */
export function historyComplaints(rule: Rule, { host, support }: Target): readonly Complaint[] {
  const complaints: Complaint[] = [];
  withFacts(rule.when, (fact, place) => {
    const use = factUse(fact);
    if (use === undefined) return fact;
    const state = unreportedBy(use, place, remembered(host), support.context.includes('session'));
    if (state !== undefined) complaints.push(complaintOf(rule, use, place, state, hintFor(use, host)));
    return fact;
  });
  return complaints;
}

function unreportedBy(
  { outcome }: FactUse,
  { ask, spec }: FactPlace,
  { results, succeeded, failed, turns }: ReportedHistory,
  hasSession: boolean,
): string | undefined {
  const within = own(spec, 'within');
  const needsResult = ask === 'from' || outcome === 'done' || outcome === 'succeeded' || outcome === 'failed';
  if (needsResult && results === 'nothing') return 'the host sends no results of calls';
  if (outcome === 'succeeded' && !succeeded) return 'the host does not say that a call has succeeded';
  if (outcome === 'failed' && !failed) return 'the host does not say that a call has failed';
  if (within === 'turn' && turns === 'nothing') return 'the host neither names turns nor shows prompts';
  return hasSession ? undefined : 'the host does not say which session it is';
}

function complaintOf(
  { whenUnknown }: Rule,
  { fact }: FactUse,
  { ask, path }: FactPlace,
  state: string,
  hint: string,
): Complaint {
  const unknown = whenUnknown === 'match' ? 'counts as matched' : 'is passed over';
  const effect = `the policy ${ask === 'from' ? 'never matches' : unknown} there`;
  return {
    code: 'host-unknown',
    severity: 'note',
    ifEverywhere: 'warning',
    path,
    cannot: `tell "${factName(fact)}"`,
    state: `${state}, so ${effect}`,
    hint,
  };
}

/** If only the outcome is not reported, the same policy can do with less there. */
function hintFor({ outcome }: FactUse, host: Host): string {
  const { results } = remembered(host);
  const isTold = results !== 'nothing' && (outcome === 'succeeded' || outcome === 'failed');
  return isTold
    ? 'add a policy for those agents, with "hosts" and a fact of outcome: done'
    : 'limit the policy with "hosts", or see policy docs history';
}

const known = new WeakMap<Host, ReportedHistory>();

function remembered(host: Host): ReportedHistory {
  const found = known.get(host) ?? rememberedOf(host);
  known.set(host, found);
  return found;
}

/** The facts that a host lets the engine know of earlier calls, by its adapter. */
export function rememberedOf(host: Host): ReportedHistory {
  const supports = host.supports(undefined);
  const { by, marks = [], unmarked = [] } = host.results;
  const ends = [...marks.map(({ means }) => means), ...unmarked];
  const hasResults = supports.after_tool !== undefined && by !== 'nothing';
  const setting = { version: undefined, env: {}, cwd: '/', interactive: false };
  const call = { on: 'before_tool', tool: 'shell', arguments: { command: 'ls' } } as const;
  const decoded = host.decode(host.compose(call), setting);
  const turn = decoded.type === 'event' ? decoded.event.turn : undefined;
  const byPrompts = supports.before_prompt === undefined ? 'nothing' : 'prompts';
  return {
    results: hasResults ? by : 'nothing',
    succeeded: hasResults && ends.includes('succeeded'),
    failed: hasResults && ends.includes('failed'),
    turns: turn === undefined ? byPrompts : 'names',
  };
}
