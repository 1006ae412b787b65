import {
  joinList,
  joinWords,
  knownText,
  leadingText,
  originsOf,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import type { Arg, Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { addNetworkEffect } from '../interpret/effects-of-words.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { contentOf, rememberContent } from '../interpret/input-text.ts';
import { frameInside } from '../interpret/run-inner.ts';
import { askedProcesses } from './asked-processes.ts';
import { fetched } from './fetchers.ts';

/** Set-Content and the like: the content of a file behind them. */
const write: ProgramReader = (call) => {
  const { operands } = call.parsed;
  const isFile = call.command.name === 'out-file' || call.command.name === 'tee-object';
  const [file, ...values] = operands;
  const value = flagValue(call.parsed, '-Value', '-InputObject');
  const given =
    isFile || values.length === 0 ? (value ?? call.command.input) : joinList(values.map(({ word }) => word));
  const text = given ?? unknownWord('what is written');
  if (file === undefined) return undefined;
  const appends = call.command.name === 'add-content' || hasFlag(call.parsed, '-Append');
  const before = appends ? call.interpreter.fileAt(call, file.word) : undefined;
  const content = before === undefined ? text : joinWords(joinWords(before, textWord('\n')), text);
  rememberContent(call, file, content);
  call.command.output = text;
  return call.command.name === 'tee-object' ? call.command.input : [];
};

/** Clear-Content: nothing is left. */
const clear: ProgramReader = (call) => {
  for (const file of call.parsed.operands) rememberContent(call, file, []);
  return [];
};

/** Copy-Item and its kin: a file's content is that of the file it is made of. */
const copy: ProgramReader = (call) => {
  const { operands } = call.parsed;
  const named = flagValue(call.parsed, '-Destination', '-NewName');
  const target = named ?? (operands.length > 1 ? operands.at(-1)?.word : undefined);
  const sources = named === undefined ? operands.slice(0, -1) : operands;
  const [only] = sources;
  if (target === undefined || only === undefined) return [];
  if (sources.length === 1)
    call.interpreter.keepFile(call, target, contentOf(only.word, call) ?? unknownWord('a file'));
  for (const { word } of sources) call.interpreter.copyFiles(call, word, target);
  return [];
};

/** Invoke-WebRequest and the like: a download is put out, or saved in a file. */
const fetch: ProgramReader = (call) => {
  const target =
    flagValue(call.parsed, '-OutFile', '-Destination') ??
    (call.command.name === 'start-bitstransfer' ? call.parsed.operands[1]?.word : undefined);
  const content = fetched(call);
  if (target === undefined) return content;
  call.interpreter.keepFile(call, target, content);
  return [];
};

/** `certutil -urlcache -f url file`: it fetches; `-decode from to`. */
const certutil: ProgramReader = (call) => {
  const { interpreter } = call;
  const words = call.args.map(({ word }) => word);
  const flags = words.map((word) => (knownText(word) ?? '').toLowerCase().replace(/^\//, '-'));
  const rest = words.filter((_, index) => flags[index]?.startsWith('-') !== true);
  const [first, second] = rest;
  if (first === undefined) return undefined;
  if (flags.some((flag) => /^-(?:urlcache|verifyctl|ping|url)$/.test(flag)) && second !== undefined) {
    interpreter.path(call.command, 'write', second);
    interpreter.keepFile(call, second, fetched(call));
  } else if (flags.some((flag) => /^-(?:de|en)code(?:hex)?$/.test(flag)) && second !== undefined) {
    interpreter.path(call.command, 'read', first);
    interpreter.path(call.command, 'write', second);
    interpreter.keepFile(call, second, unknownWord('certutil', [{ type: 'decoder', source: first }]));
  }
  return undefined;
};

/** Start-Process runs a program with its words. */
const start: ProgramReader = (call) => {
  const [program, ...rest] = call.parsed.operands.map(({ word }) => word);
  // The browser opens an address.
  if (program === undefined || /^[a-z]+:\/\//i.test(leadingText(program))) return undefined;
  const words = rest.flatMap(wordsIn);
  const named = call.parsed.flags
    .filter(({ name }) => name === '-ArgumentList')
    .flatMap(({ value = [] }) => wordsIn(value));
  runFrom(call, [program, ...words, ...named]);
  return undefined;
};

/** The words of one text, as a program gets them that takes its command line apart. */
function wordsIn(word: Word): readonly Word[] {
  const known = knownText(word);
  if (known === undefined || !/\s/.test(known)) return [word];
  return [...known.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) =>
    textWord(double ?? single ?? whole),
  );
}

function runFrom(call: Call, words: readonly Word[]): void {
  const frame = frameInside(call, { kind: 'wrapper', name: call.command.name ?? '' });
  const argv = words.map((word): Arg => ({ word, span: call.span }));
  call.command.wrapper = true;
  call.interpreter.runCommand(argv, { ...frame, language: call.frame.language });
}

/** `forfiles /c "cmd /c del @path"`, `rundll32`, `mshta`: their words hold the command that they run. */
const forFiles: ProgramReader = (call) => {
  const behind = (flag: string) => {
    const at = call.args.findIndex(({ word }) => knownText(word)?.toLowerCase() === flag);
    return at < 0 ? undefined : call.args[at + 1]?.word;
  };
  const command = behind('/c');
  if (command === undefined) return undefined;
  const folder = behind('/p') ?? textWord('.');
  const isDeep = call.args.some(({ word }) => knownText(word)?.toLowerCase() === '/s');
  const found = joinWords(folder, [...textWord('/'), { type: 'glob', pattern: isDeep ? '**' : '*' }]);
  const named = (word: Word) => (/^"?@(?:path|relpath|file)"?$/i.test(knownText(word) ?? '') ? found : word);
  runFrom(call, wordsIn(command).map(named));
  return undefined;
};

/** Processes without which Windows, or its desktop, does not run. */
const CORE = /\b(?:explorer|winlogon|csrss|lsass|services|svchost|wininit|smss)\b/i;

/** `wmic process call create "…"`, `wmic process delete`, `wmic … /format:https://…`. */
const wmic: ProgramReader = (call) => {
  const texts = call.args.map(({ word }) => (knownText(word) ?? '').toLowerCase());
  const at = texts.indexOf('create');
  const command = call.args[at + 1];
  if (at > 0 && texts[at - 1] === 'call' && command !== undefined) runFrom(call, wordsIn(command.word));
  const ends = texts.some((text) => text === 'delete' || text === 'terminate');
  const isAll = /^(?:call|delete)$/.test(texts[texts.indexOf('process') + 1] ?? '');
  if (ends && (isAll || texts.some((text) => CORE.test(text))))
    call.command.caused.push({ kind: 'stops', value: 'processes' });
  for (const { word, span } of call.args)
    if (/^\/format:"?https?:\/\//i.test(leadingText(word)))
      addRemoteCode(call.command, [{ type: 'network', source: word }], span, call.interpreter);
  return undefined;
};

/** `reg add HKCU\\Environment /v NAME /d value` sets a variable for all programs that start later. */
const registry: ProgramReader = (call) => {
  const texts = call.args.map(({ word }) => knownText(word) ?? '');
  if (!/^add$/i.test(texts[0] ?? '') || !/\\Environment$/i.test(texts[1] ?? '')) return undefined;
  const behind = (flag: string) =>
    call.args[texts.findIndex((text) => text.toLowerCase() === flag) + 1]?.word;
  const isFlagged = texts.some((text) => /^\/v$/i.test(text));
  const [name, value] = isFlagged ? [behind('/v'), behind('/d')] : call.args.slice(2).map(({ word }) => word);
  if (name !== undefined) runFrom(call, [textWord('setx'), name, ...(value === undefined ? [] : [value])]);
  return undefined;
};

/** `findstr /s /c:"text" files`: a word that begins with a slash is a switch. */
const findstr: ProgramReader = (call) => {
  const texts = call.args.map(({ word }) => knownText(word) ?? '');
  const isSwitch = (text: string) => /^\/[a-z]/i.test(text);
  const words = call.args.filter((_arg, index) => !isSwitch(texts[index] ?? ''));
  const files = texts.some((text) => /^\/[cg]:/i.test(text)) ? words : words.slice(1);
  const recursive = texts.some((text) => /^\/s$/i.test(text));
  for (const { word, span } of files) call.interpreter.path(call.command, 'read', word, { recursive, span });
  return files.length === 0 ? call.command.input : undefined;
};

/** `mshta vbscript:…`, `rundll32 javascript:…` run the code that is written there. */
const runsCode: ProgramReader = (call) => {
  for (const { word, span } of call.args)
    if (/^"?(?:vb|java)script:/i.test(leadingText(word)))
      call.interpreter.gap('unknown_script', span, `Cannot tell what ${call.command.name} runs`);
  return runsFetched(call);
};

/** Programs that run code of an address that they are given, or of a value that was fetched. */
const runsFetched: ProgramReader = (call) => {
  for (const { word, span } of call.args) {
    const isAddress = /^(?:\/i:)?https?:\/\//i.test(leadingText(word));
    const content = isAddress ? undefined : call.interpreter.fileAt(call, word);
    const origins = isAddress ? [{ type: 'network' as const, source: word }] : originsOf(content ?? word);
    addRemoteCode(call.command, origins, span, call.interpreter);
  }
  return undefined;
};

/** `bitsadmin /transfer job url file`. */
const bitsadmin: ProgramReader = (call) => {
  const at = call.args.findIndex(({ word }) => /^(?:https?|ftp):\/\//i.test(leadingText(word)));
  const [url, file] = at < 0 ? [] : call.args.slice(at);
  if (url === undefined) return undefined;
  addNetworkEffect(call, 'download', url.word, at, 'http');
  if (file === undefined) return undefined;
  call.interpreter.path(call.command, 'write', file.word, { span: file.span });
  call.interpreter.keepFile(call, file.word, fetched(call));
  return undefined;
};

/** `robocopy from to /mir` deletes the files that the one folder has and the other has not. */
const robocopy: ProgramReader = (call) => {
  const target = call.args[1];
  const mirrors = call.args.some(({ word }) => /^\/(?:mir|purge|mov|move)$/i.test(knownText(word) ?? ''));
  if (target !== undefined && mirrors)
    call.interpreter.path(call.command, 'delete', target.word, { recursive: true, span: target.span });
  return undefined;
};

/** `taskkill /fi "username eq ada"`: all that somebody runs. */
const killByUser: ProgramReader = (call) => {
  const isAll = ({ word }: Arg) =>
    /^(?:username|session|status|memusage|cputime|pid)\s+(?:eq|ne|gt|ge)\b/i.test(leadingText(word));
  if (call.args.some(isAll)) call.command.caused.push({ kind: 'stops', value: 'processes' });
  return undefined;
};

/** `Invoke-CimMethod -MethodName Terminate` on the values that the pipeline brings. */
const invokeMethod: ProgramReader = (call) => {
  const { flags, operands } = call.parsed;
  const words = [...flags.map(({ value = [] }) => value), ...operands.map(({ word }) => word)];
  const isEnd = words.some((word) => /^terminate$/i.test(knownText(word) ?? ''));
  const { input } = call.command;
  if (isEnd) runFrom(call, [textWord('stop-process'), chosen(call) ?? input ?? unknownWord('a process')]);
  return undefined;
};

/** `Remove-CimInstance -Query` on processes. */
const removeChosen: ProgramReader = (call) => {
  const found = chosen(call);
  if (found !== undefined) runFrom(call, [textWord('stop-process'), found]);
  return undefined;
};

function chosen({ parsed }: Call): Word | undefined {
  const query = flagValue(parsed, '-Query', '-InputObject') ?? parsed.operands[0]?.word ?? [];
  const found = askedProcesses(knownText(query) ?? '');
  return found === undefined ? undefined : textWord(found);
}

/** Cmdlets that write, copy, fetch and start, and programs of Windows that do. */
export const CMDLET_READERS: Readonly<Record<string, ProgramReader>> = {
  'set-content': write,
  'add-content': write,
  'clear-content': clear,
  'out-file': write,
  'tee-object': write,
  'copy-item': copy,
  'move-item': copy,
  'rename-item': copy,
  'invoke-webrequest': fetch,
  'invoke-restmethod': fetch,
  iwr: fetch,
  irm: fetch,
  'start-bitstransfer': fetch,
  certutil,
  bitsadmin,
  robocopy,
  'start-process': start,
  forfiles: forFiles,
  msiexec: runsFetched,
  mshta: runsCode,
  rundll32: runsCode,
  wmic,
  reg: registry,
  findstr,
  regsvr32: runsFetched,
  'add-type': runsFetched,
  'import-module': runsFetched,
  taskkill: killByUser,
  'invoke-cimmethod': invokeMethod,
  'invoke-wmimethod': invokeMethod,
  'remove-ciminstance': removeChosen,
  'remove-wmiobject': removeChosen,
};
