import type { Host } from '../host.ts';
import { compose } from './compose.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { EVENTS } from './events.ts';
import { GUARDS } from './guards.ts';
import { hookConfiguration } from './hook-configuration.ts';
import { refuse } from './refuse.ts';
import { SUPPORTS } from './supports.ts';
import { TOOLS } from './tools.ts';

/** Gemini CLI: one JSON object on stdin, one on stdout, for each event a process. Facts as of 0.61. */
export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI',
  framing: 'document',
  timeoutS: () => 60,
  versions: [],
  events: EVENTS,
  supports: () => SUPPORTS,
  tools: TOOLS,
  guards: GUARDS,
  recognise: (env) => env['GEMINI_SESSION_ID'] !== undefined,
  decode,
  encode,
  refuse,
  compose,
  hookConfiguration,
  installation: async () => (await import('./installation.ts')).installation,
  sessions: async () => (await import('./sessions.ts')).sessions,
} satisfies Host;
