import { isSameWord, originsOf, unknownWord, type Word } from '../../reading/word.ts';
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
  let isWidened = false;
  for (const [name, variable] of state.variables) {
    const earlier = before.variables.get(name);
    if (earlier === undefined || variableCovers(earlier, variable, walker)) continue;
    if (!mayVaryIn(earlier, walker) || !mayVaryIn(variable, walker)) continue;
    setVariable(place.scope, name, single(ANYTHING, variable.exported));
    isWidened = true;
  }
  const widened = args.map((word, index) => {
    const earlier = before.args[index];
    const changes = earlier !== undefined && args.length === before.args.length && !isAlike(earlier, word);
    return changes && mayVary(earlier, walker) && mayVary(word, walker) ? ANYTHING : word;
  });
  return isWidened ? stateAt(widened, place, walker) : { ...state, args: widened };
}

/** What a function would start from at a place. */
export function stateAt(args: readonly Word[], place: Place, walker: Walker): FunctionState {
  const { scope, input, environment } = place;
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
  return {
    args,
    variables,
    words: [
      cwdOf(scope),
      ...directoriesOf(scope),
      ...(input === undefined ? [] : [input]),
      ...environment.map(({ value }) => value),
    ],
    objects: [
      input === undefined,
      ...environment.map(({ name }) => name),
      ...[...functions].flatMap((name) => functionsOf(scope, name).map(({ node }) => node)),
      ...[...aliases].flatMap((name) => aliasesOf(scope, name)),
      ...[...trees].flat(),
    ],
    files: new Map(contents),
    captured: place.captured,
  };
}

/** Does what was read from one state say what a call from another one does? */
export function stateCovers(read: FunctionState, other: FunctionState, walker: Walker): boolean {
  return (
    read.captured === other.captured &&
    read.objects.length === other.objects.length &&
    read.objects.every((object, index) => object === other.objects[index]) &&
    wordsCover(read.words, other.words, walker) &&
    wordsCover(read.args, other.args, walker) &&
    mapCovers(read.files, other.files, isAlike) &&
    mapCovers(read.variables, other.variables, (a, b) => variableCovers(a, b, walker))
  );
}

function mapCovers<T>(
  read: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  covers: (a: T, b: T) => boolean,
): boolean {
  if (read.size !== other.size) return false;
  for (const [name, value] of other) {
    const earlier = read.get(name);
    if (earlier === undefined || !covers(earlier, value)) return false;
  }
  return true;
}

function variableCovers(read: Variable, other: Variable, walker: Walker): boolean {
  if (read === other) return true;
  if (read.exported !== other.exported) return false;
  if ((read.elements === undefined) !== (other.elements === undefined)) return false;
  const isAnything = read.values.length === 1 && read.values[0] === ANYTHING;
  return (
    wordsCover(read.elements ?? [], other.elements ?? [], walker) &&
    (wordsCover(read.values, other.values, walker) ||
      (isAnything && other.values.every((value) => isAlike(value, ANYTHING) || mayVary(value, walker))))
  );
}

function wordsCover(read: readonly Word[], other: readonly Word[], walker: Walker): boolean {
  return (
    read.length === other.length &&
    other.every((word, index) => {
      const earlier = read[index];
      if (earlier === undefined) return false;
      return isAlike(earlier, word) || (earlier === ANYTHING && mayVary(word, walker));
    })
  );
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

function isAlike(a: Word, b: Word): boolean {
  if (a === b) return true;
  // What was unset is told apart by identity.
  return a !== UNSET && b !== UNSET && isSameWord(a, b);
}
