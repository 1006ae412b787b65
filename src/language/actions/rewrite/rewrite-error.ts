/**
 * A rewrite that cannot be carried out, so that what would pass is not what the policy asks for. Whoever applies
 * rewrites turns it into the refusal of the event; the message says which part and why.
 */
export class RewriteError extends Error {
  override readonly name = 'RewriteError';
}
