import { crossBorder } from '../programs/interpret/cross-border.ts';
import { EMPTY_WORD, knownText, textWord, unknownWord, type Word } from '../reading/word.ts';
import type { Arg } from '../shell/scope/interpreter.ts';
import { cwdOf, newScope, setVariable } from '../shell/scope/scope.ts';
import { type CmdletCall, type Special, wordsOf } from './cmdlet-call.ts';
import { joinPath, splitPath } from './cmdlet-output.ts';
import { makeObject } from './dotnet-calls.ts';
import { isRunnable, objectsOf, objectWord, runNestedObjects, runObjects } from './runtime-objects.ts';
import type { PsFrame, Value } from './state.ts';
import { boundedValue, derived, joinedValues, knownValue, unknownValue, variableFor } from './values.ts';
import { windowsPath } from './windows-path.ts';

/** Cmdlets that give on their input, or a part of it. */
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
  for (const argument of given) runNestedObjects(argument.given ?? argument.value, { topic: value }, at);
  const expand = call.name === 'select-object' ? named('expandproperty') : undefined;
  const property = expand === undefined ? undefined : knownValue(expand);
  // A selection is not all.
  if (property === undefined)
    return call.name === 'where-object' || call.name === 'select-object'
      ? value.flatMap((word) => (knownText(word) === '*' ? chosenBy(call) : [word]))
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

/** The processes that a condition names: `{ $_.Name -eq 'node' }`, `Name -like no*`; all if it only leaves some out. */
function chosenBy({ given, at }: CmdletCall): Value {
  const words = given.flatMap(({ parameter, value }) => [
    parameter ?? knownValue(value) ?? '',
    ...objectsOf(value, at).map((thing) => (thing.type === 'block' ? thing.text : '')),
  ]);
  const text = words.join(' ');
  const names = [...text.matchAll(NAMED)].flatMap(([, list = '', first = '']) =>
    (list === '' ? [first] : (list.match(TEXT) ?? [])).flatMap((each) => each.split('|')).map(processNamed),
  );
  const some = derived('some', [unknownWord('some')]);
  if (names.length > 0) return names.map((name) => (name === undefined ? some : textWord(name)));
  const isRest =
    /-[ic]?(?:ne|not\w+)\b/i.test(text) &&
    !/-[ic]?(?:eq|like|match|in|contains|[gl][te])\b|\.\w{1,40}\(/i.test(text);
  return isRest ? [textWord('*')] : [some];
}

/** The program that the text of a condition names: the last name of a path. */
function processNamed(written: string): string | undefined {
  const text = written.replaceAll(/^['"]|['"]$/g, '');
  if (/^[*.^$\\]+$/.test(text)) return '*';
  const last = text.split(/[\\/]/).findLast((piece) => /\w/.test(piece));
  return last?.includes('$') === false ? /\w[\w.*-]*/.exec(last)?.[0] : undefined;
}

const TEXT = /'[^'\n]{1,200}'|"[^"\n]{1,200}"|[\w.*:\\/-]{1,200}/g;
const NAMED = new RegExp(
  String.raw`(?:name|path|commandline)(?:['"]?\s+-[ic]?(?:eq|like|match|in)\s+(?:-value\s+)?|\.(?:startswith|contains|equals)\()[@(\s]{0,4}((?:(?:${TEXT.source})(?:\s?,\s?)?){1,20})|(?<![\w.*-])['"]?([\w.*-]{1,100})['"]?\s+-[ic]?eq\s+\$_\.(?:process)?name\b`,
  'gi',
);

function withTopic(value: Value, at: PsFrame): PsFrame {
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
  const hasBlock = blocks.some((value) => objectsOf(value, at).length > 0);
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
  return boundedValue(blocks.flatMap((value) => runObjects(value, { topic }, at)));
};

function runAs(
  name: string,
  words: readonly Word[],
  { at, redirections, span, head }: CmdletCall,
  input?: Word,
): Value {
  const argv: readonly Arg[] = [
    { word: textWord(name), span: head },
    ...words.map((word) => ({ word, span })),
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
  if (isRunnable(given, call.at)) return runObjects(given, {}, call.at);
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
    call.at.interpreter.gap('unknown_script', call.span, 'Cannot tell which command an alias means');
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
  const { named, values } = wordsOf(call, 'nonewscope', 'asjob');
  // `Invoke-Command web1 { … }`; an argument that is spread out may be a parameter.
  const isName = (word: Word) =>
    knownText(word) !== '--' && !word.some((part) => part.type === 'unknown' && part.splits);
  const first = values.length > 1 && values[0]?.every(isName) ? values[0] : undefined;
  const isRemote =
    first !== undefined ||
    ['computername', 'session', 'hostname', 'vmname', 'containerid'].some(
      (name) => named(name) !== undefined,
    );
  // Other variables may be handed on.
  const frame = isRemote ? { ...crossBorder(at, () => false, 'subshell'), remote: true } : at;
  runAs(call.name, (named('computername') ?? named('hostname') ?? first ?? []).slice(0, 8), call);
  const file = named('filepath')?.map((word) => windowsPath(word, false));
  if (file !== undefined) call.at.read.cmdlet('start-process', file, frame);
  const args = (named('argumentlist') ?? []).map((word) => [word]);
  const blocks = given.map((argument) => argument.given ?? argument.value);
  return blocks.flatMap((value) => runObjects(value, { values: args, topic: call.piped ?? [] }, frame));
};

/** A text that is made a block of. */
const scriptBlock: Special = ({ at, given }) =>
  given
    .flatMap(({ value }) => value)
    .map((text) => (isRunnable([text], at) ? text : objectWord('[scriptblock]', { type: 'code', text }, at)));

const setEnvironment: Special = (call) => {
  const [name = EMPTY_WORD, value = EMPTY_WORD] = call.given.flatMap((argument) => argument.value);
  return runAs('export', joinedValues([[name], [textWord('=')], [value]]), call);
};

const nothing: Special = () => [];

/** Cmdlets that PowerShell itself carries out: those that change variables, run blocks or give on their input. */
export const SPECIAL: Readonly<Record<string, Special | undefined>> = {
  'foreach-object': forEach,
  ...Object.fromEntries(
    'where-object select-object sort-object group-object get-unique out-string out-default out-host format-table format-list format-wide format-custom measure-object convertto-json convertto-csv convertto-html convertto-xml out-gridview select-xml out-null'
      .split(' ')
      .map((name) => [name, passOn]),
  ),
  ...Object.fromEntries(
    'output host error warning verbose information debug'
      .split(' ')
      .map((to) => [`write-${to}`, writeOutput]),
  ),
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
  scriptblock: scriptBlock,
  'set-environment': setEnvironment,
  'set-strictmode': nothing,
  'start-sleep': nothing,
  'get-date': () => [unknownWord('a date')],
  'get-random': () => [unknownWord('a number')],
  'new-guid': () => [unknownWord('a name')],
};
