import type { Host } from '../../../hosts/host.ts';
import { finding, type HookFinding, note } from '../../../hosts/installation.ts';
import type { Bypass, BypassCause, Proof } from '../../compare/proof.ts';
import { countOf, timeText } from '../../report/layout/quantity.ts';

/** Since when the agent is guarded is not known. */
export function unrecordedNote({ title }: Host): HookFinding {
  const message = `there is no record of an install for ${title}, and no decision: it is not known since when it is guarded`;
  return note('not-proven', message, 'run policy install, unless it was just installed by hand');
}

/** There is nothing to compare with. */
export function noLogNote({ title }: Host): HookFinding {
  const message = `the hook of ${title} writes no log, so its calls cannot be compared`;
  return note('not-proven', message, 'take --no-log out of its line');
}

/** Notes on calls that neither the sessions nor the log show. */
export function unprovenNotes(
  { title }: Host,
  {
    unreadable,
    torn,
    unknown,
    elsewhere,
    aheadMs,
    misdated,
    outside,
  }: Pick<Proof, 'unknown' | 'elsewhere' | 'aheadMs'> & {
    readonly unreadable: number;
    readonly torn: number;
    readonly misdated: number;
    readonly outside: number;
  },
): readonly HookFinding[] {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const notes: readonly (readonly [number, string, string])[] = [
    [
      unreadable,
      `${countOf(unreadable, 'session file')} of ${title} cannot be read, so these sessions are unknown`,
      'policy scan PATH shows the readable sessions',
    ],
    [
      torn,
      `${countOf(torn, 'session file')} of ${title} ${torn === 1 ? 'has' : 'have'} lines that cannot be read, so their calls are unknown`,
      'look for torn lines in its session files, unless it is at work right now',
    ],
    [
      unknown,
      `${countOf(unknown, 'call')} of ${title} without a decision may have run: ${unknown === 1 ? 'its session does' : 'their sessions do'} not say how ${unknown === 1 ? 'it' : 'they'} ended`,
      'policy log --since 7d shows what was decided; look into the session',
    ],
    [
      elsewhere,
      `${countOf(elsewhere, 'session')} of ${title} with decisions ${elsewhere === 1 ? 'has' : 'have'} no session file here: the agent may use another home`,
      'run policy doctor with the environment in which the agent runs',
    ],
    [
      misdated,
      `${countOf(misdated, 'session file')} of ${title} ${misdated === 1 ? 'is' : 'are'} newer than the hook, but all its calls are dated earlier and have no decision: the clocks may differ`,
      'check if the agent has worked there since',
    ],
    [
      outside,
      `${countOf(outside, 'call')} of ${title} ${outside === 1 ? 'was' : 'were'} made outside of this project, whose hook alone is known here`,
      'run policy install without --project, or policy doctor there',
    ],
    [
      minutes,
      `the clock of the sessions of ${title} is ${countOf(minutes, 'minute')} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the decision log; calls are compared as if it was not`,
      'set the clocks, or older calls may count and newer ones may not',
    ],
  ];
  return notes.flatMap(([count, message, fix]) => (count === 0 ? [] : [note('not-proven', message, fix)]));
}

const CAUSES: Readonly<Record<BypassCause, readonly [message: string, fix: string]>> = {
  refused: [
    'the agent ignored the answer of the hook',
    'update the agent, and look for another hook or a setting that lets calls pass',
  ],
  'no decision in the session': [
    'their sessions have no decision at all: the hook was off there, or the agent had another home or settings folder',
    'check how the session was started, and run policy doctor with that environment',
  ],
  subagent: [
    'they are calls of subagents, whose hooks do not run',
    'update the agent, or keep it from starting subagents',
  ],
  server: [
    'they are calls of MCP tools, for which the hook is not asked',
    'run policy install, which asks for all tools',
  ],
  tool: [
    'no call of this tool has a decision in these sessions: the agent does not ask the hook about it, or the hook leaves it out',
    'run policy install, which asks for all tools, or remove the tool',
  ],
  'some calls': [
    'other calls of these sessions have a decision: the hook was switched on or off meanwhile, or failed and the agent went on',
    'policy log --since 7d shows what was decided; look for the time of the first call',
  ],
};

export function bypassFinding(
  { title }: Host,
  { cause, calls, sessions, first }: Bypass,
  { byCall }: Proof,
): HookFinding {
  const [why, fix] = CAUSES[cause];
  const verb = byCall || cause === 'refused' ? 'ran' : 'more ran than were decided';
  const how = cause === 'refused' ? 'although refused' : 'without a decision';
  const when = first.time === undefined ? '' : ` at ${timeText(first.time)} UTC`;
  const message = `${countOf(calls, 'call')} of ${title} in ${countOf(sessions, 'session')} ${verb} ${how}, the first ${first.tool}${when} in session ${first.session}: ${why}`;
  return finding('bypassed', message, fix);
}
