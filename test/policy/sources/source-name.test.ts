import { describe, expect, test } from 'bun:test';
import {
  fileInSource,
  isSourceName,
  parseSourceName,
  type SourceName,
} from '../../../src/policy/sources/source-name.ts';

function parsed(name: string): SourceName {
  const result = parseSourceName(name);
  if ('cause' in result) throw new Error(result.cause);
  return result;
}

describe('parseSourceName', () => {
  test.each<[string, Omit<SourceName, 'kind'>]>([
    [
      'git+https://example.com/acme/policies#v1.2.0:shell/*.yaml',
      {
        source: 'git+https://example.com/acme/policies#v1.2.0',
        location: 'https://example.com/acme/policies',
        revision: 'v1.2.0',
        path: 'shell/*.yaml',
      },
    ],
    [
      'git+ssh://git@example.com/acme/policies.git#release/1.x',
      {
        source: 'git+ssh://git@example.com/acme/policies.git#release/1.x',
        location: 'ssh://git@example.com/acme/policies.git',
        revision: 'release/1.x',
        path: '',
      },
    ],
    [
      'git+file:///srv/policies#:./shell/',
      {
        source: 'git+file:///srv/policies',
        location: 'file:///srv/policies',
        revision: undefined,
        path: 'shell',
      },
    ],
  ])('reads %s', (name, wanted) => {
    expect(parsed(name)).toEqual({ kind: 'git', ...wanted });
  });

  test.each([
    ['http://example.com/a', 'sources are'],
    ['git://example.com/a', 'sources are'],
    ['git+http://example.com/a', 'sources are'],
    ['ftp://example.com/a.tar.gz', 'sources are'],
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

  test.each(['git+https://example.com/a#v1:', 'git+https://example.com/a#:'])(
    'names a file of %s as extends would',
    (name) => {
      const file = fileInSource(parsed(name), 'shell/a.yaml');
      expect(parsed(file)).toEqual({ ...parsed(name), path: 'shell/a.yaml' });
    },
  );
});
