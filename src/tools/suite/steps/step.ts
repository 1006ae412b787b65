import type { BareCall } from '../../../hosts/host.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { TEXT } from '../../../lib/schema-parts.ts';
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
