import { decodeBase64Utf16 } from '../reading/decode.ts';
import { baseName, parentOf } from '../reading/path.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import { callNamed, deleteFolder, invokeWith, makeObject, startProgram } from './dotnet-calls.ts';
import { placeWord } from './outside-names.ts';
import { objectsOf } from './runtime-objects.ts';
import type { PsFrame, Value } from './state.ts';
import type { Expression } from './syntax.ts';
import {
  below,
  derived,
  isPathLike,
  joinedValues,
  knownTexts,
  knownValue,
  textValue,
  unknownValue,
} from './values.ts';

type Member = Extract<Expression, { type: 'member' }>;

/** Reads a member of a value or a type, and the effects of calling it. */
export function readMember({ of, name, args }: Member, at: PsFrame): Value {
  const member = knownValue(at.read.expression(name, at))?.toLowerCase() ?? '';
  const values = args?.map((each) => at.read.expression(each, at));
  if (of.type === 'type') {
    const type = of.name.replace(/^system\./, '');
    return values === undefined ? staticProperty(type, member) : staticCall(type, member, values, at);
  }
  const value = at.read.expression(of, at);
  return values === undefined ? property(value, member, at) : methodCall(value, member, values, at);
}

function property(value: Value, name: string, at: PsFrame): Value {
  const found = objectsOf(value, at).flatMap((thing) =>
    thing.type === 'table' ? (thing.entries.get(name) ?? []) : [],
  );
  if (found.length > 0) return found;
  if (SAME.test(name)) return value;
  // The number of a process that a name tells.
  if (/^(?:process)?id$/.test(name) && value.length > 0 && value.every(isProcessName)) return value;
  if (UNKNOWN.test(name)) return [unknownWord(`.${name}`)];
  if (/^(?:directory(?:name)?|parent)$/.test(name))
    return value.map((word) => parentOf(word) ?? textWord('.'));
  if (name === 'name')
    return value.map((word) => (isPathLike(word) ? baseName(word) : derived('.name', [word])));
  // `(Get-Command git).Source`, as which prints it.
  if (name === 'source')
    return value.map((word) =>
      /^[\w.-]+$/.test(knownText(word) ?? '') ? joinWords(textWord('/usr/bin/'), word) : word,
    );
  return value.length === 0 ? [] : [derived(`.${name}`, value)];
}

function isProcessName(word: Word): boolean {
  return /^[\w.-]+\*?$/.test(knownText(word) ?? '');
}

/** Properties that are the value itself, and those of which nothing is known. */
const SAME =
  /^(?:fullname|path|providerpath|pspath|definition|(?:current|all)users?(?:allhosts|currenthost)|value|localpath)$/;
const UNKNOWN = /^(?:length|count|linenumber|lastwritetime|statuscode|exitcode|id)$/;

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

const HIVES: Readonly<Record<string, string>> = {
  currentuser: 'HKCU:',
  localmachine: 'HKLM:',
  classesroot: 'HKCR:',
  users: 'HKU:',
};

function staticProperty(type: string, name: string): Value {
  if (type === 'environment' && name === 'currentdirectory') return textValue('.');
  if (type === 'environment+specialfolder') return textValue(name);
  if (type === 'io.path') return textValue('/');
  if (type === 'environment' && name === 'newline') return textValue('\n');
  if (type === 'string' && name === 'empty') return [EMPTY_WORD];
  if (type === 'microsoft.win32.registry' && HIVES[name] !== undefined) return textValue(HIVES[name]);
  return [unknownWord(`[${type}]::${name}`)];
}

function staticCall(type: string, name: string, args: readonly Value[], at: PsFrame): Value {
  if (type === 'diagnostics.process' && name === 'start') return startProgram(args, at);
  const known = callNamed(type, name);
  if (known !== undefined) return known([], args, at);
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
  if (type === 'convert' && name === 'frombase64string')
    return first
      .map((word) => ({ word, text: knownText(word) }))
      .map(({ word, text }) => {
        const known = text === undefined ? undefined : decodeBase64(text);
        return known ?? unknownWord('[Convert]', [{ type: 'decoder', source: word }]);
      });
  if (name === 'getstring') return first;
  if (name === 'new') return makeObject(type, args, at);
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

/** The text in Base64, as UTF-16 or UTF-8, whichever it is. */
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

function methodCall(of: Value, name: string, args: readonly Value[], at: PsFrame): Value {
  const method = callNamed('*', name);
  if (method !== undefined) return method(of, args, at);
  // A script switches off the search for malware through its own parts.
  if (args.flat().some((word) => /amsi(?:utils|initfailed|context|session)/i.test(knownText(word) ?? '')))
    at.read.cmdlet('set-mppreference', [textWord('-DisableScriptScanning'), textWord('True')], at);
  if (name === 'create' && of.some((word) => /win32_process$/i.test(knownText(word) ?? '')))
    return at.read.cmdlet('invoke-wmimethod', [...of, textWord('Create'), ...args.flat()], at);
  if (name === 'delete' && of.some((word) => /shadowcopy/i.test(knownText(word) ?? '')))
    return at.read.cmdlet('remove-ciminstance', of, at);
  if (name === 'delete' && of.every(isPathLike)) return deleteFolder([of, ...args], at);
  for (const value of args) invokeWith(value, of, at);
  const texts = knownTexts(of);
  const given = args.map(knownValue);
  switch (name) {
    case 'getstring':
      return args[0] ?? [];
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
