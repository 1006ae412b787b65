/** A source could not be fetched, or is not what it should be. The message says why and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
