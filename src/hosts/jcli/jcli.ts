import type { Host } from '../host.ts';
import { saysEvent } from '../recognise.ts';
import { compose } from './compose.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { EVENTS } from './events.ts';
import { GENERATIONS, generationOf } from './generation.ts';
import { GUARDS } from './guards.ts';
import { hookConfiguration } from './hook-configuration.ts';
import { recallReason, rememberReason } from './pending-reasons.ts';
import { refuse } from './refuse.ts';
import { supportsOf } from './supports.ts';
import { TOOLS } from './tools.ts';

/** jcli (`j`): one JSON object on stdin, one on stdout, for each event a process. Facts as of 12.11. */
export const jcli = {
  name: 'jcli',
  title: 'jcli',
  facts: 'measured on 12.11',
  framing: 'document',
  timeoutS: () => 10,
  versions: GENERATIONS,
  events: EVENTS,
  supports: supportsOf,
  versionOf: ({ raw }, setting) => generationOf(setting, raw),
  tools: TOOLS,
  // A result comes without arguments and errors; the failure is about calls that have not run.
  results: { by: 'tool', unmarked: ['unknown', 'not_run'] },
  guards: GUARDS,
  recognise: (message) => saysEvent(message, EVENTS, 'event'),
  decode,
  encode,
  refuse,
  recall: recallReason,
  remember: rememberReason,
  compose,
  hookConfiguration,
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
} satisfies Host;
