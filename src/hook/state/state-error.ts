import { messageOf } from '../../lib/message-of.ts';

/** The state could not be read or written. The message says which part and why, never what is in it. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

/** Turns whatever an action throws into a `StateError` that begins with this message. */
export function guarded<T>(message: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof StateError ? error : stateError(message, error);
  }
}

/** A `StateError` that says what went wrong below it. */
export function stateError(message: string, cause: unknown): StateError {
  const why = messageOf(cause);
  return new StateError(`${message}: ${why}`, { cause });
}
