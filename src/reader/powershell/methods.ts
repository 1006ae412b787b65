import { textWord } from '../reading/word.ts';
import { isRunnable, runThings } from './run-things.ts';
import type { At, Value } from './state.ts';
import { as, startDescribed, startProgram } from './static-calls.ts';
import { boundedValue, derived, wordOf } from './values.ts';
import { providerOf } from './windows-path.ts';

type Method = (of: Value, args: readonly Value[], at: At) => Value;

/** Methods that do something, whatever they are called on. */
const METHODS: Readonly<Record<string, Method>> = {
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
  putasync: (_of, args, at) => upload(args, at),
  uploadfile: (_of, [url = [], ...rest], at) =>
    at.read.cmdlet('invoke-webrequest', [textWord('-InFile'), ...(rest.at(-1) ?? []), ...url], at),
  invoke: (of, args, at) => invoke(of, args, at),
  invokereturnasis: (of, args, at) => invoke(of, args, at),
  invokescript: (_of, [text = []], at) => at.read.cmdlet('invoke-expression', text, at),
  addscript: (_of, [text = []], at) => at.read.cmdlet('invoke-expression', text, at),
  newscriptblock: (_of, [text = []], at) => at.read.cmdlet('scriptblock', text, at),
  shellexecute: (_of, args, at) => startProgram(args, at),
  // Behind the line stands how its window looks.
  run: (_of, [line = []], at) => startProgram([line], at),
  exec: (_of, [line = []], at) => startProgram([line], at),
  start: (of, _args, at) => startDescribed(of, at) ?? of,
  createshortcut: (_of, [path = []], at) => at.read.cmdlet('set-content', path, at),
  foreach: (of, [block = []], at) => invokeWith(block, of, at),
  where: (of, [block = []], at) => {
    invokeWith(block, of, at);
    return of;
  },
  deletefolder: (_of, [path = []], at) => at.read.cmdlet('remove-item', [textWord('-Recurse'), ...path], at),
  deletefile: (_of, [path = []], at) => at.read.cmdlet('remove-item', path, at),
  copyfile: (_of, args, at) => as('copy-item')(args.slice(0, 2), at),
  copyfolder: (_of, args, at) => as('copy-item')(args.slice(0, 2), at),
  movefile: (_of, args, at) => as('move-item')(args.slice(0, 2), at),
  movefolder: (_of, args, at) => as('move-item')(args.slice(0, 2), at),
  createtextfile: (_of, [path = []], at) => at.read.cmdlet('set-content', path, at),
  opentextfile: (_of, [path = []], at) => at.read.cmdlet('get-content', path, at),
  opensubkey: (of, [key = []], at) => subkey(of, key, at),
  createsubkey: (of, [key = []], at) => subkey(of, key, at),
  deletesubkeytree: (of, [key = []], at) => at.read.cmdlet('remove-item', subkey(of, key, at), at),
  deletesubkey: (of, [key = []], at) => at.read.cmdlet('remove-item', subkey(of, key, at), at),
  deletevalue: (of, args, at) => onKey('remove-itemproperty', of, args, at),
  setvalue: (of, args, at) => onKey('set-itemproperty', of, args, at),
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

export function invokeWith(block: Value, topic: Value, at: At): Value {
  return runThings(block, { topic: boundedValue(topic) }, at);
}

/** A key below one of `[Microsoft.Win32.Registry]`. */
function subkey(of: Value, key: Value, at: At): Value {
  return isKey(of) ? at.read.cmdlet('join-path', [...of.slice(0, 1), ...key.slice(0, 1)], at) : key;
}

function isKey(of: Value): boolean {
  return of.length > 0 && of.every((word) => providerOf(word) === 'registry');
}

function onKey(cmdlet: string, of: Value, args: readonly Value[], at: At): Value {
  return isKey(of) ? at.read.cmdlet(cmdlet, [...of, ...args.slice(0, 2).flat()], at) : [];
}

/** The method of a name, also where it is one that does not wait. */
export function methodNamed(name: string): Method | undefined {
  if (Object.hasOwn(METHODS, name)) return METHODS[name];
  const waiting = /^((?:down|up)load\w+?|openread)(?:task)?async$/.exec(name)?.[1] ?? '';
  return Object.hasOwn(METHODS, waiting) ? METHODS[waiting] : undefined;
}
