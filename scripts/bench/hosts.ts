import { HOSTS } from '../../src/hosts/registry.ts';
import type { Figure } from './bar.ts';
import { medians, type Subject } from './measure.ts';
import type { Workplace } from './workplace.ts';

const TIMES = 8;
/** The hosts that there were first, of those that start a process for each call. */
const FIRST: readonly string[] = ['gemini', 'jcli'];

/** The same call from every host that starts a process for it: a new host must cost neither itself nor the others more. */
export function measureHosts(place: Workplace): readonly Figure[] {
  const subjects = HOSTS.filter(({ framing }) => framing === 'document').map((host): [string, Subject] => {
    const message = host.compose({
      on: 'before_tool',
      tool: 'shell',
      arguments: { command: 'git status --short' },
      context: { cwd: place.folder },
    });
    const argv = [place.policy, 'hook', '--host', host.name, '--policies', 'builtin:baseline'];
    return [
      host.name,
      { argv, stdin: JSON.stringify(message), exitCode: 0, env: place.env, cwd: place.folder },
    ];
  });
  const found = Object.entries(medians(Object.fromEntries(subjects), TIMES));
  const most = (runs: typeof found) => runs.toSorted(([, a], [, b]) => b.pageFaults - a.pageFaults)[0];
  const first = most(found.filter(([name]) => FIRST.includes(name)));
  const dearest = most(found.filter(([name]) => !FIRST.includes(name)));
  if (first === undefined || dearest === undefined) throw new Error('there are no hosts to compare');
  return [
    {
      name: `a call that passes builtin:baseline, dearest host (${dearest[0]}), page faults`,
      value: dearest[1].pageFaults / first[1].pageFaults,
      unit: `x ${first[0]}`,
      bar: { atMost: 1.05 },
      note: `${dearest[1].pageFaults}; ${dearest[1].wallMs.toFixed(1)} ms to ${first[1].wallMs.toFixed(1)} ms`,
    },
  ];
}
