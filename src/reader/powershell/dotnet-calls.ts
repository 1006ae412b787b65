import { joinWords, textWord, unknownWord } from '../reading/word.ts';
import { isRunnable, objectsOf, runObjects } from './runtime-objects.ts';
import type { PsFrame, Value } from './state.ts';
import { boundedValue, derived, knownValue, wordOf } from './values.ts';
import { providerOf } from './windows-path.ts';

/** A call of .NET: its object, empty for a type, and the values of its arguments. */
export type DotnetCall = (of: Value, args: readonly Value[], at: PsFrame) => Value;

/** Calls that act like a cmdlet with their first arguments, so many, as words: of a type, or `*` of any value. */
const AS_CMDLETS = `
get-content 1 io.file readalltext readalllines readlines readallbytes openread opentext
set-content 2 io.file writealltext writealllines writeallbytes
add-content 2 io.file appendalltext appendalllines
set-content 1 io.file openwrite create createtext
remove-item 1 io.file delete
copy-item 2 io.file copy
move-item 2 io.file move replace
move-item 2 io.directory move
new-item 1 io.directory createdirectory
get-childitem 1 io.directory getfiles getdirectories enumeratefiles enumeratedirectories
get-childitem 1 io.directory enumeratefilesystementries getfilesystementries
set-location 1 io.directory setcurrentdirectory
get-content 1 io.streamreader new
set-content 1 io.streamwriter new
expand-archive 2 io.compression.zipfile extracttodirectory
compress-archive 2 io.compression.zipfile createfromdirectory
scriptblock 1 scriptblock create
scriptblock 1 management.automation.scriptblock create
convertfrom-securestring 1 runtime.interopservices.marshal securestringtobstr
get-storedcredential 9 windows.security.credentials.passwordvault new
remove-item 1 microsoft.visualbasic.fileio.filesystem deletefile
get-process 1 diagnostics.process getprocessesbyname
get-process 0 diagnostics.process getprocesses
invoke-webrequest 1 net.webrequest create
invoke-webrequest 1 net.httpwebrequest create
test-netconnection 1 net.sockets.tcpclient new
add-type 1 reflection.assembly load loadfrom loadfile unsafeloadfrom
invoke-webrequest 1 * downloadstring downloaddata openread getstringasync getasync
invoke-expression 1 * invokescript addscript
scriptblock 1 * newscriptblock
set-content 1 * createshortcut createtextfile
get-content 1 * opentextfile
remove-item 1 * deletefile
copy-item 2 * copyfile copyfolder
move-item 2 * movefile movefolder
stop-computer 0 * win32shutdown
restart-computer 0 * reboot
`;

const CALLS: ReadonlyMap<string, DotnetCall> = new Map<string, DotnetCall>([
  ...AS_CMDLETS.trim()
    .split('\n')
    .flatMap((line) => {
      const [cmdlet = '', count = '', type = '', ...names] = line.split(' ');
      const call: DotnetCall = (_of, args, at) =>
        at.read.cmdlet(cmdlet, args.slice(0, Number(count)).flat(), at);
      return names.map((name) => [`${type}.${name}`, call] as const);
    }),
  ...Object.entries<DotnetCall>({
    'io.file.open': (_of, args, at) => openFile(args, at),
    'io.filestream.new': (_of, args, at) => openFile(args, at),
    'io.directory.delete': (_of, args, at) => deleteFolder(args, at),
    'microsoft.visualbasic.fileio.filesystem.deletedirectory': deleteAll,
    'environment.exit': () => [],
    'environment.getenvironmentvariables': (_of, _args, at) =>
      at.read.cmdlet('get-childitem', [textWord('Env:')], at),
    'environment.setenvironmentvariable': (_of, args, at) =>
      at.read.cmdlet('set-environment', args.flat(), at),
    'microsoft.win32.registry.setvalue': (_of, [key = [], ...more], at) =>
      at.read.cmdlet('set-itemproperty', [...registryPath(key), ...more.slice(0, 2).flat()], at),
    'microsoft.win32.registry.getvalue': (_of, [key = []], at) =>
      at.read.cmdlet('get-itemproperty', registryPath(key), at),
    '*.downloadfile': (_of, [url = [], file = []], at) =>
      at.read.cmdlet('invoke-webrequest', [textWord('-OutFile'), ...file, ...url], at),
    '*.uploadstring': upload,
    '*.uploaddata': upload,
    '*.uploadvalues': upload,
    '*.postasync': upload,
    '*.putasync': upload,
    '*.uploadfile': (_of, [url = [], ...rest], at) =>
      at.read.cmdlet('invoke-webrequest', [textWord('-InFile'), ...(rest.at(-1) ?? []), ...url], at),
    '*.invoke': invoke,
    '*.invokereturnasis': invoke,
    '*.shellexecute': (_of, args, at) => startProgram(args, at),
    // The style of its window follows the line.
    '*.run': (_of, [line = []], at) => startProgram([line], at),
    '*.exec': (_of, [line = []], at) => startProgram([line], at),
    '*.start': (of, _args, at) => startDescribed(of, at) ?? of,
    '*.foreach': (of, [block = []], at) => invokeWith(block, of, at),
    '*.where': (of, [block = []], at) => {
      invokeWith(block, of, at);
      return of;
    },
    '*.deletefolder': deleteAll,
    '*.opensubkey': (of, [key = []], at) => subkey(of, key, at),
    '*.createsubkey': (of, [key = []], at) => subkey(of, key, at),
    '*.deletesubkeytree': deleteKey,
    '*.deletesubkey': deleteKey,
    '*.deletevalue': (of, args, at) => onKey('remove-itemproperty', of, args, at),
    '*.setvalue': (of, args, at) => onKey('set-itemproperty', of, args, at),
    '*.copyto': (of, [to = []], at) => at.read.cmdlet('copy-item', [...of, ...to], at),
    '*.moveto': (of, [to = []], at) => at.read.cmdlet('move-item', [...of, ...to], at),
    '*.terminate': (of, _args, at) => at.read.cmdlet('stop-process', of, at),
    '*.kill': (of, _args, at) => at.read.cmdlet('stop-process', of, at),
  }),
]);

/** The row of a call of a type, or with `*` of any value, also in its form that does not wait. */
export function callNamed(type: string, name: string): DotnetCall | undefined {
  const waiting = /^((?:down|up)load\w+?|openread)(?:task)?async$/.exec(name)?.[1];
  return CALLS.get(`${type}.${name}`) ?? (type === '*' ? CALLS.get(`*.${waiting}`) : undefined);
}

export function deleteFolder([path = [], recurse]: readonly Value[], at: PsFrame): Value {
  const isDeep = recurse !== undefined && knownValue(recurse) !== 'False';
  return isDeep ? deleteAll([], [path], at) : at.read.cmdlet('remove-item', path, at);
}

function deleteAll(_of: Value, [path = []]: readonly Value[], at: PsFrame): Value {
  return at.read.cmdlet('remove-item', [textWord('-Recurse'), ...path], at);
}

export function startProgram([program = [], ...words]: readonly Value[], at: PsFrame): Value {
  const described = startDescribed(program, at);
  if (described !== undefined) return described;
  const text = knownValue(program);
  const isLine = words.length === 0 && text !== undefined && /\s/.test(text);
  const argv = isLine ? text.split(/\s+/).map(textWord) : [...program.slice(0, 1), ...(words[0] ?? [])];
  return at.read.cmdlet('start-process', argv, at);
}

/** Starts what an object such as `ProcessStartInfo` describes; undefined if it describes nothing. */
function startDescribed(value: Value, at: PsFrame): Value | undefined {
  const [described] = objectsOf(value, at).flatMap((thing) =>
    thing.type === 'table' && thing.entries.has('filename') ? [thing.entries] : [],
  );
  const verb = described?.get('verb') ?? [];
  const words = [
    ...(verb.length > 0 ? [textWord('-Verb'), ...verb] : []),
    ...(described?.get('filename') ?? []),
  ];
  return described && at.read.cmdlet('start-process', [...words, ...(described.get('arguments') ?? [])], at);
}

/** `HKEY_CURRENT_USER\\x` as a path of the registry. */
function registryPath(key: Value): Value {
  return key.map((word) => joinWords(textWord('Registry::'), word));
}

/** Opens a file; the words behind the path say how. */
function openFile([path = [], mode = [], access = []]: readonly Value[], at: PsFrame): Value {
  const how = knownValue(mode)?.toLowerCase();
  const isRead = knownValue(access)?.toLowerCase() === 'read';
  const isOpen = how === undefined || how.startsWith('open');
  const put = isOpen ? at.read.cmdlet('get-content', path, at) : [];
  if (!isRead) at.read.cmdlet(isOpen || how === 'append' ? 'add-content' : 'set-content', path, at);
  return put;
}

function upload(_of: Value, [url = [], ...rest]: readonly Value[], at: PsFrame): Value {
  const body = [textWord('-Body'), wordOf(rest.at(-1) ?? []), textWord('-Method'), textWord('Post')];
  return at.read.cmdlet('invoke-webrequest', [...body, ...url], at);
}

function invoke(of: Value, args: readonly Value[], at: PsFrame): Value {
  if (isRunnable(of, at)) return runObjects(of, { values: args }, at);
  return of.length === 0 ? [] : [derived('.Invoke()', [...of, ...args.flat()])];
}

export function invokeWith(block: Value, topic: Value, at: PsFrame): Value {
  return runObjects(block, { topic: boundedValue(topic) }, at);
}

/** A key below one of `[Microsoft.Win32.Registry]`. */
function subkey(of: Value, key: Value, at: PsFrame): Value {
  return isKey(of) ? at.read.cmdlet('join-path', [...of.slice(0, 1), ...key.slice(0, 1)], at) : key;
}

function deleteKey(of: Value, [key = []]: readonly Value[], at: PsFrame): Value {
  return at.read.cmdlet('remove-item', subkey(of, key, at), at);
}

function isKey(of: Value): boolean {
  return of.length > 0 && of.every((word) => providerOf(word) === 'registry');
}

function onKey(cmdlet: string, of: Value, args: readonly Value[], at: PsFrame): Value {
  return isKey(of) ? at.read.cmdlet(cmdlet, [...of, ...args.slice(0, 2).flat()], at) : [];
}

/** Objects with the value of the word that makes them. */
const SAME = new Set(['io.directoryinfo', 'io.fileinfo', 'uri', 'string']);

/** `New-Object Type words` and `[Type]::new(words)`. */
export function makeObject(named: string, args: readonly Value[], at: PsFrame): Value {
  const type = named.toLowerCase().replace(/^system\./, '');
  const make = CALLS.get(`${type}.new`);
  if (make !== undefined) return make([], args, at);
  const [first = []] = args;
  if (SAME.has(type) && first.length > 0) return first;
  return args.length === 0 ? [unknownWord(`[${type}]`)] : [derived(`[${type}]`, args.flat())];
}
