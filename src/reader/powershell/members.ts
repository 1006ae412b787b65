import { decodeBase64Utf16 } from '../../lib/decode.ts';
import { baseName, parentOf } from '../reading/path.ts';
import { EMPTY_WORD, knownText, outsideVariable, textWord, unknownWord, type Word } from '../reading/word.ts';
import { placeWord } from './outside-names.ts';
import { isRunnable, runThings } from './run-things.ts';
import type { At, Value } from './state.ts';
import type { Expression } from './syntax.ts';
import {
  below,
  boundedValue,
  derived,
  isPathLike,
  joinedValues,
  knownTexts,
  knownValue,
  textValue,
  thingsIn,
  unknownValue,
  wordOf,
} from './values.ts';

type Member = Extract<Expression, { type: 'member' }>;

/** What a member of a value or a type comes to, and what calling it does. */
export function readMember({ of, name, args }: Member, at: At): Value {
  const member = knownValue(at.read.expression(name, at))?.toLowerCase() ?? '';
  const values = args?.map((each) => at.read.expression(each, at));
  if (of.type === 'type') {
    const type = of.name.replace(/^system\./, '');
    return values === undefined ? staticProperty(type, member) : staticCall(type, member, values, at);
  }
  const value = at.read.expression(of, at);
  return values === undefined ? property(value, member, at) : methodCall(value, member, values, at);
}

function property(value: Value, name: string, at: At): Value {
  const found = thingsIn(value, at).flatMap((thing) =>
    thing.type === 'table' ? (thing.entries.get(name) ?? []) : [],
  );
  if (found.length > 0) return found;
  switch (name) {
    case 'fullname':
    case 'path':
    case 'providerpath':
    case 'pspath':
    case 'definition':
    case 'currentuserallhosts':
    case 'currentusercurrenthost':
    case 'allusersallhosts':
    case 'alluserscurrenthost':
    case 'value':
    case 'localpath':
      return value;
    case 'length':
    case 'count':
    case 'linenumber':
    case 'lastwritetime':
    case 'statuscode':
    case 'exitcode':
    case 'id':
      return [unknownWord(`.${name}`)];
    case 'name':
      return value.map((word) => (isPathLike(word) ? baseName(word) : derived('.name', [word])));
    case 'directoryname':
    case 'directory':
    case 'parent':
      return value.map((word) => parentOf(word) ?? textWord('.'));
    default:
      return value.length === 0 ? [] : [derived(`.${name}`, value)];
  }
}

const FOLDERS: Readonly<Record<string, string>> = {
  userprofile: '~',
  personal: '~/Documents',
  mydocuments: '~/Documents',
  desktop: '~/Desktop',
  applicationdata: '~/AppData/Roaming',
  localapplicationdata: '~/AppData/Local',
  startup: '~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup',
  windows: 'C:/Windows',
  system: 'C:/Windows/System32',
  programfiles: 'C:/Program Files',
};

function staticProperty(type: string, name: string): Value {
  if (type === 'environment' && name === 'currentdirectory') return textValue('.');
  if (type === 'environment+specialfolder') return textValue(name);
  if (type === 'io.path') return textValue('/');
  if (type === 'environment' && name === 'newline') return textValue('\n');
  if (type === 'string' && name === 'empty') return [EMPTY_WORD];
  return [unknownWord(`[${type}]::${name}`)];
}

type FileCall = (args: readonly Value[], at: At) => Value;

/** A call as the cmdlet with the same words. */
function as(cmdlet: string, ...more: readonly string[]): FileCall {
  return (args, at) => at.read.cmdlet(cmdlet, [...more.map(textWord), ...args.flat()], at);
}

/** The same, of the first arguments only: what follows says how. */
function asFirst(cmdlet: string, count: number, ...more: readonly string[]): FileCall {
  return (args, at) => as(cmdlet, ...more)(args.slice(0, count), at);
}

const deleteFolder: FileCall = ([path = [], recurse], at) =>
  at.read.cmdlet(
    'remove-item',
    [...(recurse === undefined || knownValue(recurse) === 'False' ? [] : [textWord('-Recurse')]), ...path],
    at,
  );

const startProgram: FileCall = ([program = [], ...words], at) => {
  const text = knownValue(program);
  const parts = words.length === 0 && text !== undefined && /\s/.test(text) ? text : undefined;
  return parts === undefined
    ? at.read.cmdlet('start-process', [...program.slice(0, 1), ...(words[0] ?? [])], at)
    : at.read.cmdlet('start-process', parts.split(/\s+/).map(textWord), at);
};

const STATIC: Readonly<Record<string, FileCall>> = {
  'io.file.readalltext': asFirst('get-content', 1),
  'io.file.readalllines': asFirst('get-content', 1),
  'io.file.readlines': asFirst('get-content', 1),
  'io.file.readallbytes': asFirst('get-content', 1),
  'io.file.openread': asFirst('get-content', 1),
  'io.file.opentext': asFirst('get-content', 1),
  'io.file.writealltext': asFirst('set-content', 2),
  'io.file.writealllines': asFirst('set-content', 2),
  'io.file.writeallbytes': asFirst('set-content', 2),
  'io.file.appendalltext': asFirst('add-content', 2),
  'io.file.appendalllines': asFirst('add-content', 2),
  'io.file.openwrite': asFirst('set-content', 1),
  'io.file.create': asFirst('set-content', 1),
  'io.file.createtext': asFirst('set-content', 1),
  'io.file.open': asFirst('set-content', 1),
  'io.file.delete': asFirst('remove-item', 1),
  'io.file.copy': asFirst('copy-item', 2),
  'io.file.move': asFirst('move-item', 2),
  'io.file.replace': asFirst('move-item', 2),
  'io.directory.move': asFirst('move-item', 2),
  'io.directory.createdirectory': asFirst('new-item', 1),
  'io.directory.delete': deleteFolder,
  'io.directory.getfiles': asFirst('get-childitem', 1),
  'io.directory.getdirectories': asFirst('get-childitem', 1),
  'io.directory.enumeratefiles': asFirst('get-childitem', 1),
  'io.directory.getfilesystementries': asFirst('get-childitem', 1),
  'io.directory.setcurrentdirectory': asFirst('set-location', 1),
  'io.compression.zipfile.extracttodirectory': asFirst('expand-archive', 2),
  'io.compression.zipfile.createfromdirectory': asFirst('compress-archive', 2),
  'scriptblock.create': asFirst('scriptblock', 1),
  'management.automation.scriptblock.create': asFirst('scriptblock', 1),
  'environment.exit': () => [],
  'reflection.assembly.load': asFirst('add-type', 1),
  'reflection.assembly.loadfrom': asFirst('add-type', 1),
  'reflection.assembly.loadfile': asFirst('add-type', 1),
  'reflection.assembly.unsafeloadfrom': asFirst('add-type', 1),
};

function staticCall(type: string, name: string, args: readonly Value[], at: At): Value {
  if (type === 'diagnostics.process' && name === 'start') return startProgram(args, at);
  const known = STATIC[`${type}.${name}`];
  if (known !== undefined) return known(args, at);
  const [first = []] = args;
  if (type === 'io.path') return pathCall(name, args);
  if (type === 'environment' && name === 'getfolderpath') {
    const place = FOLDERS[(knownValue(first) ?? '').toLowerCase()];
    return place === undefined ? unknownValue('a folder of the system') : [placeWord(place)];
  }
  if (type === 'environment' && name === 'getenvironmentvariable') {
    const variable = knownValue(first);
    return [variable === undefined ? unknownWord('a variable') : outsideVariable(variable.toUpperCase())];
  }
  if (type === 'environment' && name === 'setenvironmentvariable')
    return at.read.cmdlet('set-environment', args.flat(), at);
  if (type === 'convert' && name === 'frombase64string')
    return first
      .map((word) => ({ word, text: knownText(word) }))
      .map(({ word, text }) => {
        const known = text === undefined ? undefined : decodeBase64(text);
        return known ?? unknownWord('[Convert]', [{ type: 'decoder', source: word }]);
      });
  if (name === 'getstring') return first;
  if (name === 'new')
    return args.length === 0 ? unknownValue(`[${type}]`) : [derived(`[${type}]`, args.flat())];
  if (type === 'string' && name === 'join') {
    const between = knownValue(first);
    return between === undefined ? [derived('Join', args.flat())] : textJoin(between, args.slice(1).flat());
  }
  if (type === 'string' && (name === 'concat' || name === 'format'))
    return name === 'concat' ? joinedValues(args) : [derived('Format', args.flat())];
  return args.length === 0
    ? [unknownWord(`[${type}]::${name}()`)]
    : [derived(`[${type}]::${name}()`, args.flat())];
}

function textJoin(between: string, words: Value): Value {
  const parts = words.flatMap((word, index) => (index > 0 ? [textValue(between), [word]] : [[word]]));
  return joinedValues(parts);
}

/** The text that Base64 stands for, as UTF-16 or UTF-8, whichever it is. */
function decodeBase64(text: string): Word | undefined {
  const wide = decodeBase64Utf16(text);
  if (wide !== undefined && /^[\t\r\n -~]+$/.test(wide)) return textWord(wide);
  const narrow = Buffer.from(text, 'base64').toString('utf8');
  return narrow.includes('\ufffd') ? undefined : textWord(narrow);
}

function pathCall(name: string, args: readonly Value[]): Value {
  const [first = [], ...others] = args;
  switch (name) {
    case 'combine':
    case 'join':
      return args.flat().length === 0 ? [] : [args.flat().reduce((folder, each) => below(folder, each))];
    case 'gettemppath':
      return [outsideVariable('TEMP', '$env:TEMP')];
    case 'gettempfilename':
    case 'getrandomfilename':
      return [below(outsideVariable('TEMP', '$env:TEMP'), unknownWord('a name'))];
    case 'getfullpath':
    case 'changeextension':
      return first;
    case 'getdirectoryname':
      return first.map((word) => parentOf(word) ?? textWord('.'));
    case 'getfilename':
      return first.map((word) => baseName(word));
    default:
      return [derived(`.${name}`, [...first, ...others.flat()])];
  }
}

/** Methods that do something, whatever they are called on. */
const METHODS: Readonly<Record<string, (of: Value, args: readonly Value[], at: At) => Value>> = {
  downloadstring: (_of, [url = []], at) => at.read.cmdlet('invoke-webrequest', url, at),
  downloaddata: (_of, [url = []], at) => at.read.cmdlet('invoke-webrequest', url, at),
  downloadfile: (_of, [url = [], file = []], at) =>
    at.read.cmdlet('invoke-webrequest', [textWord('-OutFile'), ...file, ...url], at),
  openread: (_of, [url = []], at) => at.read.cmdlet('invoke-webrequest', url, at),
  getstringasync: (_of, [url = []], at) => at.read.cmdlet('invoke-webrequest', url, at),
  getasync: (_of, [url = []], at) => at.read.cmdlet('invoke-webrequest', url, at),
  uploadstring: (_of, args, at) => upload(args, at),
  uploaddata: (_of, args, at) => upload(args, at),
  uploadvalues: (_of, args, at) => upload(args, at),
  postasync: (_of, args, at) => upload(args, at),
  uploadfile: (_of, [url = [], ...rest], at) =>
    at.read.cmdlet('invoke-webrequest', [textWord('-InFile'), ...(rest.at(-1) ?? []), ...url], at),
  invoke: (of, args, at) => invoke(of, args, at),
  invokereturnasis: (of, args, at) => invoke(of, args, at),
  invokescript: (_of, [text = []], at) => at.read.cmdlet('invoke-expression', text, at),
  addscript: (_of, [text = []], at) => at.read.cmdlet('invoke-expression', text, at),
  newscriptblock: (_of, [text = []], at) => at.read.cmdlet('scriptblock', text, at),
  shellexecute: (_of, args, at) => startProgram(args, at),
  run: (_of, args, at) => startProgram(args, at),
  exec: (_of, args, at) => startProgram(args, at),
  foreach: (of, [block = []], at) => invokeWith(block, of, at),
  where: (of, [block = []], at) => {
    invokeWith(block, of, at);
    return of;
  },
  copyto: (of, [to = []], at) => at.read.cmdlet('copy-item', [...of, ...to], at),
  moveto: (of, [to = []], at) => at.read.cmdlet('move-item', [...of, ...to], at),
  win32shutdown: (_of, _args, at) => at.read.cmdlet('stop-computer', [], at),
  reboot: (_of, _args, at) => at.read.cmdlet('restart-computer', [], at),
  terminate: (of, _args, at) => at.read.cmdlet('stop-process', of, at),
  kill: (of, _args, at) => at.read.cmdlet('stop-process', of, at),
};

function upload([url = [], ...rest]: readonly Value[], at: At): Value {
  return at.read.cmdlet(
    'invoke-webrequest',
    [textWord('-Body'), wordOf(rest.at(-1) ?? []), textWord('-Method'), textWord('Post'), ...url],
    at,
  );
}

function invoke(of: Value, args: readonly Value[], at: At): Value {
  if (isRunnable(of, at)) return runThings(of, { values: args }, at);
  return of.length === 0 ? [] : [derived('.Invoke()', [...of, ...args.flat()])];
}

function invokeWith(block: Value, topic: Value, at: At): Value {
  return runThings(block, { topic: boundedValue(topic) }, at);
}

function methodCall(of: Value, name: string, args: readonly Value[], at: At): Value {
  const method = METHODS[name];
  if (method !== undefined) return method(of, args, at);
  // What looks through scripts for malware is switched off by its own parts.
  if (args.flat().some((word) => /amsi(?:utils|initfailed|context|session)/i.test(knownText(word) ?? '')))
    at.read.cmdlet('set-mppreference', [textWord('-DisableScriptScanning'), textWord('True')], at);
  if (name === 'delete' && of.some((word) => /shadowcopy/i.test(knownText(word) ?? '')))
    return at.read.cmdlet('remove-ciminstance', of, at);
  if (name === 'delete' && of.every(isPathLike)) return deleteFolder([of, ...args], at);
  for (const value of args) invokeWith(value, of, at);
  const texts = knownTexts(of);
  const given = args.map(knownValue);
  switch (name) {
    case 'tostring':
    case 'clone':
    case 'getnewclosure':
    case 'gettype':
    case 'trim':
    case 'trimend':
    case 'trimstart':
      return name === 'trim' && texts !== undefined ? texts.map((text) => textWord(text.trim())) : of;
    case 'tolower':
    case 'tolowerinvariant':
      return texts?.map((text) => textWord(text.toLowerCase())) ?? [derived('.ToLower()', of)];
    case 'toupper':
    case 'toupperinvariant':
      return texts?.map((text) => textWord(text.toUpperCase())) ?? [derived('.ToUpper()', of)];
    case 'replace': {
      const [from, to = ''] = given;
      if (texts === undefined || from === undefined || from === '') break;
      return texts.map((text) => textWord(text.replaceAll(from, to)));
    }
    case 'substring': {
      const [start, length] = given.map(Number);
      if (texts === undefined || start === undefined || Number.isNaN(start)) break;
      return texts.map((text) =>
        textWord(length === undefined ? text.slice(start) : text.substr(start, length)),
      );
    }
    case 'contains':
    case 'startswith':
    case 'endswith':
    case 'indexof':
    case 'equals':
      return [unknownWord('a condition')];
    default:
  }
  return [derived(`.${name}()`, [...of, ...args.flat()])];
}
