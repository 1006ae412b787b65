import type { Function as FunctionNode } from 'unbash';
import { boundedWord, LIMITS } from '../../reading/bounds.ts';
import type { Assignment } from '../../reading/reading.ts';
import { showWord, textWord, unknownWord, type Word } from '../../reading/word.ts';
import type { Source } from '../parse/source.ts';
import { noFiles, type WriteCertainty, type WrittenFiles } from './written-files.ts';

export interface Variable {
  /** The values it may have, at least one. Empty texts for one that was unset. */
  readonly values: readonly Word[];
  /** The elements of an array; undefined for other variables. */
  readonly elements: readonly Word[] | undefined;
  /** The elements that it may have where branches differ in them. */
  readonly arrays?: readonly (readonly Word[])[] | undefined;
  /** `maybe` if it is on some ways. */
  readonly exported: boolean | 'maybe';
  /** True if it need not be there. */
  readonly maybe?: boolean | undefined;
}

/** The value of a variable that was unset: compared by identity. */
export const UNSET: Word = [];

export interface ShellFunction {
  readonly node: FunctionNode;
  readonly source: Source;
  /** True once shells that are started know it too: `export -f`. */
  readonly exported?: boolean;
  /** True if it need not be there: the name may be that of a program. */
  readonly maybe?: boolean;
}

/** Nothing is defined under that name any more. */
const NONE: readonly never[] = [];

/**
 * A shell's state in layers. `subshell`, `process` and `branch` keep all changes, `function` its locals; `process` sees
 * exported ones only.
 */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly kind: 'subshell' | 'process' | 'branch' | 'function';
  readonly variables: Map<string, Variable>;
  /** The functions that a name may mean, by name. Empty: the functions of the layers around are gone. */
  functions: Map<string, readonly ShellFunction[]> | undefined;
  files: WrittenFiles | undefined;
  cwd: Word | undefined;
  /** The directory of a shell whose change to `cwd` has failed, if nothing checks that. */
  stayedIn: Word | undefined;
  /** The directories of pushd, last on top. */
  directories: readonly Word[] | undefined;
  positional: readonly Word[] | undefined;
  /** True after exit or return: the rest does not run after this branch. */
  left: boolean;
  /** Set if the shell may have ended before the next command: with a failure, or with any status. */
  mayHaveEnded: 'failed' | 'any' | undefined;
  /** The options of a shell; undefined where they are those of the shell around it. */
  options: Partial<Record<'errexit' | 'pipefail', boolean | 'unknown'>> | undefined;
  /** The branches of a function that were left by return, with the state they leave behind. */
  returned: Scope[] | undefined;
}

export function newScope(kind: Scope['kind'], parent: Scope | undefined): Scope {
  return {
    parent,
    kind,
    variables: new Map(),
    functions: undefined,
    files: undefined,
    cwd: undefined,
    stayedIn: undefined,
    directories: undefined,
    positional: undefined,
    left: false,
    mayHaveEnded: undefined,
    options: undefined,
    returned: undefined,
  };
}

/** The nearest value of a property that layers inherit. */
function inherited<K extends 'cwd' | 'positional' | 'directories'>(
  scope: Scope,
  key: K,
): Scope[K] | undefined {
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent) {
    const value = layer[key];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The layer that takes changes of the shell's state. */
export function stateLayer(scope: Scope): Scope {
  let layer = scope;
  while (layer.kind === 'function' && layer.parent !== undefined) layer = layer.parent;
  return layer;
}

/** The known facts of a variable; undefined if no layer sets it. */
export function variableOf(scope: Scope, name: string): Variable | undefined {
  let exportedOnly = false;
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent) {
    const variable = layer.variables.get(name);
    if (variable !== undefined) return exportedOnly && !variable.exported ? undefined : variable;
    if (layer.kind === 'process') exportedOnly = true;
  }
  return undefined;
}

/** Sets a variable where the shell would: in the function that has it as a local, else in the shell. */
export function setVariable(scope: Scope, name: string, variable: Variable): void {
  setLocal(layerFor(scope, name), name, variable);
}

/** The layer in which a variable is set. */
export function layerFor(scope: Scope, name: string): Scope {
  let layer = scope;
  while (layer.kind === 'function' && layer.parent !== undefined && !layer.variables.has(name))
    layer = layer.parent;
  return layer;
}

/** Sets a variable in the innermost layer: `local`, and assignments for one command. */
export function setLocal(scope: Scope, name: string, variable: Variable): void {
  scope.variables.set(name, bounded(variable));
}

export function single(value: Word, exported = false): Variable {
  return { values: [value], elements: undefined, exported };
}

/** A variable of the environment. */
export function fromEnvironment({ value, maybe }: Assignment): Variable {
  return { ...single(value, true), maybe };
}

/** The names of all functions, or variables. */
export function namesIn(scope: Scope, kind: 'functions' | 'variables'): ReadonlySet<string> {
  const names = new Set<string>();
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent)
    for (const name of layer[kind]?.keys() ?? []) names.add(name);
  return names;
}

/** The functions that a name may mean: several if some are defined in branches that may not have been taken. */
export function functionsOf(scope: Scope, name: string): readonly ShellFunction[] {
  let exportedOnly = false;
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent) {
    const found = layer.functions?.get(name);
    if (found !== undefined) {
      const handedOn = exportedOnly ? found.filter(({ exported }) => exported) : found;
      return handedOn.length < found.length ? maybeGone(handedOn) : handedOn;
    }
    exportedOnly ||= layer.kind === 'process';
  }
  return NONE;
}

export function defineFunction(scope: Scope, name: string, ...found: readonly ShellFunction[]): void {
  const layer = stateLayer(scope);
  layer.functions ??= new Map();
  layer.functions.set(name, found);
}

/** The same functions if something may have taken them away. */
export function maybeGone(found: readonly ShellFunction[]): readonly ShellFunction[] {
  return found.map((each) => ({ ...each, maybe: true }));
}

/** `conditional` if commands here run only if a condition holds. */
export function certaintyOf(scope: Scope): WriteCertainty {
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent)
    if (layer.kind === 'branch') return 'conditional';
  return 'certain';
}

/** The files that the script has written: they are the same for all shells. */
export function filesOf(scope: Scope): WrittenFiles {
  let layer = scope;
  while (layer.parent !== undefined) layer = layer.parent;
  layer.files ??= noFiles();
  return layer.files;
}

export function cwdOf(scope: Scope): Word {
  return inherited(scope, 'cwd') ?? textWord('.');
}

export function changeDirectory(scope: Scope, cwd: Word): void {
  const layer = stateLayer(scope);
  layer.variables.set('OLDPWD', single(cwdOf(scope)));
  layer.cwd = cwd;
  layer.stayedIn = undefined;
}

/** Notes that nothing checks whether the last change of directory has worked. */
export function mayHaveStayed(scope: Scope, before: Word): void {
  stateLayer(scope).stayedIn = before;
}

/** The directory that the shell may still be in because its last change of directory may have failed. */
export function stayedIn(scope: Scope): Word | undefined {
  let layer: Scope | undefined = scope;
  while (layer !== undefined && layer.cwd === undefined) layer = layer.parent;
  return layer?.stayedIn;
}

export function directoriesOf(scope: Scope): readonly Word[] {
  return inherited(scope, 'directories') ?? [];
}

export function setDirectories(scope: Scope, directories: readonly Word[]): void {
  stateLayer(scope).directories = directories;
}

/** The positional parameters; undefined if they come from outside. */
export function positionalOf(scope: Scope): readonly Word[] | undefined {
  return inherited(scope, 'positional');
}

export function setPositional(scope: Scope, words: readonly Word[]): void {
  let layer = scope;
  while (layer.kind === 'branch' && layer.parent !== undefined) layer = layer.parent;
  layer.positional = words;
}

/** Notes exit or return: the branch it is in goes no further. */
export function leave(scope: Scope): void {
  scope.left = true;
}

/**
 * Notes return: the branch goes no further, and its state holds once the function is over. Behind a failure the caller is taken
 * to go no further either, so that what comes later counts, too.
 */
export function leaveFunction(scope: Scope, isFailure: boolean): void {
  leave(scope);
  let layer: Scope | undefined = scope;
  while (layer?.kind === 'branch') layer = layer.parent;
  if (layer?.kind !== 'function' || layer === scope) return;
  layer.returned ??= [];
  const isKept = !isFailure && layer.returned.length < MAX_COPIES;
  layer.returned.push(isKept ? copyOf(scope, stateLayer(layer)) : scope);
}

/** Of so many returns of a function it is known how they leave the shell. */
const MAX_COPIES = 16;

/** A copy of the layers up to the one that takes changes of the shell's state. Later changes do not reach it. */
export function copyOf(scope: Scope, last: Scope = stateLayer(scope)): Scope {
  const { parent, variables, functions } = scope;
  return {
    ...scope,
    parent: scope === last || parent === undefined ? parent : copyOf(parent, last),
    variables: new Map(variables),
    functions: functions && new Map(functions),
  };
}

function bounded(variable: Variable): Variable {
  const [only, second] = variable.values;
  if (only !== undefined && second === undefined) {
    const value = boundedWord(only);
    return value === only ? variable : { ...variable, values: [value] };
  }
  const distinct = new Map<string, Word>();
  for (const value of variable.values) distinct.set(showWord(value), boundedWord(value));
  const values = [...distinct.values()];
  return { ...variable, values: values.length > LIMITS.alternatives ? [unknownWord('one of many')] : values };
}
