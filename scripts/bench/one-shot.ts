import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './bar.ts';
import { medians, once, type Run, type Subject } from './measure.ts';
import { geminiCall, type Workplace } from './workplace.ts';

const TIMES = 40;

const NODE_HOOK = `
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; });
process.stdin.on('end', () => {
  const event = JSON.parse(text);
  const denied = /rm\\s+-rf/.test(event.tool_input.command);
  process.stdout.write(JSON.stringify(denied ? { decision: 'deny', reason: 'no' } : {}));
  process.exitCode = denied ? 2 : 0;
});
`;

/** The hook as Gemini CLI and jcli start it: a process for every call. */
export function measureOneShot(place: Workplace): readonly Figure[] {
  const nodeHook = join(place.folder, 'hook.mjs');
  writeFileSync(nodeHook, NODE_HOOK);
  const thousand = place.policiesOf(1_000);
  const passing = geminiCall('git status --short', place.folder);
  const hook = (policies: string, stdin: string, exitCode: number): Subject => ({
    argv: [place.policy, 'hook', '--host', 'gemini', '--policies', policies],
    stdin,
    exitCode,
    env: place.env,
    cwd: place.folder,
  });
  const found = medians(
    {
      floor: { argv: [place.floor], stdin: passing, exitCode: 0, env: place.env },
      lean: { argv: [place.leanFloor], stdin: passing, exitCode: 0, env: place.env },
      pass: hook('builtin:baseline', passing, 0),
      refuse: hook('builtin:baseline', geminiCall('rm -rf /', place.folder), 2),
      thousand: hook(thousand, passing, 0),
      node: { argv: ['node', nodeHook], stdin: passing, exitCode: 0 },
    },
    TIMES,
  );
  const { floor, lean } = found;
  const figures = (name: string, run: Run, bars: { floor: number; lean: number }): readonly Figure[] => [
    {
      name: `${name}, wall`,
      value: run.wallMs / floor.wallMs,
      unit: 'x floor',
      bar: { atMost: bars.floor },
      note: `${run.wallMs.toFixed(1)} ms`,
    },
    {
      name: `${name}, wall`,
      value: run.wallMs / lean.wallMs,
      unit: 'x lean floor',
      bar: { atMost: bars.lean },
    },
    {
      name: `${name}, memory`,
      value: run.peakBytes / floor.peakBytes,
      unit: 'x floor',
      bar: { atMost: bars.floor },
      note: `${(run.peakBytes / 1e6).toFixed(1)} MB`,
    },
  ];
  return [
    { name: 'floor: a compiled program that prints {}', value: floor.wallMs, unit: 'ms' },
    { name: 'lean floor: the same with writeSync and exit', value: lean.wallMs, unit: 'ms' },
    ...figures('a call that passes builtin:baseline', found.pass, { floor: 1.5, lean: 2.8 }),
    ...figures('a call that builtin:baseline refuses', found.refuse, { floor: 2.2, lean: 4.2 }),
    ...figures('1,000 policies, digest known', found.thousand, { floor: 1.7, lean: 3.4 }),
    {
      name: '1,000 policies, first run after a change',
      value: firstRun(place, thousand, hook(thousand, passing, 0)),
      unit: 'ms',
      bar: { atMost: 150 },
    },
    {
      name: 'the same call through a hook in Node, for scale',
      value: found.node.wallMs / floor.wallMs,
      unit: 'x floor',
      note: `${found.node.wallMs.toFixed(1)} ms`,
    },
  ];
}

/** The best of a few: the figure is about the work, not about what else the machine does. */
function firstRun(place: Workplace, folder: string, subject: Subject): number {
  const times = Array.from({ length: 5 }, (_, index) => {
    appendFileSync(join(place.folder, 'policies-1000', 'file-0.yaml'), `# change ${index} in ${folder}\n`);
    return once(subject).wallMs;
  });
  return Math.min(...times);
}
