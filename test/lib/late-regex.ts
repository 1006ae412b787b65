import { expect } from 'bun:test';
import { RegexError } from '../../src/lib/regex/regex.ts';

/** Generous against a slow machine: what these guard against takes seconds to hours. */
export const LATE_MS = 3_000;

/** Does this, or gives up on it as a regex may. */
export function attempt(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(RegexError);
  }
}

/** Letters a and b in an order that repeats nothing. */
export function letters(length: number): string {
  let state = 7;
  let text = '';
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    text += state & 0x10000 ? 'a' : 'b';
  }
  return text;
}
