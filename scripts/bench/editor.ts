import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEditor } from '../../test/e2e/lsp/client.ts';
import type { Figure } from './bar.ts';
import { median } from './measure.ts';
import type { Workplace } from './workplace.ts';

const POLICIES = 200;
const POLICIES_PER_FILE = 50;
const ROUNDS = 5;
/** The texts that somebody types into a new policy, with the bar for the cursor: a key, a program, a flag. */
const TYPED = ['|', 'command: {run: |}', 'command: {subcommand: [git, push], flags: {any: |}}'];

/** How long an editor waits for the findings of `policy lsp` in policies with examples, and for completions. */
export async function measureEditor(place: Workplace): Promise<readonly Figure[]> {
  const folder = writeProject(join(place.folder, 'editor'));
  const path = join(folder, '.policy/f0.yaml');
  const text = readFileSync(path, 'utf8');
  const first: number[] = [];
  const completions: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    const editor = await startEditor(folder);
    await editor.open(path, text);
    await editor.findings(path);
    first.push(performance.now() - startMs);
    for (const typed of TYPED) {
      const askedMs = performance.now();
      await editor.at('textDocument/completion', path, `${text}  - id: new\n    ${typed}\n`);
      completions.push(performance.now() - askedMs);
    }
    await editor.stop();
  }
  return [
    {
      name: `from starting policy lsp to the findings of ${POLICIES} policies`,
      value: median(first),
      unit: 'ms',
      bar: { atMost: 300 },
    },
    {
      name: 'the slowest of the completions of policy lsp',
      value: Math.max(...completions),
      unit: 'ms',
      bar: { atMost: 50 },
    },
  ];
}

function writeProject(folder: string): string {
  mkdirSync(join(folder, '.policy'), { recursive: true });
  for (let first = 0; first < POLICIES; first += POLICIES_PER_FILE) {
    const policies = Array.from({ length: POLICIES_PER_FILE }, (_, index) => {
      const command = `tool-${first + index}`;
      return `  - id: p${index}
    command: {run: ${command}, flags: {any: --force}}
    action: deny
    reason: Not from here
    examples: {hit: [{command: ${command} --force}], miss: [{command: ${command}}]}
`;
    });
    writeFileSync(
      join(folder, `.policy/f${first / POLICIES_PER_FILE}.yaml`),
      `version: 1\npolicies:\n${policies.join('')}`,
    );
  }
  return folder;
}
