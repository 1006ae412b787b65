import { withTimeLimit } from '../lib/time-limit.ts';
import { restricts } from '../model/action.ts';
import type { Decision } from '../model/decision.ts';
import { settle } from './evaluate-event.ts';
import { causeOf } from './failure.ts';
import type { Arrived, ResponderOptions } from './responder-options.ts';
import { failure, type Judged, type Verdict } from './verdict.ts';

const NONE_ALLOWED: ReadonlySet<string> = new Set();
/** Each is judged by the calls that the one before has missed; if models are asked, others come in between. */
const MAX_TRIES = 5;

/** How an event that was judged again is brought to a verdict, and how the host carries out a decision. */
export interface KeepPorts {
  readonly past: (verdict: Verdict) => Verdict | Promise<Verdict>;
  readonly fit: (decision: Decision) => Decision;
}

/**
 * Keeps a call. If others have changed its history, it is judged again with the store locked. While models or people are asked
 * it is not locked, and the call is kept only if nothing has changed meanwhile.
 */
export function keepCall(
  options: ResponderOptions,
  arrived: Arrived,
  verdict: Verdict,
  ports: KeepPorts,
  tries = MAX_TRIES,
): Verdict | Promise<Verdict> {
  const { again, remembering } = verdict;
  if (remembering === undefined) return verdict;
  const keep = (decided: Verdict): boolean =>
    withTimeLimit(options.limit(), () =>
      remembering.keep(ports.fit(decided.outcome.decision), decided.grant?.allowed !== undefined),
    );
  try {
    if (keep(verdict) || again === undefined) return noted(verdict);
    if (tries === 0)
      return noted({ ...failure('other calls come in between all the time', arrived.event), remembering });
    const judged = remembering.exclusively((): Judged | { readonly kept: Verdict } => {
      const second = again.past(NONE_ALLOWED);
      if ('pending' in second || restricts(second.outcome.decision.action)) return second;
      return keep(second) ? { kept: second } : second;
    });
    if ('kept' in judged) return noted(judged.kept);
    const next = settle(options, arrived, judged, (second) =>
      restricts(second.outcome.decision.action) ? ports.past(second) : second,
    );
    const keepNext = (second: Verdict) => keepCall(options, arrived, second, ports, tries - 1);
    return next instanceof Promise ? next.then(keepNext) : keepNext(next);
  } catch (error) {
    return noted({ ...failure(causeOf(error), arrived.event), remembering });
  }
}

/** The log names a store that cannot be used, whatever was decided. */
function noted(verdict: Verdict): Verdict {
  const problem = verdict.remembering?.problem();
  return problem === undefined || verdict.failed !== undefined ? verdict : { ...verdict, failed: problem };
}
