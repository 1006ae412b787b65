import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readCommand } from '../../src/reader/commands/read-command.ts';

/** What is certain of the command `check` in a script. */
function certaintyOf(script: string): string {
  const { commands } = readCommand(script, { cwd: '/w', home: '/home/a' });
  const found = commands.filter(({ name }) => name === 'check');
  return found
    .map(({ certainty: { ran, own, hiddenBy } }) =>
      [own ? 'own' : hiddenBy, ran ? 'ran' : 'may run'].join(', '),
    )
    .join('; ');
}

test.each([
  ['check', 'own, ran'],
  ['cd sub && check', 'own, may run'],
  ['check && git push', 'own, ran'],
  ['echo a; check', 'own, ran'],
  ['check; echo done', 'sequence, ran'],
  ['check; true', 'sequence, ran'],
  ['check\ntrue', 'sequence, ran'],
  ['check || true', 'or, ran'],
  ['true || check', 'or, may run'],
  ['check || exit 1', 'own, ran'],
  ['check || exit', 'own, ran'],
  ['check || exit 0', 'or, ran'],
  ['check || exit 1; git push', 'own, ran'],
  ['(a || b) && check', 'own, may run'],
  ['check | tail -5', 'pipe, ran'],
  ['set -o pipefail; check | tail -5', 'own, ran'],
  ['set -euo pipefail\ncheck | tail -5\necho ok', 'own, ran'],
  ['set +o pipefail; check | tail', 'pipe, ran'],
  ['set -o pipefail; set +o pipefail; check | tail', 'pipe, ran'],
  ['(set -o pipefail); check | tail', 'pipe, ran'],
  ['[ -e x ] && set -o pipefail; check | tail', 'pipe, ran'],
  ['set -o pipefail; bash -c "check | tail"', 'pipe, ran'],
  ['yes | check', 'own, ran'],
  ['set -e; check; echo done', 'own, ran'],
  ['(set -e; check; echo done) && x', 'sequence, ran'],
  ['set -e; check && true; echo done', 'sequence, ran'],
  ['if check; then git push; fi', 'condition, ran'],
  ['if false; then check; fi', 'condition, may run'],
  ['while check; do :; done', 'condition, may run'],
  ['for f in a b; do check; done', 'condition, may run'],
  ['case $x in a) check;; esac', 'condition, may run'],
  ['! check', 'negation, ran'],
  ['check &', 'background, may run'],
  ['check & wait', 'background, may run'],
  ['{ check; }', 'own, ran'],
  ['( check )', 'own, ran'],
  ['exit 0; check', 'exit, may run'],
  ['if x; then exit; fi; check', 'exit, may run'],
  ['exec true; check', 'exit, may run'],
  ['exec check', 'own, ran'],
  ['set -n; check', 'exit, may run'],
  ['trap "exit 0" EXIT; check', 'exit, may run'],
  ['check; trap "exit 0" EXIT', 'exit, may run'],
  ['f() { check; }; f', 'own, ran'],
  ['f() { check; }', ''],
  ['f() { check; true; }; f', 'sequence, ran'],
  ['bash -c "check"', 'own, ran'],
  ['bash -lc "cd sub && check"', 'own, may run'],
  ['bash -c "check; true"', 'sequence, ran'],
  ['bash -c "exit 0"; check', 'own, ran'],
  ['eval check', 'own, ran'],
  ['env A=1 timeout 60 nice check', 'own, ran'],
  ['time check', 'own, ran'],
  ['npx check', 'own, ran'],
  ['nohup check &', 'background, may run'],
  ['setsid check', 'wrapper, may run'],
  ['sudo -b check', 'wrapper, may run'],
  ['echo a | xargs check', 'wrapper, may run'],
  ['find . -exec check {} +', 'wrapper, may run'],
  ['echo "$(check)"', 'wrapper, may run'],
  ['ssh host check', 'wrapper, may run'],
  ['$unknown; check', 'exit, may run'],
])('of %j it is certain: %s', (script, certainty) => {
  expect(certaintyOf(script)).toBe(certainty);
});

/** Scripts around one command, which fails in the test. */
const script = fc.letrec<{ list: string; item: string }>((tie) => ({
  item: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('check', 'true', 'false', ':') },
    { weight: 1, arbitrary: tie('list').map((list) => `{ ${list}; }`) },
    { weight: 1, arbitrary: tie('list').map((list) => `( ${list} )`) },
    { weight: 1, arbitrary: tie('list').map((list) => `bash -c '${list.replaceAll("'", '')}'`) },
    { weight: 1, arbitrary: tie('list').map((list) => `! { ${list}; }`) },
    { weight: 1, arbitrary: tie('list').map((list) => `if true; then ${list}; fi`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'set -e',
        'set -o pipefail',
        'set +e',
        'exit 0',
        'exit 1',
        'exit',
        'return 0',
      ),
    },
  ),
  list: fc
    .array(fc.tuple(tie('item'), fc.constantFrom(' && ', ' || ', '; ', ' | ')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) =>
      parts.map(([item, join], index) => (index === parts.length - 1 ? item : item + join)).join(''),
    ),
}));

test('where a script succeeds in bash, no command has failed of which the status is said to be its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certainty-'));
  try {
    const scripts = fc.sample(script.list, { numRuns: 1_200, seed: 7 }).filter(
      (text) =>
        text.includes('check') &&
        certaintyOf(text)
          .split('; ')
          .every((each) => each.startsWith('own')),
    );
    expect(scripts.length).toBeGreaterThan(60);
    const lines = scripts.map((text, index) => {
      writeFileSync(join(folder, `${index}.sh`), text);
      return `timeout 5 bash ${index}.sh >/dev/null 2>&1 && echo ${index}`;
    });
    // The command leaves a mark where it runs, and fails.
    writeFileSync(join(folder, 'check'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    writeFileSync(join(folder, 'all.sh'), lines.join('\n'));
    const { stdout } = Bun.spawnSync(['bash', 'all.sh'], {
      cwd: folder,
      env: { PATH: `${folder}:/usr/bin:/bin` },
    });
    const succeeded = stdout.toString().trim().split('\n').filter(Boolean);
    expect(succeeded.map((index) => scripts[Number(index)])).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
