import { type Origin, originsOf, showWord, unknownWord, type Word } from '../../reading/word.ts';
import { UNSET } from '../expand/variable-value.ts';
import type { FunctionCall, FunctionState } from '../scope/function-call.ts';
import {
  aliasesOf,
  cwdOf,
  directoriesOf,
  filesOf,
  functionsOf,
  type Scope,
  setVariable,
  single,
  type Variable,
} from '../scope/scope.ts';
import type { Place, Walker } from '../scope/walker.ts';

/** How many calls within each other are read as they are, before what changes from call to call is given up. */
const MAX_ROUNDS = 4;
/** Stands for all that a text may become from call to call. */
const ANYTHING = unknownWord('{what changes from call to call}');
/** Variables and files that are looked at for the price of a step. */
const LOOKS_PER_STEP = 16;

/** Does a call start itself beside itself, as in `f | f &`, so that there may be more and more of it? */
export function isForked(place: Place, around: FunctionCall): boolean {
  let processes = 0;
  for (let layer: Scope | undefined = place.scope; layer !== around.scope; layer = layer.parent) {
    if (layer === undefined) return true;
    if (layer.kind === 'subshell') processes++;
  }
  return processes > place.substitutions - around.substitutions;
}

/**
 * What a call within the function itself starts from. From the fourth on, numbers and other texts that are not fully known
 * are anything where they change from call to call.
 */
export function startOf(
  args: readonly Word[],
  around: readonly FunctionCall[],
  place: Place,
  walker: Walker,
): FunctionState {
  const before = around.at(-1)?.start;
  const state = stateAt(args, place, walker);
  if (before === undefined || around.length < MAX_ROUNDS) return state;
  const start = withoutChanges(state, before, walker);
  for (const [name, variable] of start.variables)
    if (variable !== state.variables.get(name)) setVariable(place.scope, name, variable);
  return start;
}

/** A state in which anything stands for what has changed since another one, where that may be given up. */
function withoutChanges(state: FunctionState, before: FunctionState, walker: Walker): FunctionState {
  const variables = new Map(state.variables);
  for (const [name, variable] of variables) {
    const earlier = before.variables.get(name);
    if (earlier === undefined || earlier === variable || keyOf(earlier) === keyOf(variable)) continue;
    if (mayVaryIn(earlier, walker) && mayVaryIn(variable, walker))
      variables.set(name, single(ANYTHING, variable.exported));
  }
  const args = state.args.map((word, index) => {
    const earlier = before.args[index];
    if (earlier === undefined || before.args.length !== state.args.length) return word;
    if (keyOf(earlier) === keyOf(word)) return word;
    return mayVary(earlier, walker) && mayVary(word, walker) ? ANYTHING : word;
  });
  return { ...state, args, variables };
}

/** What a function would start from at a place. */
export function stateAt(args: readonly Word[], place: Place, walker: Walker): FunctionState {
  const { scope, input, environment, captured } = place;
  const variables = new Map<string, Variable>();
  const functions = new Set<string>();
  const aliases = new Set<string>();
  let looks = args.length;
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent) {
    looks += layer.variables.size + 1;
    for (const [name, variable] of layer.variables) if (!variables.has(name)) variables.set(name, variable);
    for (const name of layer.functions?.keys() ?? []) functions.add(name);
    for (const name of layer.aliases?.keys() ?? []) aliases.add(name);
  }
  const { contents, trees } = filesOf(scope);
  looks += functions.size + aliases.size + contents.size + trees.size;
  walker.budget.steps -= Math.ceil(looks / LOOKS_PER_STEP);
  const texts = [...aliases].map((name) => [name, aliasesOf(scope, name)]);
  const around = [cwdOf(scope), directoriesOf(scope), input ?? null, environment, captured, texts];
  const rest = keyOf([...around, [...contents], [...trees]]);
  walker.budget.readChars -= rest.length >> 4;
  const nodes = [...functions].flatMap((name) => functionsOf(scope, name).map(({ node }) => node));
  return { args, variables, functions: nodes, rest };
}

/** Does what was read from one state say what a call from another one does, whatever may be given up of that? */
export function stateCovers(read: FunctionState, state: FunctionState, walker: Walker): boolean {
  const other = withoutChanges(state, read, walker);
  return (
    read.rest === other.rest &&
    read.functions.length === other.functions.length &&
    read.functions.every((node, index) => node === other.functions[index]) &&
    keyOf(read.args) === keyOf(other.args) &&
    read.variables.size === other.variables.size &&
    [...other.variables].every(([name, variable]) => {
      const earlier = read.variables.get(name);
      return earlier === variable || (earlier !== undefined && keyOf(earlier) === keyOf(variable));
    })
  );
}

/** A text that is the same for values of which the same is known. */
function keyOf(value: unknown): string {
  return JSON.stringify(value, (name, each) => {
    if (name === 'printer') return undefined;
    // What was unset is told apart by identity.
    if (each === UNSET) return null;
    if (name !== 'origins') return each;
    return (each as readonly Origin[]).map(({ type, source }) => `${type} ${showWord(source)}`);
  });
}

/** May a word be given up where it changes from call to call? A number may, and what is not fully known anyway. */
function mayVary(word: Word, { contents }: Walker): boolean {
  const [first, second] = word;
  if (first?.type === 'text' && second === undefined) return /^-?[0-9]{1,15}$/.test(first.text);
  return word.length > 0 && originsOf(word).length === 0 && word.every((part) => !contents.has(part));
}

function mayVaryIn({ values, elements }: Variable, walker: Walker): boolean {
  return elements === undefined && values.every((value) => mayVary(value, walker));
}
