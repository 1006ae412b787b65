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
import { type AssignOptions, assign, withVariables } from '../../shell/expand/assign.ts';
import { UNSET } from '../../shell/expand/variable-value.ts';
import { runFileText, runShellText } from '../../shell/run/shell-text.ts';
import {
  certaintyOf,
  changeDirectory,
  cwdOf,
  defineFunction,
  directoriesOf,
  functionsOf,
  leave,
  leaveFunction,
  newScope,
  positionalOf,
  setDirectories,
  setPositional,
  setVariable,
  variableOf,
} from '../../shell/scope/scope.ts';
import { noteEnd, setOption } from '../../shell/scope/standing.ts';
import type { Arg, Call, Place, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { hasFlag } from '../interpret/arguments.ts';
import { writtenContent } from '../interpret/input-text.ts';
import { noteLoaded } from '../interpret/loaded-environment.ts';
import { INPUT_READERS } from './read-values.ts';
import { asAssignment } from './wrappers.ts';

function homeOf(walker: Walker): Word {
  return walker.context.home === undefined ? outsideVariable('HOME', '~') : textWord(walker.context.home);
}

function enterDirectory(call: Call, target: Word, walker: Walker): void {
  const { scope } = call.place;
  changeDirectory(scope, resolvePath(target, { cwd: cwdOf(scope), home: walker.context.home }));
}

const changeTo: ProgramReader = (call, walker) => {
  const target = call.parsed.operands[0]?.word ?? homeOf(walker);
  const { scope } = call.place;
  if (knownText(target) === '-') {
    changeDirectory(scope, variableOf(scope, 'OLDPWD')?.values[0] ?? unknownWord('$OLDPWD'));
    return undefined;
  }
  enterDirectory(call, target, walker);
  return EMPTY_WORD;
};

const pushDirectory: ProgramReader = (call, walker) => {
  const { scope } = call.place;
  const target = call.parsed.operands[0]?.word;
  const stack = directoriesOf(scope);
  const before = cwdOf(scope);
  if (target === undefined) changeDirectory(scope, stack.at(-1) ?? unknownWord('$OLDPWD'));
  else enterDirectory(call, target, walker);
  setDirectories(scope, target === undefined ? [...stack.slice(0, -1), before] : [...stack, before]);
  return undefined;
};

const popDirectory: ProgramReader = (call) => {
  const { scope } = call.place;
  const stack = directoriesOf(scope);
  changeDirectory(scope, stack.at(-1) ?? unknownWord('$OLDPWD'));
  setDirectories(scope, stack.slice(0, -1));
  return undefined;
};

/** export, declare, typeset, readonly; `local` and declarations inside a function stay there. */
function declare(options: AssignOptions): ProgramReader {
  return (call, walker) => {
    const { place, parsed } = call;
    if (parsed.operands.length === 0) return undefined;
    const inFunction = place.calls.length > 0 && !hasFlag(parsed, '-g');
    const exported = options.exported === true || hasFlag(parsed, '-x');
    if (exported && hasFlag(parsed, '-f'))
      for (const { word } of parsed.operands) exportFunction(place, word);
    if (hasFlag(parsed, '-f', '-F', '-p')) return undefined;
    if (hasFlag(parsed, '-n') && options.exported !== true)
      walker.gap('unknown_script', call.span, 'Cannot follow what a name refers to');
    for (const { word } of parsed.operands) {
      const set = asAssignment(word);
      const name = set?.name ?? knownText(word);
      if (name === undefined) continue;
      if (hasFlag(parsed, '-i')) walker.integers.add(name);
      const before = variableOf(withVariables(place).scope, name);
      const local = options.local === true && inFunction;
      if (set === undefined && (before === undefined || local) && !exported) continue;
      // Letters may be changed with each assignment.
      const given = set?.value ?? before?.values[0] ?? outsideVariable(name);
      const cased = hasFlag(parsed, '-l') ? 'lower' : hasFlag(parsed, '-u') ? 'upper' : undefined;
      if (cased !== undefined) walker.cased.set(name, cased);
      const value = hasFlag(parsed, '-c') ? unknownWord(`\${${name}^}`) : given;
      const elements = set === undefined ? before?.elements : undefined;
      assign(place, name, value, elements, {
        local,
        exported: exported || before?.exported === true,
        arrays: set === undefined ? before?.arrays : undefined,
      });
    }
    return EMPTY_WORD;
  };
}

function exportFunction({ scope }: Place, word: Word): void {
  const name = knownText(word) ?? '';
  const found = functionsOf(scope, name);
  if (found.length > 0) defineFunction(scope, name, ...found.map((each) => ({ ...each, exported: true })));
}

const unset: ProgramReader = ({ place, parsed }) => {
  for (const { word } of parsed.operands) {
    const name = knownText(word);
    if (name === undefined) continue;
    if (hasFlag(parsed, '-f')) {
      defineFunction(place.scope, name);
      continue;
    }
    const [whole = name, element] = name.split('[', 2);
    const value = element === undefined ? UNSET : unknownWord(`$${whole}`);
    setVariable(place.scope, whole, { values: [value], elements: undefined, exported: false });
  }
  return EMPTY_WORD;
};

/** `set -e`, `set -o pipefail` and what takes them away; with `set -n` nothing runs any more. */
function noteOptions({ scope, standing }: Place, args: readonly Arg[]): void {
  for (const [index, { word }] of args.entries()) {
    const text = knownText(word);
    if (text === undefined || text.startsWith('--')) break;
    const [, sign, letters = ''] = /^([-+])([a-zA-Z]+)$/.exec(text) ?? [];
    if (sign === undefined) continue;
    const name = letters.endsWith('o') ? knownText(args[index + 1]?.word ?? []) : undefined;
    if (letters.includes('n') || name === 'noexec') noteEnd(scope, 'any');
    if (letters.includes('e') || name === 'errexit') setOption(scope, 'errexit', sign === '-', standing);
    if (name === 'pipefail') setOption(scope, 'pipefail', sign === '-', standing);
  }
}

/** `set -- a b`; options are of no interest. */
const setOptions: ProgramReader = ({ place, args }, walker) => {
  if (args.some(({ word }) => /^(?:-[a-zA-Z]*a[a-zA-Z]*|allexport)$/.test(knownText(word) ?? '')))
    walker.exportsAll = true;
  if (args.some(({ word }) => /^(?:-[a-zA-Z]*e[a-zA-Z]*|errexit)$/.test(knownText(word) ?? '')))
    walker.stopsOnErrors = true;
  noteOptions(place, args);
  if (args.length === 0 || (args.length === 1 && /^[-+]o$/.test(knownText(args[0]?.word ?? []) ?? '')))
    return undefined;
  const dashes = args.findIndex((arg) => knownText(arg.word) === '--');
  const first = args.findIndex((arg) => !/^[-+]/.test(knownText(arg.word) ?? showWord(arg.word)));
  const start = dashes >= 0 ? dashes + 1 : first;
  const isOption = args.slice(0, Math.max(0, start)).some((arg) => /^[-+]o$/.test(knownText(arg.word) ?? ''));
  if (start >= 0 && !(isOption && dashes < 0))
    setPositional(
      place.scope,
      args.slice(start).map((arg) => arg.word),
    );
  return EMPTY_WORD;
};

const shift: ProgramReader = ({ place, parsed }) => {
  const words = positionalOf(place.scope);
  const count = Number(knownText(parsed.operands[0]?.word ?? textWord('1')));
  if (words !== undefined && Number.isInteger(count)) setPositional(place.scope, words.slice(count));
  return EMPTY_WORD;
};

const alias: ProgramReader = ({ parsed }, walker) => {
  let prints = parsed.operands.length === 0;
  for (const { word } of parsed.operands) {
    const [, name] = /^([^=/$`'"\s]+)=/.exec(leadingText(word)) ?? [];
    if (name !== undefined) walker.aliases.add(name);
    else prints = true;
  }
  return prints ? undefined : EMPTY_WORD;
};

const unalias: ProgramReader = ({ place, parsed }, walker) => {
  if (certaintyOf(place.scope) === 'certain')
    for (const { word } of parsed.operands) walker.aliases.delete(knownText(word) ?? '');
  return EMPTY_WORD;
};

const evaluate: ProgramReader = (call, walker) => {
  const words = knownText(call.args[0]?.word ?? EMPTY_WORD) === '--' ? call.args.slice(1) : call.args;
  const [only] = words;
  if (only === undefined) return EMPTY_WORD;
  call.command.wrapper = true;
  const script =
    words.length === 1
      ? only
      : { word: joinList(words.map((arg) => arg.word)), span: call.span, at: undefined };
  const place: Place = {
    ...withVariables(call.place),
    via: [...call.place.via, { kind: 'eval', name: 'eval' }],
    parent: call.index,
  };
  return runShellText(call, script, place, 'the script of eval', walker);
};

/** `source file`: what the script wrote there itself, or what `<( )` prints, is read. */
const source: ProgramReader = (call, walker) => {
  const file = call.parsed.operands[0]?.word;
  if (file === undefined) return undefined;
  const isInput = knownText(file) === '/dev/stdin';
  const content = isInput ? call.place.input : writtenContent(file, call, walker);
  if (content === undefined) {
    noteLoaded(call, walker.resolve(file, call.command), walker);
    return undefined;
  }
  call.command.wrapper = true;
  const around = withVariables(call.place);
  const given = call.parsed.operands.slice(1).map(({ word }) => word);
  // Its arguments are the positional parameters for as long as it runs.
  const scope = given.length === 0 ? around.scope : newScope('function', around.scope);
  if (given.length > 0) scope.positional = given;
  const place: Place = {
    ...around,
    scope,
    via: [...call.place.via, { kind: 'source', name: showWord(file) }],
    parent: call.index,
  };
  return runFileText(
    call,
    { word: file, span: call.span, at: undefined },
    content,
    place,
    'the file that is sourced',
    walker,
  );
};

/** exit leaves the branch it is in. */
const exit: ProgramReader = (call) => {
  if (isCertain(call)) leave(call.place.scope);
  noteExit(call);
  return EMPTY_WORD;
};

/** return does so inside a function. */
const returns: ProgramReader = (call) => {
  if (call.place.calls.length > 0 && isCertain(call)) leaveFunction(call.place.scope);
  noteExit(call);
  return EMPTY_WORD;
};

/** Without a number it is the status of what ran last. */
function noteExit({ args: [status], place: { scope, standing } }: Call): void {
  const fails =
    status === undefined ? standing.isAfterFailure === true : /^[1-9]\d?$/.test(knownText(status.word) ?? '');
  noteEnd(scope, fails ? 'failed' : 'any');
}

/** With more words than it takes it may fail. */
function isCertain({ command, args }: Call): boolean {
  return args.length <= 1 && command.redirections.length === 0 && !command.openEnded;
}

/** The script of a trap is read at the end, with what its names mean by then. */
export const trap: ProgramReader = (call, walker) => {
  const [script, signal] = call.parsed.operands;
  const arg = script === undefined ? undefined : call.args[script.arg];
  if (arg === undefined || hasFlag(call.parsed, '-p', '-l')) return undefined;
  if (signal === undefined || knownText(arg.word) === '-') return EMPTY_WORD;
  const via: Place['via'] = [...call.place.via, { kind: 'trap', name: showWord(signal.word) }];
  walker.traps.push(() => {
    const scope = newScope('branch', call.place.scope);
    const place: Place = { ...call.place, scope, via, parent: call.index, captured: false };
    runShellText(call, arg, place, 'the script of trap', walker);
  });
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
  shift,
  alias,
  unalias,
  trap,
  eval: evaluate,
  source,
  '.': source,
  exit,
  return: returns,
};
