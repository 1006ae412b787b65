import type { Host } from '../../../hosts/host.ts';
import { withFacts } from '../../../language/keys/history/fact-places.ts';
import { isJsonObject, own } from '../../../lib/json.ts';
import type { EventKind } from '../../../model/event.ts';
import type { Rule } from '../../../model/policy.ts';

/** Outcomes that the event before a call tells. */
const KNOWN_BEFORE: readonly unknown[] = ['asked', 'passed', 'refused'];

/** The events without which policies cannot know what came before: results, and prompts where turns and lost calls are told by them. */
export function factEvents(rules: readonly Rule[], { events }: Pick<Host, 'events'>): readonly EventKind[] {
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
