import type { Bundle } from '../bundle/bundle.ts';
import type { JsonObject } from '../lib/json.ts';
import { countOf } from './quantity.ts';

/** What a bundle says of itself, as data. */
export function bundleJson({ manifest, signatures, files }: Bundle): JsonObject {
  const { name, version, expires = null, digest, tests = null } = manifest;
  return {
    name,
    version,
    expires,
    digest,
    tests_digest: tests,
    signatures: signatures.map(({ key }) => key),
    files: [...files].map(([path, { length }]) => ({ path, bytes: length })),
  };
}

/** The same for people. */
export function bundleText({ manifest, signatures, files }: Bundle): string {
  const { name, version, expires, digest, tests } = manifest;
  const rows = [
    ['bundle', `${name} ${version}`],
    ['expires', expires ?? 'never'],
    ['digest', digest],
    ['tests', tests ?? 'none'],
    ['signatures', signatures.map(({ key }) => key).join(', ') || 'none'],
  ];
  const head = rows.map(([label = '', value]) => `${label.padEnd(12)}${value}\n`).join('');
  const list = [...files.keys()].map((path) => `  ${path}\n`).join('');
  return `${head}${countOf(files.size, 'file')}\n${list}`;
}
