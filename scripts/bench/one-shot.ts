import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ONE_CALL } from '../../src/hosts/clean-start.ts';
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
  const hook = (
    policies: string | undefined,
    stdin: string,
    exitCode: number,
    cwd = place.folder,
  ): Subject => ({
    argv: [
      place.policy,
      'hook',
      '--host',
      'gemini',
      ...(policies === undefined ? [] : ['--policies', policies]),
    ],
    stdin,
    exitCode,
    env: { ...place.env, ...ONE_CALL },
    cwd,
  });
  const own = (command: string, exitCode: number, project = place.project) =>
    hook(undefined, geminiCall(command, project), exitCode, project);
  const found = medians(
    {
      floor: { argv: [place.floor], stdin: passing, exitCode: 0, env: place.env },
      pass: hook('builtin:baseline', passing, 0),
      passReading: hook('builtin:baseline', geminiCall('grep -rn word src | head -20', place.folder), 0),
      refuse: hook('builtin:baseline', geminiCall('rm -rf /', place.folder), 2),
      ownPass: own('git status --short', 0),
      ownRefuse: own('rm -rf /', 2),
      sharedPass: own('git status --short', 0, place.sharing),
      thousand: hook(thousand, passing, 0),
      node: { argv: ['node', nodeHook], stdin: passing, exitCode: 0 },
    },
    TIMES,
  );
  const { floor } = found;
  const figures = (name: string, run: Run, bars: { wall: number; pageFaults: number }): readonly Figure[] => [
    {
      name: `${name}, wall`,
      value: run.wallMs / floor.wallMs,
      unit: 'x floor',
      bar: { atMost: bars.wall },
      note: `${run.wallMs.toFixed(1)} ms`,
    },
    {
      name: `${name}, page faults`,
      value: run.pageFaults / floor.pageFaults,
      unit: 'x floor',
      bar: { atMost: bars.pageFaults },
      note: `${run.pageFaults}; ${(run.peakBytes / 1e6).toFixed(1)} MB`,
    },
  ];
  return [
    {
      name: 'floor: a compiled program that prints {}',
      value: floor.wallMs,
      unit: 'ms',
      note: `${floor.pageFaults} page faults; ${(floor.peakBytes / 1e6).toFixed(1)} MB`,
    },
    ...figures('a call that passes builtin:baseline', found.pass, { wall: 1.2, pageFaults: 1.35 }),
    ...figures('a call that reads files and passes it', found.passReading, { wall: 1.2, pageFaults: 1.35 }),
    ...figures('a call that builtin:baseline refuses', found.refuse, { wall: 1.8, pageFaults: 2.15 }),
    ...figures('a call that passes all packs and a project', found.ownPass, { wall: 1.6, pageFaults: 1.4 }),
    ...figures('a call that these refuse', found.ownRefuse, { wall: 2, pageFaults: 2.25 }),
    {
      // As close as these two are, times say more about other work of the machine.
      name: 'a locked source in the place of own policies, page faults',
      value: found.sharedPass.pageFaults / found.ownPass.pageFaults,
      unit: 'x own',
      bar: { atMost: 1.05 },
      note: `${found.sharedPass.wallMs.toFixed(1)} ms for ${found.ownPass.wallMs.toFixed(1)}`,
    },
    ...figures('1,000 policies, digest known', found.thousand, { wall: 1.7, pageFaults: 2 }),
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

/** The best of a few: the figure is about the work, not about other work of the machine. */
function firstRun(place: Workplace, folder: string, subject: Subject): number {
  const times = Array.from({ length: 5 }, (_, index) => {
    appendFileSync(join(place.folder, 'policies-1000', 'file-0.yaml'), `# change ${index} in ${folder}\n`);
    return once(subject).wallMs;
  });
  return Math.min(...times);
}
