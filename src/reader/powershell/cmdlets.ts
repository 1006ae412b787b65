import { globPieces } from '../reading/glob-pieces.ts';
import { baseName, parentOf } from '../reading/path.ts';
import type { Redirection, Span } from '../reading/reading.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  SOMEWHERE,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import type { Arg } from '../shell/scope/interpreter.ts';
import { cwdOf, newScope, setVariable } from '../shell/scope/scope.ts';
import type { Argument, Bound } from './bind.ts';
import { isRunnable, runAllThings, runThings } from './run-things.ts';
import type { At, Value } from './state.ts';
import { makeObject } from './static-calls.ts';
import { below, boundedValue, derived, knownValue, thingsIn, unknownValue } from './values.ts';
import { variableFor } from './variable-for.ts';
import { windowsPath } from './windows-path.ts';

/** A cmdlet that is run. */
export interface CmdletCall {
  readonly name: string;
  readonly head: Span;
  readonly at: At;
  readonly piped: Value | undefined;
  readonly redirections: readonly Redirection[];
  readonly span: Span;
  readonly given: readonly Argument[];
}

type Special = (call: CmdletCall) => Value;

/** Words by the starts of their parameters' names, and those without. */
function wordsOf(
  { given }: CmdletCall,
  ...switches: readonly string[]
): { named: (name: string) => Value | undefined; values: readonly Value[] } {
  const named = new Map<string, Value>();
  const values: Value[] = [];
  for (let index = 0; index < given.length; index++) {
    const argument = given[index];
    const name = argument?.parameter?.slice(1).toLowerCase();
    if (argument === undefined) continue;
    if (name === undefined) values.push(argument.value);
    else if (argument.given !== undefined) named.set(name, argument.given);
    else if (switches.some((each) => each.startsWith(name))) named.set(name, []);
    else named.set(name, given[++index]?.value ?? []);
  }
  const find = (name: string) => [...named].find(([written]) => name.startsWith(written))?.[1];
  return { named: find, values };
}

/** Cmdlets that give on what they get, or a part of it. */
const passOn: Special = (call) => {
  const { at, piped, given } = call;
  const { named } = wordsOf(
    call,
    'unique',
    'descending',
    'wait',
    'noelement',
    'asarray',
    'stream',
    'casesensitive',
  );
  const value = piped ?? named('inputobject') ?? [];
  for (const argument of given) runAllThings(argument.given ?? argument.value, { topic: value }, at);
  const expand = call.name === 'select-object' ? named('expandproperty') : undefined;
  const property = expand === undefined ? undefined : knownValue(expand);
  // What is chosen is not all.
  if (property === undefined)
    return call.name === 'where-object' || call.name === 'select-object'
      ? value.map((word) => (knownText(word) === '*' ? derived('some', [unknownWord('some')]) : word))
      : value;
  return at.read.expression(
    {
      type: 'member',
      of: { type: 'variable', name: '\0topic' },
      name: { type: 'text', text: property.toLowerCase() },
      args: undefined,
    },
    withTopic(value, at),
  );
};

function withTopic(value: Value, at: At): At {
  const scope = newScope('function', at.scope);
  scope.variables.set('\0topic', variableFor(value));
  return { ...at, scope };
}

const forEach: Special = (call) => {
  const { at, piped, given } = call;
  const { values, named } = wordsOf(call, 'parallel', 'asjob');
  const topic = piped ?? named('inputobject') ?? unknownValue('$_');
  const member = knownValue(named('membername') ?? values[0] ?? []);
  const blocks = given.map((argument) => argument.given ?? argument.value);
  const hasBlock = blocks.some((value) => thingsIn(value, at).length > 0);
  if (!hasBlock && member !== undefined) {
    const args = values.length > 1 || /^(?:delete|kill)$/i.test(member) ? values.slice(1) : undefined;
    const inner = withTopic(topic, at);
    args?.forEach((value, index) => {
      inner.scope.variables.set(`\0arg${index}`, variableFor(value));
    });
    return at.read.expression(
      {
        type: 'member',
        of: { type: 'variable', name: '\0topic' },
        name: { type: 'text', text: member.toLowerCase() },
        args: args?.map((_, index) => ({ type: 'variable', name: `\0arg${index}` })),
      },
      inner,
    );
  }
  return boundedValue(blocks.flatMap((value) => runThings(value, { topic }, at)));
};

function runAs(
  name: string,
  words: readonly Word[],
  { at, redirections, span, head }: CmdletCall,
  input?: Word,
): Value {
  const argv: readonly Arg[] = [
    { word: textWord(name), span: head, at: undefined },
    ...words.map((word) => ({ word, span, at: undefined })),
  ];
  const printed = at.interpreter.runCommand(
    argv,
    { ...at, input: input ?? at.input },
    { redirections, span, direct: false },
  );
  return printed.length === 0 ? [] : [printed];
}

const writeOutput: Special = (call) => {
  const { named, values } = wordsOf(call, 'noenumerate', 'nonewline');
  const value = [
    ...values.flat(),
    ...(named('inputobject') ?? named('object') ?? named('message') ?? []),
    ...(call.piped ?? []),
  ];
  runAs(call.name, value, call);
  return call.name === 'write-output' ? value : [];
};

const evaluate: Special = (call) => {
  const { named, values } = wordsOf(call);
  const texts = [...(named('command') ?? []), ...values.flat()];
  const given = texts.length > 0 ? texts : (call.piped ?? []);
  if (isRunnable(given, call.at)) return runThings(given, {}, call.at);
  return runAs('invoke-expression', given, call);
};

const toFolder =
  (program: string): Special =>
  (call) => {
    const { named, values } = wordsOf(call, 'passthru');
    const path = named('path') ?? named('literalpath') ?? values.flat();
    const words = (path.length > 0 ? path : (call.piped ?? [])).map((word) => windowsPath(word, false));
    runAs(program, words.slice(0, 1), call);
    return [];
  };

const joinPath: Special = (call) => {
  const { named, values } = wordsOf(call, 'resolve');
  const parts = [named('path'), named('childpath'), named('additionalchildpath')].filter(
    (value) => value !== undefined,
  );
  const all = [...parts, ...values];
  const [folders = [], ...names] =
    call.piped === undefined || parts.length + values.length > 1 ? all : [call.piped, ...all];
  return boundedValue(folders.flatMap((folder) => joinAllBelow(windowsPath(folder, false), names)));
};

function joinAllBelow(folder: Word, names: readonly Value[]): Value {
  let made: Value = [folder];
  for (const name of names)
    made = boundedValue(
      made.flatMap((each) => name.map((word) => below(withoutSlash(each), windowsPath(word, false)))),
    );
  return made;
}

function withoutSlash(word: Word): Word {
  const last = word.at(-1);
  return last?.type === 'text' && last.text.length > 1 && last.text.endsWith('/')
    ? joinWords(word.slice(0, -1), textWord(last.text.slice(0, -1)))
    : word;
}

const splitPath: Special = (call) => {
  const { named, values } = wordsOf(
    call,
    'leaf',
    'parent',
    'leafbase',
    'extension',
    'qualifier',
    'noqualifier',
    'resolve',
    'isabsolute',
  );
  const paths = [
    ...(named('path') ?? named('literalpath') ?? []),
    ...values.flat(),
    ...(call.piped ?? []),
  ].map((word) => windowsPath(word, false));
  if (named('leaf') !== undefined) return paths.map((path) => baseName(path));
  return paths.map(
    (path) =>
      parentOf(path) ?? (knownText(path) === undefined ? derived('Split-Path', [path]) : textWord('.')),
  );
};

const setVariableNamed: Special = (call) => {
  const { named, values } = wordsOf(call, 'force', 'passthru');
  const name = knownValue(named('name') ?? values[0] ?? [])?.toLowerCase();
  const value = named('value') ?? values.at(named('name') === undefined ? 1 : 0) ?? call.piped ?? [];
  if (name !== undefined) setVariable(call.at.scope, name, variableFor(value));
  return [];
};

const getVariable: Special = (call) => {
  const { named, values } = wordsOf(call, 'valueonly');
  const name = knownValue(named('name') ?? values[0] ?? []);
  return name === undefined
    ? unknownValue('a variable')
    : call.at.read.expression({ type: 'variable', name: name.toLowerCase() }, call.at);
};

const setAlias: Special = (call) => {
  const { named, values } = wordsOf(call, 'force', 'passthru');
  const name = knownValue(named('name') ?? values[0] ?? [])?.toLowerCase();
  const target = named('value') ?? values.at(named('name') === undefined ? 1 : 0) ?? [];
  const known = knownValue(target)?.toLowerCase();
  if (name === undefined || known === undefined)
    call.at.interpreter.gap('unknown_script', call.span, 'Cannot tell what an alias stands for');
  else call.at.state.aliases.set(name, known);
  return [];
};

const newObject: Special = (call) => {
  const { named, values } = wordsOf(call, 'strict');
  const type = named('typename') ?? named('comobject') ?? values[0] ?? [];
  const rest = values.slice(named('typename') === undefined && named('comobject') === undefined ? 1 : 0);
  const args = [
    ...rest.flatMap((value) => value.map((word) => [word])),
    ...(named('argumentlist') ?? []).map((word) => [word]),
  ];
  runAs('new-object', type, call);
  return makeObject(knownValue(type) ?? '', args, call.at);
};

const invokeCommand: Special = (call) => {
  const { at, given } = call;
  const { named } = wordsOf(call, 'nonewscope', 'asjob');
  const isRemote =
    named('computername') !== undefined ||
    named('session') !== undefined ||
    named('hostname') !== undefined ||
    named('vmname') !== undefined ||
    named('containerid') !== undefined;
  const frame = isRemote ? { ...at, remote: true } : at;
  runAs(call.name, (named('computername') ?? named('hostname') ?? []).slice(0, 8), call);
  const file = named('filepath');
  if (file !== undefined)
    call.at.read.cmdlet(
      'start-process',
      file.map((word) => windowsPath(word, false)),
      frame,
    );
  const args = (named('argumentlist') ?? []).map((word) => [word]);
  const blocks = given.map((argument) => argument.given ?? argument.value);
  return blocks.flatMap((value) => runThings(value, { values: args, topic: call.piped ?? [] }, frame));
};

const nothing: Special = () => [];

/** Cmdlets that PowerShell itself carries out: those that change variables, run blocks or give on what they get. */
export const SPECIAL: Readonly<Record<string, Special | undefined>> = {
  'foreach-object': forEach,
  ...Object.fromEntries(
    'where-object select-object sort-object group-object get-unique out-string out-default out-host format-table format-list format-wide format-custom measure-object convertto-json convertto-csv convertto-html convertto-xml out-gridview select-xml out-null'
      .split(' ')
      .map((name) => [name, passOn]),
  ),
  'write-output': writeOutput,
  'write-host': writeOutput,
  'write-error': writeOutput,
  'write-warning': writeOutput,
  'write-verbose': writeOutput,
  'write-information': writeOutput,
  'write-debug': writeOutput,
  'write-progress': nothing,
  'invoke-expression': evaluate,
  'set-location': toFolder('cd'),
  'push-location': toFolder('pushd'),
  'pop-location': toFolder('popd'),
  'get-location': ({ at }) => [cwdOf(at.scope)],
  'join-path': joinPath,
  'split-path': splitPath,
  'set-variable': setVariableNamed,
  'new-variable': setVariableNamed,
  'get-variable': getVariable,
  'set-alias': setAlias,
  'new-alias': setAlias,
  'new-object': newObject,
  'invoke-command': invokeCommand,
  'start-job': invokeCommand,
  'start-threadjob': invokeCommand,
  'measure-command': invokeCommand,
  'set-strictmode': nothing,
  'start-sleep': nothing,
  'get-date': () => [unknownWord('a date')],
  'get-random': () => [unknownWord('a number')],
  'new-guid': () => [unknownWord('a name')],
};

/** What a cmdlet puts out whose words have been bound. */
export function outputOf(name: string, { slots, named }: Bound, printed: Value, at: At): Value {
  const [first = []] = slots;
  switch (name) {
    case 'get-childitem':
      return children(first.length === 0 ? [textWord('.')] : first, named, slots[1]);
    case 'get-item':
    case 'resolve-path':
    case 'convert-path':
    case 'get-command':
    case 'get-alias':
    case 'get-service':
    case 'get-scheduledtask':
      return first.length === 0 ? printed : first;
    case 'get-process':
    case 'get-ciminstance':
    case 'get-wmiobject':
      return processes(name, slots, named, printed);
    case 'new-item': {
      const own = named.get('-name');
      return own === undefined ? first : first.flatMap((folder) => own.map((word) => below(folder, word)));
    }
    case 'new-temporaryfile':
      return [below(outsideVariable('TEMP', '$env:TEMP'), unknownWord('a name'))];
    case 'test-path':
      return [unknownWord('a condition')];
    case 'tee-object':
      return printed;
    default:
      return printed
        .map((word) => (word.length === 0 ? EMPTY_WORD : word))
        .filter((word) => word.length > 0 || at.captured);
  }
}

/** The processes that are asked for: all of them unless something names or chooses some. */
function processes(name: string, [first = []]: Bound['slots'], named: Bound['named'], printed: Value): Value {
  const isOther = name !== 'get-process' && !/^win32_process$/i.test(knownValue(first) ?? '');
  if (named.has('-filter') || named.has('-query')) return printed;
  if (isOther) return first.length > 0 ? first : printed;
  return name === 'get-process' && first.length > 0 ? first : [textWord('*')];
}

/** What Get-ChildItem comes upon. */
function children(
  folders: Value,
  named: ReadonlyMap<string, Value | undefined>,
  second: Value | undefined,
): Value {
  const filters = named.get('-filter') ?? named.get('-include') ?? (second?.length ? second : undefined);
  const isDeep = named.has('-recurse') || named.has('-depth');
  return boundedValue(
    folders.flatMap((folder): Value => {
      const last = baseName(folder);
      const isPattern = last.some(({ type }) => type === 'glob');
      const names = filters ?? (isPattern && isDeep ? [last] : undefined);
      const start = isPattern && isDeep ? (parentOf(folder) ?? textWord('.')) : folder;
      if (isPattern && !isDeep && filters === undefined) return [folder];
      const slashed = joinWords(
        start,
        textWord(leadingText(start).endsWith('/') && start.length === 1 ? '' : '/'),
      );
      const somewhere: Word = isDeep ? [...slashed, ...unknownWord(SOMEWHERE)] : slashed;
      if (names !== undefined)
        return names.map((name) =>
          joinWords(isDeep ? joinWords(somewhere, textWord('/')) : somewhere, wild(name)),
        );
      const all: Word = [...slashed, { type: 'glob', pattern: isDeep ? '**' : '*' }];
      const isFile = /[^.]\.[A-Za-z0-9]{1,5}$/.test(knownText(last) ?? '');
      return isFile ? [folder] : [all];
    }),
  );
}

function wild(name: Word): Word {
  const known = knownText(name);
  return known === undefined ? name : globPieces(known, { escapes: false, stopsAtSlash: true });
}
