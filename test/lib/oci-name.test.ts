import { describe, expect, test } from 'bun:test';
import { parseOciName } from '../../src/lib/oci-name.ts';

describe('parseOciName', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  test.each([
    [
      'oci://registry.example.com/team/policies:1.4.0',
      'registry.example.com',
      'team/policies',
      '1.4.0',
      undefined,
    ],
    [`oci://localhost:5000/a@${digest}`, 'localhost:5000', 'a', undefined, digest],
    [`oci://[::1]:5000/a__b/c-d.e:v1@${digest}`, '[::1]:5000', 'a__b/c-d.e', 'v1', digest],
    ['oci://ghcr.io/acme/policies', 'ghcr.io', 'acme/policies', undefined, undefined],
  ])('reads %s', (text, host, repository, tag, known) => {
    expect(parseOciName(text)).toEqual({ host, repository, tag, digest: known });
  });

  test.each([
    'https://ghcr.io/acme/policies',
    'oci://ghcr.io',
    'oci://ghcr.io/Acme/policies',
    'oci://ghcr.io/../policies',
    'oci://ghcr.io/a//b',
    'oci://user:pass@ghcr.io/a',
    'oci://ghcr.io/a:b:c',
    'oci://ghcr.io/a@sha256:abc',
    'oci://ghcr.io/a?x=1',
    'oci://ghcr.io/a b',
  ])('takes %s for no name', (text) => {
    expect(parseOciName(text)).toBeUndefined();
  });
});
