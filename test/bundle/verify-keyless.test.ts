import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BundleError } from '../../src/fleet/bundle/bundle-error.ts';
import { isIdentity } from '../../src/fleet/bundle/identity.ts';
import { type BundleDemands, verifyBundle } from '../../src/fleet/bundle/verify-bundle.ts';
import { keylessSigner, readTrustedRoot } from '../../src/fleet/bundle/verify-keyless.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { signKeyless } from '../../src/tools/cli/bundle/sign-keyless.ts';
import { bundleOf, keyPair } from './make-bundle.ts';
import { type Sigstore, startSigstore, tokenOf } from './sigstore.ts';

const SUBJECT = 'https://github.com/acme/policies/.github/workflows/release.yml@refs/tags/v1.4.0';
const ISSUER = 'https://token.actions.githubusercontent.com';
const WORKFLOW = { subject: SUBJECT.replace('v1.4.0', '*'), issuer: ISSUER };
const SIGNED = Buffer.from('a manifest');

let ours: Sigstore;
let theirs: Sigstore;
const token = process.env['SIGSTORE_ID_TOKEN'];
beforeAll(async () => {
  [ours, theirs] = await Promise.all([startSigstore(), startSigstore()]);
  process.env['SIGSTORE_ID_TOKEN'] = tokenOf(SUBJECT, ISSUER);
});
afterAll(() => {
  if (token === undefined) delete process.env['SIGSTORE_ID_TOKEN'];
  else process.env['SIGSTORE_ID_TOKEN'] = token;
  ours.stop();
  theirs.stop();
});

function signed(by: Sigstore = ours, bytes: Uint8Array = SIGNED): Promise<JsonObject> {
  return signKeyless(bytes, { fulcioUrl: by.url, rekorUrl: by.url });
}

/** Changes a copy of a Sigstore bundle. */
async function changed(change: (bundle: ReturnType<typeof JSON.parse>) => void): Promise<JsonObject> {
  const copy = structuredClone(await signed());
  change(copy);
  return copy;
}

function refusal(sigstore: JsonObject, bytes: Uint8Array = SIGNED): string {
  try {
    return `taken from ${keylessSigner(sigstore, bytes, readTrustedRoot(ours.trustedRoot)).subject}`;
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
}

describe('a keyless signature', () => {
  test('says who has made it', async () => {
    expect(keylessSigner(await signed(), SIGNED, readTrustedRoot(ours.trustedRoot))).toEqual({
      subject: SUBJECT,
      issuer: ISSUER,
    });
  });

  test.each<[string, (bundle: ReturnType<typeof JSON.parse>) => void]>([
    [
      'is not in the log',
      (bundle) => {
        bundle.verificationMaterial.tlogEntries = [];
      },
    ],
    [
      'was logged at another time',
      (bundle) => {
        bundle.verificationMaterial.tlogEntries[0].integratedTime = '4102444800';
      },
    ],
    [
      'has another signature',
      (bundle) => {
        bundle.messageSignature.signature = Buffer.alloc(70, 1).toString('base64');
      },
    ],
    [
      'names a key in the place of the certificate',
      (bundle) => {
        delete bundle.verificationMaterial.certificate;
        bundle.verificationMaterial.publicKey = { hint: 'a' };
      },
    ],
    [
      'is an attestation',
      (bundle) => {
        delete bundle.messageSignature;
        bundle.dsseEnvelope = {
          payload: 'e30=',
          payloadType: 'application/vnd.in-toto+json',
          signatures: [{ sig: 'AAAA' }],
        };
      },
    ],
    [
      'is of another version',
      (bundle) => {
        bundle.mediaType = 'application/vnd.dev.sigstore.bundle.v9+json';
      },
    ],
  ])('does not hold that %s', async (_name, change) => {
    expect(refusal(await changed(change))).toStartWith('its keyless signature is invalid: ');
  });

  test('does not hold for other bytes, nor by a certificate of another authority', async () => {
    expect(refusal(await signed(), Buffer.from('a Manifest'))).toStartWith(
      'its keyless signature is invalid: ',
    );
    expect(refusal(await signed(theirs))).toStartWith('its keyless signature is invalid: ');
    expect(refusal(await signed())).toBe(`taken from ${SUBJECT}`);
  });

  test.each([
    ['there is no identity token; in GitHub Actions', undefined, undefined],
    ['its identity token is no JSON Web Token', 's3cret', undefined],
    ['error creating signing certificate: Invalid URL', tokenOf(SUBJECT, ISSUER), 'fulcio'],
    ['error creating signing certificate - (404)', tokenOf(SUBJECT, ISSUER), '/elsewhere'],
  ])('is not made: %s', async (message, token, place) => {
    const fulcioUrl = place?.startsWith('/') === true ? ours.url + place : (place ?? ours.url);
    delete process.env['SIGSTORE_ID_TOKEN'];
    if (token !== undefined) process.env['SIGSTORE_ID_TOKEN'] = token;
    try {
      await expect(signKeyless(SIGNED, { fulcioUrl, rekorUrl: ours.url })).rejects.toThrow(
        `it cannot be signed without a key: ${message}`,
      );
    } finally {
      process.env['SIGSTORE_ID_TOKEN'] = tokenOf(SUBJECT, ISSUER);
    }
  });
});

describe('a bundle that is signed without a key', () => {
  const key = keyPair();

  async function fate(more: Partial<BundleDemands>): Promise<string> {
    const bytes = await bundleOf({ signKeyless: (manifest) => signed(ours, manifest) });
    const demands = {
      keys: [],
      identities: [],
      withdrawn: [],
      nowMs: Date.now(),
      trustedRoot: ours.trustedRoot,
    };
    try {
      return `signed by ${(await verifyBundle(bytes, { ...demands, ...more })).signedBy}`;
    } catch (error) {
      if (error instanceof BundleError) return error.message;
      throw error;
    }
  }

  test('is taken from the identities that may, and from no others', async () => {
    expect(await fate({ identities: [WORKFLOW] })).toBe(`signed by ${SUBJECT}`);
    for (const identity of [
      { ...WORKFLOW, subject: WORKFLOW.subject.replace('acme/policies', 'acme/other') },
      { ...WORKFLOW, issuer: 'https://accounts.example' },
    ])
      expect(await fate({ identities: [identity] })).toBe(
        `it is signed by "${SUBJECT}" of ${ISSUER}, which is not an allowed identity`,
      );
    expect(await fate({ keys: [key.open] })).toBe('it is signed without a key, and no identity is allowed');
  });

  test('is refused with the trusted root of others', async () => {
    expect(await fate({ identities: [WORKFLOW], trustedRoot: undefined })).toStartWith(
      'its keyless signature is invalid: ',
    );
    expect(await fate({ identities: [WORKFLOW], trustedRoot: '{}' })).toBe(
      'it is not a Sigstore trusted root',
    );
  });
});

describe('an identity', () => {
  test.each([
    ['https://github.com/acme/*/.github/workflows/release.yml@refs/tags/*', true],
    [SUBJECT, true],
    ['https://github.com/acme/policies/.github/workflows/release.yml@refs/tags/v1', false],
    ['https://github.com/*', false],
    ['https://github.com/acme/policies/.github/workflows/releaseXyml@refs/tags/v1.4.0', false],
    ['*', false],
  ])('%s is the one that has signed: %p', (subject, is) => {
    expect(isIdentity({ subject, issuer: ISSUER }, { subject: SUBJECT, issuer: ISSUER })).toBe(is);
  });
});

test('the services that everybody may use have a trusted root in the program', () => {
  const { certificateAuthorities, tlogs, ctlogs } = readTrustedRoot(undefined);
  expect([certificateAuthorities, tlogs, ctlogs].every(({ length }) => length > 0)).toBe(true);
  expect(tlogs.map(({ baseUrl }) => baseUrl)).toContain('https://rekor.sigstore.dev');
});
