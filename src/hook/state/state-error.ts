import { messageOf } from '../../lib/message-of.ts';

/** The state could not be read or written. The message says which part and why, never its content. */
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

/** A `StateError` that names the error below it. */
export function stateError(message: string, cause: unknown): StateError {
  const why = messageOf(cause);
  return new StateError(`${message}: ${why}`, { cause });
}
