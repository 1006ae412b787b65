import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { pageText, tableRows } from './markdown.ts';

const PAGE = 'docs/install.md';

test('docs/install.md lists the codes of all findings, and no other', () => {
  const listed = tableRows(PAGE, 'doctor').flatMap(([cell = '']) =>
    [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code),
  );
  const files = ['src/hosts', 'src/tools/cli/doctor', 'src/tools/cli/install'].flatMap((folder) =>
    [...new Bun.Glob('**/*.ts').scanSync(join(import.meta.dir, '../..', folder))].map(
      (name) => `${folder}/${name}`,
    ),
  );
  const used = files.flatMap((file) =>
    [...pageText(file).matchAll(/\b(?:finding|note|drop)\(\s*'([a-z-]+)'/g)].map(([, code = '']) => code),
  );
  expect(listed.toSorted()).toEqual([...new Set(used)].toSorted());
});
