import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
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
  test.each(load(readFileSync(join(import.meta.dir, 'source-name.yaml'), 'utf8')) as [string, SourceName][])(
    'reads %s',
    (name, wanted) => {
      expect(parsed(name)).toEqual(wanted);
    },
  );

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
