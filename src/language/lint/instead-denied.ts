import { ownString } from '../../lib/json.ts';
import { type Action, isStronger } from '../../model/action.ts';
import type { Event } from '../../model/event.ts';
import { NO_MEMORY } from '../../model/memory.ts';
import { settingFor, surroundingsOf } from '../calls/answer-call.ts';
import { bareEvent } from '../calls/bare-event.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { evaluate } from '../engine/evaluate.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';

/** Ways out, quoted as commands, that the set itself refuses. */
export const insteadDenied = {
  codes: ['instead-denied'],
  check: ({ program }) => {
    let engine: Engine | undefined;
    return (policy) =>
      commandsIn(ownString(policy.rule.params, 'instead') ?? '').flatMap((command) => {
        engine ??= createEngine(program);
        return findingOf(command, policy, engine);
      });
  },
} as const satisfies LintRule;

/** The commands between backticks. A template is replaced later by a text that is unknown here. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .map(([, quoted]) => quoted ?? '')
    .filter((quoted) => !quoted.includes('{{'));
}

const REFUSING: Action = 'deny';

function findingOf(command: string, policy: LintedPolicy, engine: Engine): readonly Finding[] {
  for (const event of eventsFor(command, policy)) {
    const { decision, hits } = evaluate(engine, event, { memory: NO_MEMORY, surroundings: surroundingsOf });
    if (decision.action !== REFUSING && !isStronger(decision.action, REFUSING)) continue;
    // A match that only counts because a bare command does not say enough may well pass.
    const isCertain =
      hits.length === 0 || hits.some(({ rule, how }) => rule.id === decision.policyId && how === 'matched');
    if (!isCertain) continue;
    const message = `Cannot do "${command}" instead: ${decision.policyId} refuses it`;
    const hint = 'name something that the policies let pass, or except it there';
    return [{ path: ['instead'], message, hint }];
  }
  return [];
}

/** The command as a call: from no host in particular, or from those that the policy is for. */
function eventsFor(command: string, { rule, hosts }: LintedPolicy): readonly Event[] {
  const call = { on: 'before_tool', tool: 'shell', arguments: { command } } as const;
  if (!Object.hasOwn(rule.when, 'hosts')) return [bareEvent(call)];
  return hosts.flatMap((host) => {
    const decoded = host.decode(host.compose(call), settingFor(false));
    return decoded.type === 'event' ? [decoded.event] : [];
  });
}
