import type { Host } from '../../../hosts/host.ts';
import { withFacts } from '../../../language/keys/history/fact-places.ts';
import { isJsonObject, own } from '../../../lib/json.ts';
import type { EventKind } from '../../../model/event.ts';
import type { Program, Rule } from '../../../model/policy.ts';

/** The events that policies are for on a host, and those that name the model if a policy asks for it. */
export function kindsFor({ rules, facts }: Program, host: Host): ReadonlySet<EventKind> {
  const kinds = new Set(rules.flatMap(({ on }) => on));
  if (facts !== undefined) for (const kind of factEvents(rules, host)) kinds.add(kind);
  if (rules.some(({ params }) => Object.hasOwn(params, 'cache'))) kinds.add('after_tool');
  const { before_tool, approve_tool } = host.supports(undefined);
  const approvesLater =
    approve_tool?.actions.includes('approve') === true && before_tool?.actions.includes('approve') !== true;
  // If a host asks about a call twice, the first time is for all that policies say of calls, but too early for a yes.
  const isNeeded = (rule: Rule) =>
    rule.on.includes('approve_tool') &&
    (!rule.on.includes('before_tool') || (approvesLater && mayApprove(rule)));
  if (!rules.some(isNeeded)) kinds.delete('approve_tool');
  if (rules.some(({ reads }) => reads?.includes('model'))) kinds.add('before_llm');
  return kinds;
}

function mayApprove({ action, judge }: Rule): boolean {
  return (
    action === 'approve' ||
    Object.values(judge?.verdicts ?? {}).some((verdict) => verdict.action === 'approve')
  );
}

/** Outcomes that the event before a call tells. */
const KNOWN_BEFORE: readonly unknown[] = ['asked', 'passed', 'refused'];

/** The events without which policies cannot know the earlier calls: results, and prompts if these mark turns and lost calls. */
function factEvents(rules: readonly Rule[], { events }: Pick<Host, 'events'>): readonly EventKind[] {
  let results = false;
  let turns = false;
  for (const { when } of rules)
    withFacts(when, (fact, { ask, spec }) => {
      const outcome = isJsonObject(fact) ? own(fact, 'outcome') : undefined;
      // A mark counts from the result of its call on.
      results ||= ask === 'since' || !KNOWN_BEFORE.includes(outcome);
      turns ||= own(spec, 'within') === 'turn';
      return fact;
    });
  const needed: readonly EventKind[] = [
    ...(results ? (['after_tool', 'tool_failure'] as const) : []),
    ...(results || turns ? (['before_prompt'] as const) : []),
  ];
  return needed.filter((kind) => Object.values(events).includes(kind));
}
