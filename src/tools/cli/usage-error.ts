/** The command line does not say something that can be done. The message says what is wrong and what is wanted. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
