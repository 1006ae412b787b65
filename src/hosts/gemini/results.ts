import type { CallResults } from '../call-results.ts';

/** What the shell has printed, and behind it Gemini's own lines: those about an exit code or a signal only if there is one. */
const PRINTED = ['tool_response.llmContent'] as const;

/** What the results of Gemini CLI tell, by the source of 0.61; there are no ids. Versions before wrote all lines always. */
export const RESULTS: CallResults = {
  by: 'arguments',
  marks: [
    { at: ['tool_response.error'], means: 'failed' },
    { at: ['tool_input.is_background'], means: 'unknown' },
    {
      of: 'shell',
      at: PRINTED,
      is: /\nExit Code: 0\nSignal: \(none\)\nBackground PIDs: \(none\)\nProcess Group PGID: .*\s*$/,
      means: 'succeeded',
    },
    {
      of: 'shell',
      at: PRINTED,
      is: /\nExit Code: \d+(?:\n(?:Signal|Background PIDs): .*)*\nProcess Group PGID: .*\s*$/,
      means: 'failed',
    },
    {
      of: 'shell',
      at: PRINTED,
      is: /\n(?:Error|Exit Code|Signal|Background PIDs): .*\nProcess Group PGID: .*\s*$/,
      means: 'unknown',
    },
    { of: 'shell', at: PRINTED, is: /^Output: [\s\S]*\nProcess Group PGID: \d+\s*$/, means: 'succeeded' },
    { of: 'shell', at: ['hook_event_name'], means: 'unknown' },
  ],
  unmarked: ['succeeded', 'failed'],
};
