import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINT_RULES } from '../../src/language/lint/registry.ts';
import { DIAGNOSTIC_KINDS } from '../../src/model/diagnostic-kinds.ts';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dir, '../..');
const PACKS = readdirSync(join(ROOT, 'policies')).filter((name) =>
  existsSync(join(ROOT, 'policies', name, 'policy.yaml')),
);
const DOCS = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly line: number;
  readonly message: string;
}

async function findingsIn(cwd: string, path: string): Promise<readonly Finding[]> {
  const { stdout } = await runCli(['check', '--json', path], { cwd, env: { HOME: '/nonexistent' } });
  return JSON.parse(stdout).diagnostics;
}

/** A policy file in a page: a block that says which version of the language it is in. */
interface Sample {
  readonly page: string;
  readonly line: number;
  readonly text: string;
  /** The codes that a comment above it names: a sample of something odd. */
  readonly finds: readonly string[];
}

function samplesIn(page: string): readonly Sample[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/(?:<!-- finds: ([\w, -]+?) -->\n)?```ya?ml\n([\s\S]*?)```/g)].flatMap(
    ([, finds, yaml], index) => {
      const isPolicies = /^version: 1$/m.test(yaml ?? '') && /^(policies|tools):/m.test(yaml ?? '');
      const line = text.slice(0, [...text.matchAll(/```ya?ml\n/g)][index]?.index).split('\n').length;
      return isPolicies ? [{ page, line, text: yaml ?? '', finds: finds?.split(/, */) ?? [] }] : [];
    },
  );
}

const SAMPLES = DOCS.flatMap(samplesIn);

describe('policy check', () => {
  test.each(PACKS)('has nothing to say of pack %s', async (name) => {
    const findings = await findingsIn(ROOT, join('policies', name));
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });

  test.each(SAMPLES.map((sample) => [`${sample.page}:${sample.line}`, sample] as const))(
    'says of the policies in %s what the page says',
    async (_place, { text, finds }) => {
      const cwd = temporaryFolder({
        'policy.yaml': text,
        'package.json': '{"scripts": {"build": "tsc"}}',
        'recorded.yaml': 'results: []',
      });
      const findings = await findingsIn(cwd, 'policy.yaml');
      // A page shows what it is about, and seldom tests as well.
      // Whether a page's policies load is tested elsewhere: here is no file that they could extend.
      const codes = findings.filter(({ code, severity }) =>
        finds.length > 0 ? finds.includes(code) : severity === 'warning' && code !== 'no-test',
      );
      expect([...new Set(codes.map(({ code }) => code))].sort()).toEqual([...finds].sort());
    },
  );

  test('has nothing to say of what policy init writes', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.git'));
    await runCli(['init'], { cwd });
    expect(await findingsIn(cwd, '.policy')).toEqual([]);
  });
});

describe('docs/lint.md', () => {
  const page = readFileSync(join(ROOT, 'docs/lint.md'), 'utf8');
  const sections = [...page.matchAll(/^### (\S+)$/gm)].map(([, code]) => code ?? '');

  test('has a section for every code', () => {
    expect([...sections].sort()).toEqual(Object.keys(DIAGNOSTIC_KINDS).sort());
  });

  test('shows an example of every finding, which the check finds', () => {
    const codes = new Set(LINT_RULES.flatMap((rule): readonly string[] => rule.codes));
    const shown = SAMPLES.filter((sample) => sample.page === 'docs/lint.md').flatMap(({ finds }) => finds);
    expect([...codes].filter((code) => !shown.includes(code))).toEqual([]);
  });
});
