import { describe, expect, test } from 'bun:test';
import {
  fileInSource,
  isSourceName,
  parseSourceName,
  type SourceName,
} from '../../../src/language/policy/sources/source-name.ts';

function parsed(name: string): SourceName {
  const result = parseSourceName(name);
  if ('cause' in result) throw new Error(result.cause);
  return result;
}

describe('parseSourceName', () => {
  test.each<[string, SourceName]>([
    [
      'git+https://example.com/acme/policies#v1.2.0:shell/*.yaml',
      {
        kind: 'git',
        source: 'git+https://example.com/acme/policies#v1.2.0',
        location: 'https://example.com/acme/policies',
        revision: 'v1.2.0',
        path: 'shell/*.yaml',
      },
    ],
    [
      'git+ssh://git@example.com/acme/policies.git#release/1.x',
      {
        kind: 'git',
        source: 'git+ssh://git@example.com/acme/policies.git#release/1.x',
        location: 'ssh://git@example.com/acme/policies.git',
        revision: 'release/1.x',
        path: '',
      },
    ],
    [
      'git+file:///srv/policies#:./shell/',
      {
        kind: 'git',
        source: 'git+file:///srv/policies',
        location: 'file:///srv/policies',
        revision: undefined,
        path: 'shell',
      },
    ],
    [
      'https://example.com/a/policies-1.2.tar.gz?key=a#policies-1.2/shell/',
      {
        kind: 'https',
        source: 'https://example.com/a/policies-1.2.tar.gz?key=a',
        location: 'https://example.com/a/policies-1.2.tar.gz?key=a',
        revision: undefined,
        path: 'policies-1.2/shell',
      },
    ],
    [
      'http://127.0.0.1:8080/policies.tgz',
      {
        kind: 'https',
        source: 'http://127.0.0.1:8080/policies.tgz',
        location: 'http://127.0.0.1:8080/policies.tgz',
        revision: undefined,
        path: '',
      },
    ],
    [
      'oci://registry.example.com/acme/policies:1.4.0#shell',
      {
        kind: 'oci',
        source: 'oci://registry.example.com/acme/policies:1.4.0',
        location: 'oci://registry.example.com/acme/policies:1.4.0',
        revision: undefined,
        path: 'shell',
      },
    ],
  ])('reads %s', (name, wanted) => {
    expect(parsed(name)).toEqual(wanted);
  });

  test.each([
    ['http://example.com/a', 'sources are'],
    ['git://example.com/a', 'sources are'],
    ['git+http://example.com/a', 'sources are'],
    ['ftp://example.com/a.tar.gz', 'sources are'],
    ['npm:@acme/policies@1.2.3', 'by its folder in node_modules'],
    ['http://localhost.example.com/a.tgz', 'sources are'],
    ['https://me:secret@example.com/a.tgz', 'name or password'],
    ['https://example.com/acme/policies', 'it is not an archive'],
    ['https://example.com/acme/policies#a.tgz', 'it is not an archive'],
    ['https://example.com/a.tgz#../../etc', 'leads out'],
    ['oci://registry.example.com', 'bundles in registries are named'],
    ['oci://me:secret@registry.example.com/acme/policies', 'name or password'],
    ['git+https://me:secret@example.com/a#v1', 'name or password'],
    ['git+https://example.com/a b#v1', 'characters'],
    ['git+https://example.com/a#--upload-pack=x', 'no tag'],
    ['git+https://example.com/a#v1..v2', 'no tag'],
    ['git+https://example.com/a#v1^{commit}', 'no tag'],
    ['git+https://example.com/a#v1:../../etc', 'leads out'],
    ['git+https://example.com/a#v1:/etc', 'leads out'],
  ])('refuses %s: %s', (name, cause) => {
    expect(isSourceName(name)).toBe(true);
    expect(parseSourceName(name)).toMatchObject({ cause: expect.stringContaining(cause) });
  });

  test.each([
    '../team',
    './a.yaml',
    'builtin:baseline',
    '/etc/policy/a.yaml',
    'C:\\policies\\a.yaml',
    '*.yaml',
  ])('%s is no source', (name) => {
    expect(isSourceName(name)).toBe(false);
  });

  test.each([
    'git+https://example.com/a#v1:',
    'git+https://example.com/a#:',
    'https://example.com/a.tgz#',
    'oci://registry.example.com/acme/policies@sha256:abababababababababababababababababababababababababababababababab#',
  ])('names a file of %s as extends would', (name) => {
    const file = fileInSource(parsed(name), 'shell/a.yaml');
    expect(parsed(file)).toEqual({ ...parsed(name), path: 'shell/a.yaml' });
  });
});
