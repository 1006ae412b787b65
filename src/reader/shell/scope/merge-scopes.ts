import { LIMITS } from '../../reading/bounds.ts';
import { originsOf, showWord, splittingWord, unknownWord, type Word } from '../../reading/word.ts';
import {
  cwdOf,
  defineFunction,
  functionsOf,
  leave,
  maybeGone,
  type Scope,
  type ShellFunction,
  setPositional,
  setVariable,
  stateLayer,
  UNSET,
  type Variable,
  variableOf,
} from './scope.ts';

/** Puts the state of branches that were left by return beside the one in which a function ends. */
export function mergeReturns(scope: Scope, cwdBefore: Word): void {
  for (const branch of scope.returned ?? []) {
    mergeState(scope, branch);
    // A branch that a failed `cd` ends, as in `cd x || return`, does not bring the old directory back.
    const cwd = cwdOf(branch);
    if (showWord(cwd) !== showWord(cwdBefore)) stateLayer(scope).cwd = mergeCwd([scope, branch]);
  }
}

/** Puts another state of the same shell beside its own, but for the directory. What one of them lacks is taken as unset there. */
export function mergeState(scope: Scope, other: Scope): void {
  const outer = stateLayer(scope).parent;
  for (const way of [scope, other]) {
    for (let layer: Scope | undefined = way; layer !== undefined && layer !== outer; layer = layer.parent) {
      for (const name of layer.variables.keys()) {
        const variables = [variableOf(scope, name), variableOf(other, name)];
        if (variables[0] !== variables[1]) setVariable(scope, name, mergeVariables(name, variables, [UNSET]));
      }
      for (const name of layer.functions?.keys() ?? []) {
        const functions = [functionsOf(scope, name), functionsOf(other, name)];
        if (functions[0] !== functions[1]) defineFunction(scope, name, ...mergeFunctions(functions));
      }
    }
  }
}

/**
 * Merges branches into their parent scope. `exhaustive`: one of them is taken; else the state before is possible. Left ones do
 * not count.
 */
export function mergeBranches(scope: Scope, branches: readonly Scope[], exhaustive: boolean): void {
  const staying = branches.filter((branch) => !branch.left);
  const from: readonly Scope[] = exhaustive ? staying : [...staying, scope];
  const names = new Set(staying.flatMap((branch) => [...branch.variables.keys()]));
  for (const name of names) {
    const variables = from.map((branch) => variableOf(branch, name));
    setVariable(scope, name, mergeVariables(name, variables));
  }
  for (const name of new Set(staying.flatMap((branch) => [...(branch.functions?.keys() ?? [])]))) {
    const functions = from.map((branch) => functionsOf(branch, name));
    defineFunction(scope, name, ...mergeFunctions(functions));
  }
  for (const branch of staying) {
    if (branch.positional !== undefined) setPositional(scope, branch.positional);
  }
  if (staying.some((branch) => branch.cwd !== undefined)) stateLayer(scope).cwd = mergeCwd(from);
  if (exhaustive && branches.length > 0 && staying.length === 0) leave(scope);
}

/** The functions that a name may mean behind several ways. If there are too many, running the name notes that. */
function mergeFunctions(ways: readonly (readonly ShellFunction[])[]): readonly ShellFunction[] {
  const found: ShellFunction[] = [];
  for (const each of ways.flat()) {
    if (found.length === LIMITS.alternatives) break;
    const { node, exported, maybe } = each;
    const isSame = (other: ShellFunction) =>
      other.node === node && other.exported === exported && other.maybe === maybe;
    if (!found.some(isSame)) found.push(each);
  }
  return ways.some((way) => way.length === 0) ? maybeGone(found) : found;
}

function mergeCwd(scopes: readonly Scope[]): Word {
  const [first, ...others] = scopes.map(cwdOf);
  if (first === undefined) return unknownWord('$PWD');
  return others.every((other) => showWord(other) === showWord(first)) ? first : unknownWord('$PWD');
}

/** `absent`: the values where a branch does not know it; else it may be anything. */
function mergeVariables(
  name: string,
  variables: readonly (Variable | undefined)[],
  absent?: readonly Word[],
): Variable {
  const found = variables.flatMap((variable) => variable ?? []);
  const isKnown = found.length === variables.length || absent !== undefined;
  const values = variables.flatMap((variable) => variable?.values ?? absent ?? []);
  const arrays = variables.map((variable) => variable?.elements);
  const [elements] = arrays;
  const sameArray = elements !== undefined && arrays.every((other) => other === elements);
  return {
    values,
    elements: sameArray ? elements : undefined,
    arrays: sameArray ? undefined : mergeArrays(name, variables),
    exported: found.every((each) => each.exported === found[0]?.exported)
      ? (found[0]?.exported ?? false)
      : 'maybe',
    maybe: !isKnown || found.some(({ maybe }) => maybe) || undefined,
  };
}

/** The arrays that a variable may be; undefined if it is none. A branch that does not set it has no elements. */
function mergeArrays(
  name: string,
  variables: readonly (Variable | undefined)[],
): readonly (readonly Word[])[] | undefined {
  if (!variables.some((each) => each?.elements !== undefined || each?.arrays !== undefined)) return undefined;
  const distinct = new Map<string, readonly Word[]>();
  for (const each of variables)
    for (const elements of each?.arrays ?? [each?.elements ?? each?.values.slice(0, 1) ?? []])
      distinct.set(elements.map(showWord).join('\0'), elements);
  if (distinct.size <= MAX_ARRAYS) return [...distinct.values()];
  // Any words, with the origins of all arrays.
  const origins = [...distinct.values()].flat().flatMap(originsOf);
  return [[splittingWord(unknownWord(`${name}[@]`, origins))]];
}

/** How many arrays a variable may be. */
const MAX_ARRAYS = 8;
