/** The cause of a failure in words; never a stack. A likely defect of ours is named as one. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDefect = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  return isDefect ? `${error.name}: ${error.message}` : error.message;
}

/** The state helps later events; if it cannot be read or written, that must not refuse this one. */
export function withoutFail<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
