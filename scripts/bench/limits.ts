import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './bar.ts';
import { median } from './measure.ts';
import type { Workplace } from './workplace.ts';

const SHIPPED = ['baseline', 'secrets', 'git-safety', 'self-protection', 'model-guard'];

/** Patterns and texts made to be slow together. */
const HOSTILE_PATTERNS = ['(a+)+$', '(a|aa)+b', '[ab]*a[ab]{200}c', '(x+x+)+y', '(.*?,){20}z', '(?i)(k|s)+!'];
const HOSTILE_TEXTS = ['a', 'ab', 'x', ',', 'kS'].map((piece) => piece.repeat(1_000_000 / piece.length));

/** Commands that take long to read if any part of them is looked through more than once. */
const HOSTILE_COMMANDS = [
  `sed $'${'\\n'.repeat(64_000)}' f`,
  `sed ${`-e '${'\n'.repeat(4_000)}' `.repeat(12)} f`,
  `sed '${';s%a'.repeat(12_000)}' f`,
  `find . -name '${'*'.repeat(64_000)}' -exec rm {} +`,
  `x='${'['.repeat(64_000)}/]'; rm $x`,
  `node -e '${'[/'.repeat(32_000)}'`,
  `x=$(printf '%${'0'.repeat(64_000)}!'); rm $x`,
  `git clone 'h:${'/'.repeat(64_000)}x'`,
];

/** Commands of a size or a depth that nobody writes. */
const EXTREME_COMMANDS = [
  'echo $('.repeat(100_000),
  `echo ${'$('.repeat(50_000)}${')'.repeat(50_000)}`,
  ';'.repeat(1_000_000),
  `echo x${' > f'.repeat(10_000)}`,
  `echo x${Array.from({ length: 10_000 }, (_, index) => ` > folder/f${index}`).join('')}`,
];

/** Inputs that are large or made to hurt, timed inside one process that has been warmed up. */
export async function measureLimits(place: Workplace): Promise<readonly Figure[]> {
  const packs = SHIPPED.flatMap((name) => ['--policies', `builtin:${name}`]);
  const words = 'The quick brown fox jumps over the lazy dog; count 12345 and path src/index.ts. ';
  const megabyte = words.repeat(Math.ceil(1_000_000 / words.length));
  const large = await answerTimes(place, packs, [
    call('write_file', { path: 'notes.txt', content: megabyte }),
    call('exec', { action: 'run', command: `cat > notes.txt <<'EOF'\n${megabyte}\nEOF` }),
    result('exec', megabyte),
  ]);
  const commands = await answerTimes(
    place,
    packs,
    HOSTILE_COMMANDS.map((command) => call('exec', { action: 'run', command })),
  );
  const extremes = await answerTimes(
    place,
    ['--policies', 'builtin:baseline'],
    EXTREME_COMMANDS.map((command) => call('exec', { action: 'run', command })),
  );
  const hostile = join(place.folder, 'hostile.yaml');
  const policies = HOSTILE_PATTERNS.map(
    (pattern, index) =>
      `  - {id: hostile-${index}, tool: write, arguments: {content: ${JSON.stringify(pattern)}}, action: deny}\n`,
  );
  writeFileSync(hostile, `version: 1\npolicies:\n${policies.join('')}`);
  const slow = await answerTimes(
    place,
    ['--policies', hostile],
    HOSTILE_TEXTS.map((content) => call('write_file', { path: 'a', content })),
  );
  return [
    {
      name: '1 MB of arguments judged by the shipped packs',
      value: Math.max(...large),
      unit: 'ms',
      bar: { atMost: 30 },
      note: `write, here-document, result: ${large.map((ms) => ms.toFixed(1)).join(', ')} ms`,
    },
    {
      name: '100,000 nested $(, 1 MB of ;, 10,000 redirections',
      value: Math.max(...extremes),
      unit: 'ms',
      bar: { atMost: 50 },
      note: `${extremes.map((ms) => ms.toFixed(1)).join(', ')} ms`,
    },
    {
      name: 'the slowest decision over hostile commands',
      value: Math.max(...commands),
      unit: 'ms',
      bar: { atMost: 200 },
    },
    {
      name: 'the slowest decision over hostile patterns and texts',
      value: Math.max(...slow),
      unit: 'ms',
      bar: { atMost: 500 },
    },
  ];
}

function call(tool: string, args: Record<string, string>): object {
  return { method: 'hook.before_tool', params: { meta: {}, tool, arguments: args } };
}

function result(tool: string, text: string): object {
  return {
    method: 'hook.after_tool',
    params: { meta: {}, tool, arguments: {}, result: { for_llm: text, silent: false } },
  };
}

/** The median time of each message over a few tries, with the pipe's own time taken off. */
async function answerTimes(
  place: Workplace,
  policies: readonly string[],
  messages: readonly object[],
): Promise<readonly number[]> {
  const child = Bun.spawn([place.policy, 'hook', '--host', 'picoclaw', '--no-log', ...policies], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { PATH: process.env['PATH'] ?? '', ...place.env },
    cwd: place.folder,
  });
  const reader = child.stdout.getReader();
  let id = 1;
  const timed = async (message: object): Promise<number> => {
    const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: id++, ...message })}\n`);
    const startNs = Bun.nanoseconds();
    child.stdin.write(line);
    await child.stdin.flush();
    for (let read = await reader.read(); read.value?.at(-1) !== 10; read = await reader.read()) {
      if (read.done) throw new Error('The hook ended before it had answered');
    }
    return (Bun.nanoseconds() - startNs) / 1e6;
  };
  const times: number[] = [];
  for (const message of messages) {
    const tries: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const pipeMs = await timed({ method: 'hook.unknown', params: { padding: JSON.stringify(message) } });
      tries.push(Math.max((await timed(message)) - pipeMs, 0));
    }
    times.push(median(tries));
  }
  child.stdin.end();
  await child.exited;
  return times;
}
