import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';
import { saysEvent, saysIn } from '../recognise.ts';
import { compose } from './compose.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { EVENTS } from './events.ts';
import { GUARDS } from './guards.ts';
import { hookConfiguration } from './hook-configuration.ts';
import { refuse } from './refuse.ts';
import { RESULTS } from './results.ts';
import { SUPPORTS } from './supports.ts';
import { TOOLS } from './tools.ts';

/** Gemini CLI: one JSON object on stdin, one on stdout, for each event a process. Facts as of 0.61. */
export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI',
  facts: 'measured on 0.61',
  framing: 'document',
  timeoutS: () => 60,
  versions: [],
  events: EVENTS,
  supports: () => SUPPORTS,
  tools: TOOLS,
  results: RESULTS,
  guards: GUARDS,
  // Other hosts have events of the same names, but for those that only this one has.
  recognise: (message) =>
    saysEvent(message, EVENTS) &&
    (/^(?:Before|After)/.test(String(message['hook_event_name'])) ||
      message['hook_event_name'] === 'PreCompress' ||
      saysIn(message, 'transcript_path', '/.gemini/')),
  decode,
  encode,
  refuse,
  compose,
  hookConfiguration,
  installation: async (): Promise<Installation> =>
    (await import('./installation.ts')).installationFor(gemini),
  sessions: async () => (await import('./sessions.ts')).sessions,
} satisfies Host;
