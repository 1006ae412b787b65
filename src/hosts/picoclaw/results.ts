import type { CallResults } from '../call-results.ts';

/** What PicoClaw's results tell. One call is under way in a turn at a time; calls have no ids. */
export const RESULTS: CallResults = {
  by: 'arguments',
  oneByOne: true,
  marks: [
    { at: ['result.async', 'arguments.background'], is: true, means: 'unknown' },
    { at: ['arguments.background'], is: /^true$/, means: 'unknown' },
    { of: 'shell', at: ['arguments.action'], is: /^(?!run$)/, means: 'unknown' },
    { at: ['result.is_error'], is: true, means: 'failed' },
    { at: ['result.is_error'], is: false, means: 'succeeded' },
  ],
  unmarked: ['unknown', 'unknown'],
};
