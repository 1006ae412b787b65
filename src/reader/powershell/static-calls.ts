import { joinWords, textWord, unknownWord } from '../reading/word.ts';
import type { At, Value } from './state.ts';
import { derived, knownValue, thingsIn } from './values.ts';

/** A call of .NET with the values of its arguments. */
export type Call = (args: readonly Value[], at: At) => Value;

/** A call as the cmdlet with the same words. */
export function as(cmdlet: string, ...more: readonly string[]): Call {
  return (args, at) => at.read.cmdlet(cmdlet, [...more.map(textWord), ...args.flat()], at);
}

/** The same, of the first arguments only: what follows says how. */
export function asFirst(cmdlet: string, count: number, ...more: readonly string[]): Call {
  return (args, at) => as(cmdlet, ...more)(args.slice(0, count), at);
}

export const deleteFolder: Call = ([path = [], recurse], at) =>
  at.read.cmdlet(
    'remove-item',
    [...(recurse === undefined || knownValue(recurse) === 'False' ? [] : [textWord('-Recurse')]), ...path],
    at,
  );

export const startProgram: Call = ([program = [], ...words], at) => {
  const described = startDescribed(program, at);
  if (described !== undefined) return described;
  const text = knownValue(program);
  const parts = words.length === 0 && text !== undefined && /\s/.test(text) ? text : undefined;
  return parts === undefined
    ? at.read.cmdlet('start-process', [...program.slice(0, 1), ...(words[0] ?? [])], at)
    : at.read.cmdlet('start-process', parts.split(/\s+/).map(textWord), at);
};

/** Starts what an object such as `ProcessStartInfo` describes; undefined if it describes nothing. */
export function startDescribed(value: Value, at: At): Value | undefined {
  const [described] = thingsIn(value, at).flatMap((thing) =>
    thing.type === 'table' && thing.entries.has('filename') ? [thing.entries] : [],
  );
  const verb = described?.get('verb') ?? [];
  const words = [
    ...(verb.length > 0 ? [textWord('-Verb'), ...verb] : []),
    ...(described?.get('filename') ?? []),
  ];
  return described && at.read.cmdlet('start-process', [...words, ...(described.get('arguments') ?? [])], at);
}

/** Calls of types, by their names in small letters. */
export const STATIC_CALLS: Readonly<Record<string, Call>> = {
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
  'io.file.open': openFile,
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
  'io.directory.enumeratedirectories': asFirst('get-childitem', 1),
  'io.directory.enumeratefilesystementries': asFirst('get-childitem', 1),
  'io.directory.getfilesystementries': asFirst('get-childitem', 1),
  'io.directory.setcurrentdirectory': asFirst('set-location', 1),
  'io.compression.zipfile.extracttodirectory': asFirst('expand-archive', 2),
  'io.compression.zipfile.createfromdirectory': asFirst('compress-archive', 2),
  'scriptblock.create': asFirst('scriptblock', 1),
  'management.automation.scriptblock.create': asFirst('scriptblock', 1),
  'environment.exit': () => [],
  'environment.getenvironmentvariables': (_args, at) =>
    at.read.cmdlet('get-childitem', [textWord('Env:')], at),
  'runtime.interopservices.marshal.securestringtobstr': asFirst('convertfrom-securestring', 1),
  'microsoft.visualbasic.fileio.filesystem.deletedirectory': asFirst('remove-item', 1, '-Recurse'),
  'microsoft.visualbasic.fileio.filesystem.deletefile': asFirst('remove-item', 1),
  'microsoft.win32.registry.setvalue': ([key = [], ...more], at) =>
    at.read.cmdlet('set-itemproperty', [...registryPath(key), ...more.slice(0, 2).flat()], at),
  'microsoft.win32.registry.getvalue': ([key = []], at) =>
    at.read.cmdlet('get-itemproperty', registryPath(key), at),
  'net.webrequest.create': asFirst('invoke-webrequest', 1),
  'net.httpwebrequest.create': asFirst('invoke-webrequest', 1),
  'reflection.assembly.load': asFirst('add-type', 1),
  'reflection.assembly.loadfrom': asFirst('add-type', 1),
  'reflection.assembly.loadfile': asFirst('add-type', 1),
  'reflection.assembly.unsafeloadfrom': asFirst('add-type', 1),
};

/** `HKEY_CURRENT_USER\\x` as a path of the registry. */
function registryPath(key: Value): Value {
  return key.map((word) => joinWords(textWord('Registry::'), word));
}

/** What opens a file: how is said by the words that follow. */
function openFile([path = [], mode = [], access = []]: readonly Value[], at: At): Value {
  const how = knownValue(mode)?.toLowerCase();
  const isRead = knownValue(access)?.toLowerCase() === 'read';
  const put = how === undefined || how.startsWith('open') ? at.read.cmdlet('get-content', path, at) : [];
  if (isRead) return put;
  const write =
    how === undefined || how.startsWith('open') || how === 'append' ? 'add-content' : 'set-content';
  at.read.cmdlet(write, path, at);
  return put;
}

/** Objects that do something when they are made. */
const MAKERS: Readonly<Record<string, Call>> = {
  'io.streamreader': asFirst('get-content', 1),
  'io.streamwriter': asFirst('set-content', 1),
  'io.filestream': openFile,
  'windows.security.credentials.passwordvault': as('get-storedcredential'),
  'net.sockets.tcpclient': asFirst('test-netconnection', 1),
};
/** Those that are what they are made of. */
const SAME = new Set(['io.directoryinfo', 'io.fileinfo', 'uri', 'string']);

/** `New-Object Type words` and `[Type]::new(words)`. */
export function makeObject(named: string, args: readonly Value[], at: At): Value {
  const type = named.toLowerCase().replace(/^system\./, '');
  const make = MAKERS[type];
  if (make !== undefined) return make(args, at);
  const [first = []] = args;
  if (SAME.has(type) && first.length > 0) return first;
  return args.length === 0 ? [unknownWord(`[${type}]`)] : [derived(`[${type}]`, args.flat())];
}
