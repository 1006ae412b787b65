import type { CallResults } from '../call-results.ts';

/** What the shell has printed, and behind it Gemini's own lines: those about an exit code or a signal only if there is one. */
const PRINTED = ['tool_response.llmContent'] as const;

/** Its last line, and the mark around all of it that says to the model that others wrote it. */
const END = String.raw`\nProcess Group PGID: .*\s*(?:</untrusted_context>\s*)?$`;
const ended = (lines: string): RegExp => new RegExp(lines + END);

/** What the results of Gemini CLI tell, by the source of 0.61; there are no ids. Versions before wrote all lines always. */
export const RESULTS: CallResults = {
  by: 'arguments',
  marks: [
    { at: ['tool_response.error'], means: 'failed' },
    { at: ['tool_input.is_background'], means: 'unknown' },
    {
      of: 'shell',
      at: PRINTED,
      is: ended(String.raw`\nExit Code: 0\nSignal: \(none\)\nBackground PIDs: \(none\)`),
      means: 'succeeded',
    },
    {
      of: 'shell',
      at: PRINTED,
      is: ended(String.raw`\nExit Code: \d+(?:\n(?:Signal|Background PIDs): .*)*`),
      means: 'failed',
    },
    {
      of: 'shell',
      at: PRINTED,
      is: ended(String.raw`\n(?:Error|Exit Code|Signal|Background PIDs): .*`),
      means: 'unknown',
    },
    {
      of: 'shell',
      at: PRINTED,
      is: ended(String.raw`^(?:<untrusted_context>\n)?Output: [\s\S]*`),
      means: 'succeeded',
    },
    { of: 'shell', at: ['hook_event_name'], means: 'unknown' },
  ],
  unmarked: ['succeeded', 'failed'],
};
