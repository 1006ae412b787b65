import type { Host } from '../../hosts/host.ts';
import { own } from '../../lib/json.ts';
import { factName } from '../../model/history.ts';
import type { Rule } from '../../model/policy.ts';
import { type FactPlace, withFacts } from '../keys/history/fact-places.ts';
import { type FactUse, factUse } from '../keys/history/spec.ts';
import type { Complaint, Target } from './complaint.ts';
import { type Remembered, rememberedOf } from './remembered.ts';

/** What a policy asks of earlier calls that a host never tells. */
export function historyComplaints(rule: Rule, { host, support }: Target): readonly Complaint[] {
  const complaints: Complaint[] = [];
  withFacts(rule.when, (fact, place) => {
    const use = factUse(fact);
    if (use === undefined) return fact;
    const state = untold(use, place, remembered(host), support.context.includes('session'));
    if (state !== undefined) complaints.push(complaintOf(rule, use, place, state, hintFor(use, host)));
    return fact;
  });
  return complaints;
}

function untold(
  { outcome }: FactUse,
  { ask, spec }: FactPlace,
  { results, succeeded, failed, turns }: Remembered,
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

/** Where only the outcome is not told, the same policy can do with less there. */
function hintFor({ outcome }: FactUse, host: Host): string {
  const { results } = remembered(host);
  const isTold = results !== 'nothing' && (outcome === 'succeeded' || outcome === 'failed');
  return isTold
    ? `give ${host.name} a policy of its own with "hosts", whose fact has outcome: done`
    : 'limit the policy with "hosts", or see policy docs history';
}

const known = new WeakMap<Host, Remembered>();

function remembered(host: Host): Remembered {
  const found = known.get(host) ?? rememberedOf(host);
  known.set(host, found);
  return found;
}
