import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './bar.ts';
import { median, medians } from './measure.ts';
import type { Workplace } from './workplace.ts';

const CASES = 10_000;
const CASES_PER_FILE = 1_000;

const POLICY = `version: 1
name: bench
policies:
  - {id: push, command: {subcommand: [git, push], flags: {any: --force}}, action: deny, reason: No}
  - {id: keys, path: {match: ['~/.ssh/**', '**/*.pem'], uses: [read]}, action: deny, reason: No}
  - {id: pnpm, tool: shell, arguments: {command: '^npm '}, action: modify, rewrite: {replace: [{at: command, regex: '^npm ', with: 'pnpm '}]}}
`;
const SAMPLES = [
  ['git push --force origin b', 'deny'],
  ['git push origin b', 'continue'],
  ['npm install p', 'modify'],
  ['cd a && ls -la | sort', 'continue'],
  ['cat ~/.ssh/id_ed25519', 'deny'],
] as const;

/** How long `policy test` takes for many cases, whether its memory grows with them, and how soon a change is run. */
export async function measureSuite(place: Workplace): Promise<readonly Figure[]> {
  const subject = (folder: string) => ({
    argv: [place.policy, 'test', folder],
    stdin: '',
    env: place.env,
    exitCode: 0,
  });
  const runs = medians({ few: subject(casesIn(place, CASES)), many: subject(casesIn(place, 4 * CASES)) }, 3);
  return [
    {
      name: `${CASES.toLocaleString('en-US')} cases run by policy test`,
      value: runs.few.wallMs,
      unit: 'ms',
      bar: { atMost: 1_500 },
      note: `four times as many: ${Math.round(runs.many.wallMs)} ms`,
    },
    {
      name: 'memory of policy test for four times as many cases',
      value: runs.many.peakBytes / runs.few.peakBytes,
      unit: 'x',
      // The collector's slack; 160,000 cases take no more.
      bar: { atMost: 1.5 },
      note: `${Math.round(runs.few.peakBytes / 1e6)} MB`,
    },
    {
      name: 'from a changed test to its result with --watch',
      value: await watchMs(place),
      unit: 'ms',
      bar: { atMost: 200 },
    },
  ];
}

function casesIn(place: Workplace, count: number): string {
  const folder = join(place.folder, `suite-${count}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'bench.yaml'), POLICY);
  for (let file = 0; file * CASES_PER_FILE < count; file += 1) {
    writeFileSync(
      join(folder, `${file}.test.yaml`),
      `cases:\n${Array.from({ length: CASES_PER_FILE }, caseText).join('')}`,
    );
  }
  return folder;
}

function caseText(_: unknown, index: number): string {
  const [command, action] = SAMPLES[index % SAMPLES.length] ?? SAMPLES[0];
  return `  - {name: case ${index}, call: {command: '${command}${index}'}, expect: ${action}}\n`;
}

/** The median time between writing a test and the end of its run, over a suite that is not small. */
async function watchMs(place: Workplace): Promise<number> {
  const folder = join(place.folder, `suite-${CASES}`);
  const child = Bun.spawn([place.policy, 'test', '--watch', folder], {
    stdout: 'pipe',
    stderr: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', ...place.env },
    cwd: place.folder,
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  const endOfRun = async () => {
    for (let text = ''; !/\d (?:µs|ms|s)\n$/.test(text); ) {
      const { value, done } = await reader.read();
      if (done) throw new Error('The watch ended');
      text += decoder.decode(value, { stream: true });
    }
  };
  try {
    await endOfRun();
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await Bun.sleep(1_000);
      const startNs = Bun.nanoseconds();
      appendFileSync(join(folder, '0.test.yaml'), `  - {call: {command: ls ${round}}, expect: continue}\n`);
      await endOfRun();
      times.push((Bun.nanoseconds() - startNs) / 1e6);
    }
    return median(times);
  } finally {
    child.kill('SIGKILL');
  }
}
