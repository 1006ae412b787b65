import { LIMITS } from './bounds.ts';
import type { Scope, Variable } from './scope.ts';
import type { Word } from './word.ts';

/** A variable that is set by a command that is read several times. */
export interface AssignedVariable {
  /** Where it was set, and what it was there before. */
  readonly layer: Scope;
  readonly before: Variable | undefined;
  readonly values: readonly Word[];
}

/**
 * Which of several possible values an expansion takes. A command whose words have several values is read once for
 * each combination: every point of choice is numbered when it is first met, and `nextChoice` counts through them.
 */
export interface Choices {
  readonly parent: Choices | undefined;
  readonly picks: { readonly key: unknown; readonly size: number; index: number }[];
  /** How often a choice was asked for, here or in a choice inside; tells whether a result depends on one. */
  asked: number;
  /** How many combinations were read, the present one included. */
  combination: number;
  /** The variables that the combinations read so far have set. */
  readonly assigned: Map<string, AssignedVariable>;
}

export function newChoices(parent: Choices | undefined): Choices {
  return { parent, picks: [], asked: 0, combination: 1, assigned: new Map() };
}

/** The value to take of `size` values for a variable or a place; the same for the same key all the time. */
export function choose(choices: Choices, key: unknown, size: number): number {
  if (size <= 1) return 0;
  for (let scope: Choices | undefined = choices; scope !== undefined; scope = scope.parent) {
    scope.asked++;
    const pick = scope.picks.find((candidate) => candidate.key === key);
    if (pick !== undefined) return Math.min(pick.index, size - 1);
  }
  choices.picks.push({ key, size, index: 0 });
  return 0;
}

/** Moves on to the next combination; false if there is none. */
export function nextChoice(choices: Choices): boolean {
  const { picks } = choices;
  for (let last = picks.at(-1); last !== undefined; last = picks.at(-1)) {
    if (++last.index < last.size) {
      choices.combination++;
      return true;
    }
    picks.pop();
  }
  return false;
}

/** How many combinations one command may stand for. */
export const MAX_COMBINATIONS = LIMITS.alternatives;
