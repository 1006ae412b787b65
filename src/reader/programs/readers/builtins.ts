import { resolvePath } from '../../reading/path.ts';
import {
  EMPTY_WORD,
  joinList,
  knownText,
  leadingText,
  outsideVariable,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { type AssignOptions, assign, noteEvaluated, withVariables } from '../../shell/expand/assign.ts';
import { either } from '../../shell/scope/flow.ts';
import type { Arg, Call, Frame, Interpreter, ProgramReader } from '../../shell/scope/interpreter.ts';
import { noteEnd, setOption } from '../../shell/scope/run-certainty.ts';
import {
  certaintyOf,
  changeDirectory,
  cwdOf,
  defineFunction,
  directoriesOf,
  functionsOf,
  maybeGone,
  namesIn,
  positionalOf,
  type Scope,
  setDirectories,
  setPositional,
  setVariable,
  UNSET,
  variableOf,
} from '../../shell/scope/scope.ts';
import { hasFlag } from '../interpret/flags.ts';
import { INPUT_READERS } from './input-readers.ts';
import { asAssignment } from './wrappers.ts';

function homeOf(interpreter: Interpreter): Word {
  return interpreter.context.home === undefined
    ? outsideVariable('HOME', '~')
    : textWord(interpreter.context.home);
}

function enterDirectory(call: Call, target: Word): void {
  const { scope } = call.frame;
  changeDirectory(scope, resolvePath(target, { cwd: cwdOf(scope), home: call.interpreter.context.home }));
}

const changeTo: ProgramReader = (call) => {
  const target = call.parsed.operands[0]?.word ?? homeOf(call.interpreter);
  const { scope } = call.frame;
  if (knownText(target) === '-') {
    changeDirectory(scope, variableOf(scope, 'OLDPWD')?.values[0] ?? unknownWord('$OLDPWD'));
    return undefined;
  }
  enterDirectory(call, target);
  return EMPTY_WORD;
};

const pushDirectory: ProgramReader = (call) => {
  const { scope } = call.frame;
  const target = call.parsed.operands[0]?.word;
  const stack = directoriesOf(scope);
  const before = cwdOf(scope);
  if (target === undefined) changeDirectory(scope, stack.at(-1) ?? unknownWord('$OLDPWD'));
  else enterDirectory(call, target);
  setDirectories(scope, target === undefined ? [...stack.slice(0, -1), before] : [...stack, before]);
  return undefined;
};

const popDirectory: ProgramReader = (call) => {
  const { scope } = call.frame;
  const stack = directoriesOf(scope);
  changeDirectory(scope, stack.at(-1) ?? unknownWord('$OLDPWD'));
  setDirectories(scope, stack.slice(0, -1));
  return undefined;
};

/** export, declare, typeset, readonly; `local` and declarations inside a function stay there. */
function declare(options: AssignOptions): ProgramReader {
  return (call) => {
    const { frame, parsed, interpreter } = call;
    if (parsed.operands.length === 0) return undefined;
    const inFunction = frame.calls.length > 0 && !hasFlag(parsed, '-g');
    const unexports =
      (options.exported === true && hasFlag(parsed, '-n')) ||
      call.args.some(({ word }) => /^\+\w*x/.test(knownText(word) ?? ''));
    const exported = (options.exported === true && !unexports) || hasFlag(parsed, '-x');
    if (exported && hasFlag(parsed, '-f'))
      for (const { word } of parsed.operands) exportFunction(frame, word);
    if (hasFlag(parsed, '-f', '-F', '-p')) return undefined;
    if (hasFlag(parsed, '-n') && options.exported !== true)
      interpreter.gap('unknown_script', call.span, 'Cannot follow what a name refers to');
    for (const { word } of parsed.operands) {
      const set = asAssignment(word);
      const name = set?.name ?? knownText(word);
      if (name === undefined) continue;
      if (hasFlag(parsed, '-i')) interpreter.integers.add(name);
      const before = variableOf(withVariables(frame).scope, name);
      const local = options.local === true && inFunction;
      if (set === undefined && (before === undefined || local) && !exported) continue;
      // Letters may be changed with each assignment.
      const cased = hasFlag(parsed, '-l') ? 'lower' : hasFlag(parsed, '-u') ? 'upper' : undefined;
      if (cased !== undefined) interpreter.cased.set(name, cased);
      const isExported = exported || (!unexports && (before?.exported ?? false));
      if (set === undefined && before !== undefined && !local) {
        for (const each of before.elements ?? []) noteEvaluated(name, each, frame);
        setVariable(frame.scope, name, { ...before, exported: isExported });
        if (isExported) interpreter.exported.add(name);
        continue;
      }
      const given = set?.value ?? before?.values[0] ?? outsideVariable(name);
      const value = hasFlag(parsed, '-c') ? unknownWord(`\${${name}^}`) : given;
      assign(frame, name, value, undefined, { local, exported: isExported });
    }
    return EMPTY_WORD;
  };
}

function exportFunction({ scope }: Frame, word: Word): void {
  const name = knownText(word) ?? '';
  const found = functionsOf(scope, name);
  if (found.length > 0) defineFunction(scope, name, ...found.map((each) => ({ ...each, exported: true })));
}

const unset: ProgramReader = ({ frame: { scope }, parsed }) => {
  for (const { word } of parsed.operands) {
    const name = knownText(word);
    const isFunction = hasFlag(parsed, '-f');
    if (name === undefined) {
      for (const each of namesIn(scope, 'functions')) mayLoseFunction(scope, each);
      for (const each of isFunction ? [] : namesIn(scope, 'variables')) {
        const variable = each.startsWith(leadingText(word)) ? variableOf(scope, each) : undefined;
        if (variable !== undefined && variable.maybe !== true)
          setVariable(scope, each, { ...variable, maybe: true });
      }
      continue;
    }
    if (isFunction) {
      defineFunction(scope, name);
      continue;
    }
    // Some shells take a function away where no variable has the name.
    if (variableOf(scope, name) === undefined) mayLoseFunction(scope, name);
    const [whole = name, element] = name.split('[', 2);
    const value = element === undefined ? UNSET : unknownWord(`$${whole}`);
    setVariable(scope, whole, { values: [value], elements: undefined, exported: false });
  }
  return EMPTY_WORD;
};

function mayLoseFunction(scope: Scope, name: string): void {
  const found = functionsOf(scope, name);
  if (!found.every(({ maybe }) => maybe)) defineFunction(scope, name, ...maybeGone(found));
}

/** `set -e`, `set -o pipefail` and their opposites; with `set -n` nothing runs any more. */
function noteOptions({ scope, runCertainty, flow }: Frame, args: readonly Arg[]): void {
  for (const [index, { word }] of args.entries()) {
    const text = knownText(word);
    if (text === undefined || text.startsWith('--')) break;
    const [, sign, letters = ''] = /^([-+])([a-zA-Z]+)$/.exec(text) ?? [];
    if (sign === undefined) continue;
    const name = letters.endsWith('o') ? knownText(args[index + 1]?.word ?? []) : undefined;
    if (letters.includes('n') || name === 'noexec') {
      noteEnd(scope, 'any');
      flow.ended = either(flow.ended, flow.known);
    }
    if (letters.includes('e') || name === 'errexit') setOption(scope, 'errexit', sign === '-', runCertainty);
    if (name === 'pipefail') setOption(scope, 'pipefail', sign === '-', runCertainty);
  }
}

/** `setenv NAME value` of csh, `set-env` of elvish, `set -gx NAME value` of fish. */
const setOneVariable: ProgramReader = ({ frame, args }) => {
  const words = args.map(({ word }) => word);
  const at = words.findIndex((word) => !leadingText(word).startsWith('-'));
  if (at < 0) return EMPTY_WORD;
  const [name = EMPTY_WORD, ...values] = words.slice(at);
  const flags = words.slice(0, at).map(showWord);
  // Others erase, ask or list.
  if (flags.some((flag) => /^-(?=\w).*[eqn]|^--(?:erase|query|names)$/s.test(flag))) return EMPTY_WORD;
  const exported = shellOf(frame) !== 'fish' || flags.some((flag) => /^-(?=\w).*x|^--export$/s.test(flag));
  assign(frame, knownText(name) ?? '', joinList(values), undefined, exported ? { exported } : {});
  return EMPTY_WORD;
};

function shellOf({ via }: Frame): string | undefined {
  return via.findLast(({ kind }) => kind === 'shell')?.name;
}

/** `set -- a b`; options are of no interest. */
const setOptions: ProgramReader = (call) => {
  const { frame, args, interpreter } = call;
  if (shellOf(frame) === 'fish') return setOneVariable(call);
  if (args.some(({ word }) => /^(?:-[b-zA-Z]*a[a-zA-Z]*|allexport)$/.test(knownText(word) ?? '')))
    interpreter.exportsAll = true;
  if (args.some(({ word }) => /^(?:-[a-df-zA-Z]*e[a-zA-Z]*|errexit)$/.test(knownText(word) ?? '')))
    interpreter.stopsOnErrors = true;
  noteOptions(frame, args);
  if (args.length === 0 || (args.length === 1 && /^[-+]o$/.test(knownText(args[0]?.word ?? []) ?? '')))
    return undefined;
  const dashes = args.findIndex((arg) => knownText(arg.word) === '--');
  const first = args.findIndex((arg) => !/^[-+]/.test(knownText(arg.word) ?? showWord(arg.word)));
  const start = dashes >= 0 ? dashes + 1 : first;
  const isOption = args.slice(0, Math.max(0, start)).some((arg) => /^[-+]o$/.test(knownText(arg.word) ?? ''));
  if (start >= 0 && !(isOption && dashes < 0))
    setPositional(
      frame.scope,
      args.slice(start).map((arg) => arg.word),
    );
  return EMPTY_WORD;
};

const shift: ProgramReader = ({ frame, parsed }) => {
  const words = positionalOf(frame.scope);
  const count = Number(knownText(parsed.operands[0]?.word ?? textWord('1')));
  if (words !== undefined && Number.isInteger(count)) setPositional(frame.scope, words.slice(count));
  return EMPTY_WORD;
};

const alias: ProgramReader = ({ parsed, interpreter }) => {
  let prints = parsed.operands.length === 0;
  for (const { word } of parsed.operands) {
    const [, name] = /^([^=/$`'"\s]+)=/.exec(leadingText(word)) ?? [];
    if (name !== undefined) interpreter.aliases.add(name);
    else prints = true;
  }
  return prints ? undefined : EMPTY_WORD;
};

const unalias: ProgramReader = ({ frame, parsed, interpreter }) => {
  if (certaintyOf(frame.scope) === 'certain')
    for (const { word } of parsed.operands) interpreter.aliases.delete(knownText(word) ?? '');
  return EMPTY_WORD;
};

/** Builtins that change the shell that runs them. */
export const BUILTIN_READERS: Readonly<Record<string, ProgramReader>> = {
  ...INPUT_READERS,
  cd: changeTo,
  pushd: pushDirectory,
  popd: popDirectory,
  export: declare({ exported: true }),
  declare: declare({ local: true }),
  typeset: declare({ local: true }),
  local: declare({ local: true }),
  readonly: declare({}),
  unset,
  set: setOptions,
  setenv: setOneVariable,
  'set-env': setOneVariable,
  shift,
  alias,
  unalias,
};
