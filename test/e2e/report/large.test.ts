import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const RUNNER = join(import.meta.dir, '../../support/run-measured.ts');

interface Measured {
  readonly stdout: string;
  readonly exitCode: number;
  readonly processorMs: number;
  readonly maxRssBytes: number;
}

function measured(home: string, args: readonly string[]): Measured {
  const { stdout } = Bun.spawnSync([process.execPath, RUNNER, BINARY, ...args], {
    cwd: home,
    env: { HOME: home, PATH: process.env['PATH'] ?? '' },
    stdin: 'ignore',
  });
  return JSON.parse(stdout.toString());
}

test('a report on hundreds of thousands of decisions takes seconds and little memory', () => {
  const home = temporaryFolder();
  const state = join(home, '.local/state/policy');
  mkdirSync(state, { recursive: true });
  const lines = Array.from({ length: 100_000 }, (_, index) => {
    const isRefused = index % 10 === 0;
    const id = `pack/policy-${index % 50}`;
    return JSON.stringify({
      version: 1,
      decision_id: `3k2.1a.mi7k-${index}`,
      time: new Date(Date.UTC(2026, 10, 1) + index * 20_000).toISOString(),
      host: index % 2 === 0 ? 'gemini' : 'jcli',
      event: 'before_tool',
      tool: 'run_shell_command',
      session: `session-${index % 1_000}`,
      action: isRefused ? 'deny' : 'continue',
      ...(isRefused ? { policy: id } : {}),
      policies: isRefused ? [{ id, how: 'matched', action: 'deny' }] : [],
      skipped: [],
      ...(isRefused
        ? { reason: `Refused by ${id}: it must not be done.`, times: [{ id, own_us: index % 999 }] }
        : {}),
      duration_us: index % 5_000,
    });
  });
  const text = `${lines.join('\n')}\n`;
  for (let file = 1; file <= 3; file++)
    writeFileSync(join(state, `decisions.${String(file).padStart(9, '0')}.jsonl`), text);
  const { stdout, exitCode, processorMs, maxRssBytes } = measured(home, ['report', '--html', 'report.html']);
  expect([exitCode, stdout]).toEqual([0, 'Wrote report.html: 300,000 decisions\n']);
  expect(processorMs).toBeLessThan(4_000);
  expect(maxRssBytes).toBeLessThan(200 * 1024 * 1024);
}, 120_000);

test('a scan judges thousands of past calls a second', () => {
  const home = temporaryFolder();
  const commands = [
    'git status',
    'npm run build && cat README.md',
    "rg -n 'foo' src | head -20",
    'rm -rf node_modules && npm ci',
  ];
  for (let session = 0; session < 10; session++) {
    const calls = Array.from({ length: 150 }, (_, index) => {
      const id = `${session}-${index}`;
      const command = `${commands[index % commands.length]}${index % 3 === 0 ? ` # ${id}` : ''}`;
      return { id, name: 'run_shell_command', args: { command }, timestamp: '2026-11-20T09:38:00Z' };
    });
    const records = [
      { sessionId: `s${session}`, projectHash: 'h' },
      { id: 'm', type: 'gemini', toolCalls: calls },
    ];
    const path = join(home, `.gemini/tmp/p${session % 5}/chats/session-${session}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  const { stdout, exitCode, processorMs } = measured(home, ['scan', '--json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ calls: 1_500, sessions: 10 });
  expect(processorMs).toBeLessThan(2_000);
}, 120_000);
