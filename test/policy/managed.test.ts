import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { managedRecordText, parseManagedRecord } from '../../src/language/policy/files/managed-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { denying, optionsIn, placeIn, problemsOf } from './support.ts';

const KEY = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=';
const MANAGED = `version: 1\nmanaged: {url: https://policies.example.com/acme.tgz, keys: [${KEY}]}\n`;
const DIGEST = 'ab'.repeat(32);
const RECORD = {
  bundle: { name: 'acme', version: '1.0.0', digest: `sha256:${DIGEST}`, signedBy: 'k', expires: undefined },
  checked: '2026-11-23T12:00:00.000Z',
  staleAt: undefined,
  onStale: 'refuse',
} as const;

function compiled(folder: string) {
  const place = placeIn(folder, { managedFolder: join(folder, 'managed') });
  return compileFiles(optionsIn(folder, { place }));
}

test.each([
  ['org/managed.yaml', []],
  ['config/policy/managed.yaml', ['config/policy/managed.yaml:2:1']],
  ['project/.policy/managed.yaml', ['project/.policy/managed.yaml:2:1']],
])('managed in %s has warnings at %p', (file, places) => {
  const folder = temporaryFolder({
    [file]: MANAGED,
    'managed/current.json': managedRecordText(RECORD),
    [`managed/sha256/${DIGEST}/team.yaml`]: denying('team'),
  });
  const { notices } = compiled(folder);
  expect(notices.map(({ position }) => `${position.file}:${position.line}:${position.column}`)).toEqual(
    places,
  );
  for (const { message } of notices)
    expect(message).toMatch(/^Cannot use "managed" in a (user|project) file: it has no/);
});

describe('the bundle in force', () => {
  test('is in the layer of the organisation', () => {
    const folder = temporaryFolder({
      'managed/current.json': managedRecordText(RECORD),
      [`managed/sha256/${DIGEST}/team.yaml`]: denying('team'),
      'managed/sha256/other/old.yaml': denying('old'),
    });
    const { program } = compiled(folder);
    expect(program.rules.flatMap(({ id, layer }) => (layer === 'builtin' ? [] : [[id, layer]]))).toEqual([
      ['team/team', 'organisation'],
    ]);
  });

  test.each<[string, string, string]>([
    ['is damaged', '{', 'Cannot read policy file "managed/current.json": it is damaged'],
    ['is of another version', '{"version": 2}', 'it is damaged'],
    ['names a place outside', managedRecordText(RECORD).replace(DIGEST, '../../x'), 'it is damaged'],
    [
      'has a tree that is gone',
      managedRecordText(RECORD),
      `"managed/sha256/${DIGEST}": there is no such file`,
    ],
    [
      'could never be fetched',
      managedRecordText({
        ...RECORD,
        bundle: undefined,
        checked: undefined,
        staleAt: '1970-01-01T00:00:00.000Z',
      }),
      'Cannot rely on the managed policies: they could never be fetched',
    ],
  ])('refuses every call where its record %s', (_, text, problem) => {
    const folder = temporaryFolder({ 'managed/current.json': text });
    const place = placeIn(folder, { managedFolder: join(folder, 'managed') });
    expect(problemsOf(optionsIn(folder, { place })).join('\n')).toContain(problem);
  });

  test.each([
    ['refuses', '', ['error stale']],
    ['only says so', ', on_stale: warn', ['warning stale']],
  ])('%s where nothing was ever fetched', (_, onStale, wanted) => {
    const folder = temporaryFolder({ 'org/managed.yaml': MANAGED.replace('}', `${onStale}}`) });
    const { diagnostics } = compiled(folder);
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(wanted);
  });

  test('is written as it is read', () => {
    for (const bundle of [
      RECORD.bundle,
      { ...RECORD.bundle, expires: '2027-01-01T00:00:00.000Z' },
      undefined,
    ])
      expect(parseManagedRecord(managedRecordText({ ...RECORD, bundle }))).toEqual({ ...RECORD, bundle });
  });
});
