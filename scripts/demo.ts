// Plays a conversation of each host through the built binary and shows every answer. `npm run demo` runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONVERSATIONS, type Conversation, type Step } from './demo/conversation.ts';

const POLICY = join(import.meta.dir, '../dist/policy');
const PACKS = ['baseline', 'self-protection', 'git-safety', 'secrets', 'weather-plugin-example'];
/** The policies that had most to say, below the table's head. */
const REPORT_ROWS = 9;
const color = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';
const home = mkdtempSync(join(tmpdir(), 'policy-demo-'));
const paint = (code: number, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);

interface Answer {
  readonly text: string;
  readonly exitCode: number | undefined;
}

try {
  for (const conversation of CONVERSATIONS) {
    console.log(`\n${paint(1, conversation.title)}`);
    const answers =
      conversation.host === 'picoclaw'
        ? await playLines(conversation)
        : conversation.steps.map((step) => playOne(conversation, step));
    conversation.steps.forEach((step, index) => {
      console.log(`  ${step.says}`);
      console.log(`    ${describe(answers[index])}`);
    });
  }
  const report = run(['report'], '').stdout.toString().trimEnd().split('\n');
  console.log(`\nEvery decision was logged; ${paint(1, 'policy report')} counts them by policy:\n`);
  console.log([...report.slice(0, REPORT_ROWS), '…', report.at(-1)].join('\n'));
} finally {
  rmSync(home, { recursive: true, force: true });
}

function argv(host: string): readonly string[] {
  return ['hook', '--host', host, ...PACKS.flatMap((pack) => ['--policies', `builtin:${pack}`])];
}

function run(args: readonly string[], stdin: string, env: Readonly<Record<string, string>> = {}) {
  return Bun.spawnSync([POLICY, ...args], {
    stdin: Buffer.from(stdin),
    env: { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1', ...env },
  });
}

function playOne({ host }: Conversation, step: Step): Answer {
  const child = run(argv(host), JSON.stringify(step.message), step.env);
  return { text: child.stdout.toString().trim(), exitCode: child.exitCode };
}

async function playLines({ host, steps }: Conversation): Promise<readonly Answer[]> {
  const lines = steps.map(({ message }, index) =>
    JSON.stringify({ jsonrpc: '2.0', id: index + 1, ...message }),
  );
  const child = run(argv(host), `${lines.join('\n')}\n`);
  const byId = new Map(
    child.stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result: unknown })
      .map(({ id, result }) => [id, JSON.stringify(result)]),
  );
  return steps.map((_, index) => ({ text: byId.get(index + 1) ?? 'no answer', exitCode: undefined }));
}

function describe(answer: Answer | undefined): string {
  if (answer === undefined) return 'no answer';
  const exit = answer.exitCode === undefined ? '' : `exit ${answer.exitCode} `;
  const refused = /deny|skip|approved":false|abort|is_error":true/.test(answer.text);
  return `${paint(refused ? 31 : 32, refused ? '✗' : '✓')} ${exit}${answer.text}`;
}
