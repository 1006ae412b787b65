import { type Budget, LIMITS, takeStep } from '../../reading/bounds.ts';
import type { Word } from '../../reading/word.ts';
import type { Scope, Variable } from './scope.ts';

/** A variable that is set by a command that is read several times. */
export interface AssignedVariable {
  /** Where it was set, and what it was there before. */
  readonly layer: Scope;
  readonly before: Variable | undefined;
  /** What earlier combinations set it to, and what the latest did. */
  readonly others: readonly Word[];
  readonly value: Word;
  readonly combination: number;
}

/**
 * Which of several possible values an expansion takes. A command whose words have several values is read once for
 * each combination: every point of choice is numbered when it is first met, and `nextChoice` counts through them.
 */
export interface Choices {
  readonly parent: Choices | undefined;
  /** The scope of the substitution that these choices are made in, if they are the outermost there. */
  readonly boundary: Scope | undefined;
  readonly picks: { readonly key: unknown; readonly size: number; index: number }[];
  /** True once there are too many combinations: what has several values is unknown then. */
  exceeded: boolean;
  /** How often a choice was asked for, here or in a choice inside; tells whether a result depends on one. */
  asked: number;
  /** How many combinations were read, the present one included. */
  combination: number;
  /** The variables that the combinations read so far have set. */
  readonly assigned: Map<string, AssignedVariable>;
}

export function newChoices(parent: Choices | undefined, boundary?: Scope): Choices {
  return { parent, boundary, picks: [], exceeded: false, asked: 0, combination: 1, assigned: new Map() };
}

/**
 * The value to take of `size` values for a key: a variable, or a place in the text; undefined where there are too many
 * combinations to read each. Inside a substitution a variable
 * that was set outside is chosen for the command around the substitution, so that `rm $(echo $f)` is read once for
 * each value of f; `isInside` says whether it was set within the scope of a substitution.
 */
export function choose(
  choices: Choices,
  key: unknown,
  size: number,
  isInside: (boundary: Scope) => boolean,
): number | undefined {
  if (size <= 1) return 0;
  let owner = choices;
  for (let each: Choices | undefined = choices; each !== undefined; each = each.parent) {
    const pick = each.picks.find((candidate) => candidate.key === key);
    if (pick !== undefined) {
      noteAsked(choices, each);
      return each.exceeded ? undefined : pick.index;
    }
    if (each.boundary === undefined || each.parent === undefined) continue;
    if (isInside(each.boundary)) break;
    owner = each.parent;
  }
  owner.picks.push({ key, size, index: 0 });
  noteAsked(choices, owner);
  return owner.exceeded ? undefined : 0;
}

/** Everything between the place of the question and the choice depends on it. */
function noteAsked(from: Choices, owner: Choices): void {
  for (let each: Choices | undefined = from; each !== undefined; each = each.parent) {
    each.asked++;
    if (each === owner) return;
  }
}

/** Does something once for each combination of values; for those that are too many once, with words that are unknown. */
export function forEachCombination(choices: Choices, budget: Budget, run: () => void): void {
  run();
  while (nextChoice(choices)) {
    if (choices.combination > MAX_COMBINATIONS || !takeStep(budget)) {
      choices.exceeded = true;
      run();
      return;
    }
    run();
  }
}

/** Moves on to the next combination; false if there is none. */
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

/** How many combinations one command may stand for. */
const MAX_COMBINATIONS = LIMITS.alternatives;
