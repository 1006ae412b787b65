import type { FactOutcome, PastCall } from '../../../model/history.ts';
import type { Truth } from '../../../model/truth.ts';

/** Whether a fact happened in an earlier call with this outcome; true only if no pipe or branch hides that. */
export function happened(call: PastCall, outcome: FactOutcome): Truth {
  if (!mayHave(call, outcome)) return false;
  return call.met && certainly(call, outcome) ? true : 'unknown';
}

function mayHave(call: PastCall, outcome: FactOutcome): boolean {
  const { refused, result, own, alone } = call;
  switch (outcome) {
    case 'asked':
      return true;
    case 'refused':
      return refused;
    case 'succeeded':
      return !refused && !(own && alone === true && result === 'failed');
    case 'failed':
      return !refused && !(own && result === 'succeeded');
    default:
      return !refused;
  }
}

function certainly({ ran, own, alone, result }: PastCall, outcome: FactOutcome): boolean {
  switch (outcome) {
    case 'done':
      return (ran && result !== 'open') || (own && result === 'succeeded');
    case 'succeeded':
      return own && result === 'succeeded';
    case 'failed':
      return own && alone === true && result === 'failed';
    default:
      return true;
  }
}
