import { type Budget, LIMITS, takeStep } from '../../reading/bounds.ts';
import type { Word } from '../../reading/word.ts';
import type { Scope, Variable } from './scope.ts';

/** A variable that is set by a command that is read several times. */
export interface AssignedVariable {
  /** The layer that it was set in, and its value there before. */
  readonly layer: Scope;
  readonly before: Variable | undefined;
  /** The values that earlier combinations gave it, and the value of the latest. */
  readonly others: readonly Word[];
  readonly value: Word;
  readonly combination: number;
}

/** The picks among values. A command is read once for each combination: choices are numbered as met, and `nextChoice` counts on. */
export interface Choices {
  readonly picks: { readonly key: unknown; readonly size: number; index: number }[];
  /** True once there are too many combinations: a word with several values is unknown then. */
  exceeded: boolean;
  /** How many combinations were read, the present one included. */
  combination: number;
  /** The variables that the combinations read so far have set. */
  readonly assigned: Map<string, AssignedVariable>;
}

export function newChoices(): Choices {
  return { picks: [], exceeded: false, combination: 1, assigned: new Map() };
}

/** The choice among `size` values for a variable or a place; undefined if there are too many combinations. */
export function choose({ picks, exceeded }: Choices, key: unknown, size: number): number | undefined {
  if (size <= 1) return 0;
  const pick = picks.find((each) => each.key === key);
  if (pick === undefined) picks.push({ key, size, index: 0 });
  return exceeded ? undefined : (pick?.index ?? 0);
}

/** Does something once for each combination of values; for those that are too many once, with words that are unknown. */
export function forEachCombination(choices: Choices, budget: Budget, run: () => void): void {
  run();
  while (nextChoice(choices)) {
    if (choices.combination > LIMITS.alternatives || !takeStep(budget)) {
      choices.exceeded = true;
      run();
      return;
    }
    run();
  }
}

function nextChoice(choices: Choices): boolean {
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
