import { expect, test } from 'bun:test';
import { documentKind } from '../../src/language/policy/files/document-kind.ts';

test.each([
  ['/p/.policy/house.yaml', '', 'policy'],
  ['/p/.policy/house.test.yaml', '', 'test'],
  ['/p/packs/a.yaml', 'version: 1\npolicies:\n', 'policy'],
  ['/p/packs/a.yml', 'version: 1\nsettings:\n', 'policy'],
  ['/p/packs/a.test.yaml', 'cases:\n', 'test'],
  ['/p/packs/a.test.yaml', 'steps:\n', undefined],
  ['/p/pubspec.yaml', 'version: 1\nname: x\ndescription: y\n', undefined],
  ['/p/compose.yaml', 'version: 3\ntools:\n', undefined],
  ['/p/buf.gen.yaml', 'version: v2\nmanaged:\n', undefined],
  ['/p/.golangci.yaml', 'version: "2"\nsettings:\n', undefined],
  ['/p/lint.yaml', 'version: 1.2\ntools:\n', undefined],
  ['/p/README.md', 'version: 1\npolicies:\n', undefined],
])('%s with %j is a file of kind %j', (path, text, kind) => {
  expect(documentKind(path, text)).toBe(kind as ReturnType<typeof documentKind>);
});
