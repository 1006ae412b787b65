import type { Bundle } from '../../fleet/bundle/bundle.ts';
import type { Signature } from '../../fleet/bundle/signatures.ts';
import type { JsonObject } from '../../lib/json.ts';
import { countOf } from './layout/quantity.ts';

/** What a bundle says of itself, as data. */
export function bundleJson({ manifest, signatures, files }: Bundle): JsonObject {
  const { name, version, expires = null, digest, tests = null } = manifest;
  return {
    name,
    version,
    expires,
    digest,
    tests_digest: tests,
    signatures: signatures.map(signatureName),
    files: [...files].map(([path, { length }]) => ({ path, bytes: length })),
  };
}

/** The id of its key; `keyless` if it has none. */
function signatureName(signature: Signature): string {
  return 'key' in signature ? signature.key : 'keyless';
}

/** Who has signed a bundle: the id of a key, or the subject of a certificate. */
export function signerText(signedBy: string): string {
  return /^[0-9a-f]{16}$/.test(signedBy) ? `with key ${signedBy}` : `by ${signedBy}`;
}

/** The same for people. */
export function bundleText({ manifest, signatures, files }: Bundle): string {
  const { name, version, expires, digest, tests } = manifest;
  const rows = [
    ['bundle', `${name} ${version}`],
    ['expires', expires ?? 'never'],
    ['digest', digest],
    ['tests', tests ?? 'none'],
    ['signatures', signatures.map(signatureName).join(', ') || 'none'],
  ];
  const head = rows.map(([label = '', value]) => `${label.padEnd(12)}${value}\n`).join('');
  const list = [...files.keys()].map((path) => `  ${path}\n`).join('');
  return `${head}${countOf(files.size, 'file')}\n${list}`;
}
