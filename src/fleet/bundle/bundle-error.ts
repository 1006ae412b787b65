/** Why a bundle is refused, or cannot be made. The message begins with "it" and is after a colon. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}
