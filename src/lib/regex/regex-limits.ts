import type { RE2JS } from 're2js';

/** Thrown out of the engine where work would exceed its limit. Never leaves this file. */
class OverLimit extends Error {}

/** The bound of the states of one search, by the engine's own reckoning. About 80 ms of work. */
const MAX_STATE_BYTES = 4 * 1024 * 1024;

/** Tests texts with the engine's automaton and a limit of states; undefined beyond. Each test starts anew, so answers repeat. */
export function testWithinMemory(engine: RE2JS, texts: readonly string[]): boolean | undefined {
  const { dfa } = engine.re2();
  const { resetCache, stateBudget } = dfa;
  dfa.stateBudget = MAX_STATE_BYTES;
  dfa.clearCache();
  // The engine would go on with fresh states, or with a simulation that takes the product of both sizes.
  dfa.resetCache = giveUp;
  try {
    return texts.some((text) => engine.test(text));
  } catch (error) {
    if (error instanceof OverLimit) return undefined;
    throw error;
  } finally {
    dfa.resetCache = resetCache;
    dfa.stateBudget = stateBudget;
    dfa.clearCache();
  }
}

/** Runs a search with a limit of steps; undefined if it was reached. Many matches in a text could take quadratic time. */
export function withinSteps<T>(
  engine: RE2JS,
  maxSteps: number,
  run: () => T,
): { readonly result: T } | undefined {
  const re2 = engine.re2();
  const { executeEngine } = re2;
  let steps = 0;
  re2.executeEngine = (input, ...rest) => {
    const { step } = input;
    input.step = (position: number) => {
      steps += 1;
      if (steps > maxSteps) giveUp();
      return step.call(input, position);
    };
    return executeEngine.call(re2, input, ...rest);
  };
  try {
    return { result: run() };
  } catch (error) {
    if (error instanceof OverLimit) return undefined;
    throw error;
  } finally {
    re2.executeEngine = executeEngine;
  }
}

function giveUp(): never {
  throw new OverLimit();
}
