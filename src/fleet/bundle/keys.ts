import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { sha256Of } from '../../lib/digest.ts';
import { BundleError } from './bundle-error.ts';

const ID_LENGTH = 16;

/** A key that signs or verifies. */
export interface Key {
  /** By which signatures and messages name it: the first 16 hex digits of the SHA-256 of its public half (DER). */
  readonly id: string;
  readonly key: KeyObject;
}

/** A new Ed25519 key pair in PEM. */
export function generateKeys(): { readonly publicText: string; readonly secretText: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicText: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    secretText: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * The public key in a text: PEM, or the lines between its first and last one.
 *
 * @throws BundleError if it is none
 */
export function readPublicKey(text: string): Key {
  if (text.includes('PRIVATE KEY'))
    throw new BundleError('it is the secret key; name the public one, NAME.pub');
  const inner = text.replace(/-----[A-Z ]+-----/g, '').replace(/\s/g, '');
  return keyIn(() => createPublicKey({ key: Buffer.from(inner, 'base64'), format: 'der', type: 'spki' }));
}

/**
 * The secret key in a PEM text.
 *
 * @throws BundleError if it is none
 */
export function readSecretKey(text: string): Key {
  if (text.includes('PUBLIC KEY')) throw new BundleError('it is not a secret key; name NAME.key');
  return keyIn(() => createPrivateKey(text));
}

function keyIn(read: () => KeyObject): Key {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    throw new BundleError('it is not a key from policy bundle keygen', { cause: error });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new BundleError('it is not an Ed25519 key');
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const id = sha256Of(publicKey.export({ type: 'spki', format: 'der' })).slice(0, ID_LENGTH);
  return { id, key };
}
