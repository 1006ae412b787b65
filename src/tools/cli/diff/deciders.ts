import { createEngine } from '../../../language/engine/engine.ts';
import type { Decider } from '../../compare/comparison.ts';
import { decide, loggedVerdict } from '../../compare/decide.ts';
import type { KnownCall } from '../../compare/known-call.ts';
import { UsageError } from '../io.ts';
import type { PolicySide } from './open-set.ts';

/** Decides by a set of policies. */
export function deciderOf({ compiled }: PolicySide): Decider {
  const engine = createEngine(compiled.program);
  return deciderFor(() => engine);
}

/** Decides each call by the policies that count for it. */
export function deciderFor(engineOf: (call: KnownCall) => ReturnType<typeof createEngine>): Decider {
  return (call) => call.sample && decide(call.sample, engineOf(call))?.verdict;
}

/**
 * Takes what the log says.
 *
 * @throws UsageError for a call that was never decided
 */
export function asLogged(call: KnownCall): ReturnType<Decider> {
  if (call.record !== undefined) return loggedVerdict(call);
  const hint = call.host === undefined ? '' : '; policy scan shows what would have been refused in sessions';
  throw new UsageError(
    `Cannot compare "${call.label}" with what was decided: no decision is known; name OLD and NEW${hint}`,
  );
}
