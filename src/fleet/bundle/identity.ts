/** A signer without a key: the holder of a certificate of Sigstore, as it names them. */
export interface Identity {
  /** The URL of a workflow, or an email address. Of somebody who may sign it may have `*`, for any characters but `/`. */
  readonly subject: string;
  /** The URL of the OpenID Connect provider that has vouched for the subject. */
  readonly issuer: string;
}

/** True if the one who has signed is one who may. */
export function isIdentity(allowed: Identity, signer: Identity): boolean {
  return allowed.issuer === signer.issuer && patternOf(allowed.subject).test(signer.subject);
}

function patternOf(subject: string): RegExp {
  const parts = subject.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`);
}
