import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Policies that can match nothing, by class, with « before what is wrong; and what their authors meant. */
const PAIRS = load(readFileSync(join(import.meta.dir, 'dead-policies.yaml'), 'utf8')) as Readonly<
  Record<string, readonly (readonly [dead: string, sound: string])[]>
>;

const CASES = Object.entries(PAIRS).flatMap(([name, pairs]) =>
  pairs.map(([dead, sound]) => [name, dead, sound] as const),
);
/** What is said of policies that are no more than their keys. */
const BESIDE = ['no-test', 'model-unknown', 'host-unknown', 'host-degrades', 'host-misses', 'loose-name'];

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
}

const HEAD = 'version: 1\npolicies:\n  - id: one\n    ';

async function findingsIn(keys: string): Promise<readonly Finding[]> {
  const cwd = temporaryFolder({ 'policy.yaml': `${HEAD}${keys}\n    action: deny\n    reason: no\n` });
  const { stdout } = await runCli(['check', '--json', 'policy.yaml'], { cwd, env: { HOME: '/nonexistent' } });
  return JSON.parse(stdout).diagnostics;
}

describe('a policy that can match nothing', () => {
  test('there are sixty, and sixty twins', () => expect(CASES.length).toBeGreaterThanOrEqual(60));

  test.each(CASES)('%s: %s is named at its place', async (_class, dead) => {
    const before = (HEAD + dead).slice(0, (HEAD + dead).indexOf('«')).split('\n');
    const found = (await findingsIn(dead.replace('«', ''))).filter(({ code }) => !BESIDE.includes(code));
    const [first] = found;
    expect(found).toHaveLength(1);
    expect({ line: first?.line, column: first?.column }).toEqual({
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    });
    expect(first?.code).toBeOneOf(['never-matches', 'bad-value']);
    expect(first?.hint).toBeString();
    const [, written] = /^write (command: \{.*\})$/.exec(first?.hint ?? '') ?? [];
    const again = written === undefined ? [] : await findingsIn(written);
    expect(again.filter(({ code }) => !BESIDE.includes(code))).toEqual([]);
  });

  test.each(CASES.filter(([name]) => name === 'odd names'))('%s: %s loads', async (_class, dead) => {
    const found = await findingsIn(dead.replace('«', ''));
    expect(found.map(({ severity }) => severity)).not.toContain('error');
  });

  test.each(CASES)('%s: the twin of %s passes: %s', async (_class, _dead, sound) => {
    const found = await findingsIn(sound);
    expect(found.filter(({ code }) => !BESIDE.includes(code))).toEqual([]);
  });
});
