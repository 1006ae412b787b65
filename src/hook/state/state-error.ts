import { messageOf } from '../../lib/message-of.ts';
/** The state could not be read or written. The message says which part and why, never what is in it. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

/** A `StateError` that tells what went wrong below it. */
export function stateError(message: string, cause: unknown): StateError {
  const why = messageOf(cause);
  return new StateError(`${message}: ${why}`, { cause });
}
