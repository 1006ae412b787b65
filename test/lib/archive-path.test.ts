import { expect, test } from 'bun:test';
import { archivePathProblem } from '../../src/lib/path/archive-path.ts';

test.each([
  ['../evil.yaml', 'leads out of it'],
  ['a/../../evil.yaml', 'leads out of it'],
  ['/etc/policy/evil.yaml', 'leads out of it'],
  ['..', 'leads out of it'],
  ['a\\..\\evil.yaml', 'has characters in its name that not every system takes'],
  ['C:evil.yaml', 'has characters in its name that not every system takes'],
  ['a\nb.yaml', 'has characters in its name that not every system takes'],
  ['a//b.yaml', 'has no usual name'],
  ['./a.yaml', 'has no usual name'],
  ['', 'has no usual name'],
  [`${'a'.repeat(201)}.yaml`, 'has no usual name'],
  ['a/'.repeat(600), 'has too long a name'],
])('a file of an archive that is called %p %s', (path, problem) => {
  expect(archivePathProblem(path)).toBe(problem);
});

test.each(['a.yaml', 'team/a.yaml', '..a/b..yaml', 'größe/ä.yaml', '.policy/a.yaml'])(
  'a file of an archive may be called %p',
  (path) => {
    expect(archivePathProblem(path)).toBeUndefined();
  },
);
