import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../test/e2e/judge/model-server.ts';
import type { Figure } from './bar.ts';
import { medians } from './measure.ts';
import { geminiCall, type Workplace } from './workplace.ts';

const TIMES = 80;

const RULE = `version: 1
policies:
  - id: asked
    tool: shell
    arguments: {command: '^make\\b'}
`;

/** Measures the cost of a verdict that is known already beside a rule that says the same. */
export async function measureJudge(place: Workplace): Promise<readonly Figure[]> {
  const server = startModelServer(() => ({ verdict: 'deny', reason: 'not on a Friday' }));
  try {
    const call = geminiCall('make all', place.folder);
    const hook = (name: string, text: string) => {
      const file = join(place.folder, name);
      writeFileSync(file, RULE + text);
      const argv = [place.policy, 'hook', '--host', 'gemini', '--policies', file];
      return { argv, stdin: call, exitCode: 2, env: place.env, cwd: place.folder };
    };
    const rule = hook('rule.yaml', '    action: deny\n    reason: not on a Friday\n');
    const judged = hook(
      'judge.yaml',
      `    type: llm_judge
    prompt: 'May this run? {{arguments.command}}'
    provider: openai-compatible
    base_url: ${server.url}/v1
    model: tested
`,
    );
    // The only run that asks; the server answers while it waits.
    const first = Bun.spawn([...judged.argv], {
      stdin: Buffer.from(call),
      env: { PATH: process.env['PATH'] ?? '', ...place.env },
      cwd: place.folder,
      stdout: 'ignore',
      stderr: 'inherit',
    });
    await first.exited;
    const found = medians({ rule, judged }, TIMES);
    if (server.received.length !== 1)
      throw new Error(`Cannot measure a cached verdict: the model was asked ${server.received.length} times`);
    return [
      {
        name: 'a cached verdict of a judge, beyond a rule',
        value: found.judged.wallMs - found.rule.wallMs,
        unit: 'ms',
        bar: { atMost: 3 },
        note: `${found.judged.wallMs.toFixed(1)} ms, rule ${found.rule.wallMs.toFixed(1)} ms`,
      },
    ];
  } finally {
    await server.stop();
  }
}
