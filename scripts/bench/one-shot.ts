import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './bar.ts';
import { medians, once, type Subject } from './measure.ts';
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
      pass: hook('builtin:baseline', passing, 0),
      refuse: hook('builtin:baseline', geminiCall('rm -rf /', place.folder), 2),
      thousand: hook(thousand, passing, 0),
      node: { argv: ['node', nodeHook], stdin: passing, exitCode: 0 },
    },
    TIMES,
  );
  const wall = (name: 'pass' | 'refuse' | 'thousand' | 'node') => found[name].wallMs / found.floor.wallMs;
  const memory = (name: 'pass' | 'refuse' | 'thousand') => found[name].peakBytes / found.floor.peakBytes;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return [
    { name: 'floor: a compiled program that prints {}', value: found.floor.wallMs, unit: 'ms' },
    {
      name: 'a call that passes builtin:baseline, wall',
      value: wall('pass'),
      unit: 'x floor',
      bar: { atMost: 1.5 },
      note: ms(found.pass.wallMs),
    },
    {
      name: 'a call that passes builtin:baseline, memory',
      value: memory('pass'),
      unit: 'x floor',
      bar: { atMost: 1.5 },
    },
    {
      name: 'a call that builtin:baseline refuses, wall',
      value: wall('refuse'),
      unit: 'x floor',
      bar: { atMost: 2.2 },
      note: ms(found.refuse.wallMs),
    },
    {
      name: 'a call that builtin:baseline refuses, memory',
      value: memory('refuse'),
      unit: 'x floor',
      bar: { atMost: 2.2 },
    },
    {
      name: '1,000 policies, digest known, wall',
      value: wall('thousand'),
      unit: 'x floor',
      bar: { atMost: 1.7 },
      note: ms(found.thousand.wallMs),
    },
    {
      name: '1,000 policies, digest known, memory',
      value: memory('thousand'),
      unit: 'x floor',
      bar: { atMost: 1.7 },
    },
    {
      name: '1,000 policies, first run after a change',
      value: firstRun(place, thousand, hook(thousand, passing, 0)),
      unit: 'ms',
      bar: { atMost: 150 },
    },
    {
      name: 'the same call through a hook in Node, for scale',
      value: wall('node'),
      unit: 'x floor',
      note: ms(found.node.wallMs),
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
