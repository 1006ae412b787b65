import type { BareCall } from '../../../hosts/host.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { TEXT } from '../../../lib/schema-parts.ts';
import type { Action } from '../../../model/action.ts';
import type { Decision } from '../../../model/decision.ts';
import type { NamedCheck } from '../expect/expect-key.ts';

/** The fate of a call of a step that is let through. */
export const STEP_OUTCOMES = ['succeeded', 'failed', 'done', 'none'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

/** One call of several in order. */
export interface Step {
  readonly call: BareCall;
  readonly label: string;
  readonly outcome: StepOutcome;
  /** The result that it shows. */
  readonly result: string;
  /** How long after the step before it. */
  readonly afterMs: number;
  readonly checks: readonly NamedCheck[];
}

/** After these the call does not run as it was asked for. */
const PREVENTS: ReadonlySet<Action> = new Set([
  'deny',
  'abort_turn',
  'hard_abort',
  'retry_feedback',
  'respond',
]);

/** True if a call does not run; a kept answer may have been seen. */
export function isHeld({ action, kept }: Pick<Decision, 'action' | 'kept'>): boolean {
  return PREVENTS.has(action) && kept !== true;
}

export const STEP_KEYS: Readonly<Record<string, JsonObject>> = {
  call: {
    description: 'The call: a name in "calls", or the call itself',
    anyOf: [{ description: 'A name in "calls"', ...TEXT }, { $ref: '#/$defs/call' }],
  },
  outcome: {
    description:
      'Its result if it is let through: succeeded by default; done: it ended in some way; none: no result comes',
    enum: STEP_OUTCOMES,
  },
  result: { description: 'The text that it shows', type: 'string' },
  after: { description: 'How long after the step before it: 10m; a second unless given', ...TEXT },
  expect: {
    description: 'The expected result: an action, or more about the answer',
    $ref: '#/$defs/expect',
  },
};
