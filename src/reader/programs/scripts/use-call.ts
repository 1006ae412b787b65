import { takeChars } from '../../reading/bounds.ts';
import {
  joinList,
  joinWords,
  knownChars,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
  wordFrom,
} from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import { noteFetchedRun } from '../interpret/fetched-runs.ts';
import { noteLoadedFor } from '../interpret/loaded-environment.ts';
import type { CodeFrame } from './code-frame.ts';
import { expandedHome } from './results.ts';
import type { CodeRow } from './rows.ts';
import { runArgument, runLike, runShell, runWords } from './run-from-code.ts';
import { ENVIRONMENTS, type FoundCall, textValue, type Value, wordOf } from './values.ts';

/**
 * Adds the effects that the row of a call names.
 *
 * @param runCode reads a text as code of the same language
 */
export function useCall(
  row: CodeRow,
  found: FoundCall,
  frame: CodeFrame,
  runCode: (source: Word, frame: CodeFrame) => void,
): void {
  const { args, named, receiver } = found;
  const { call, interpreter, span } = frame;
  const subject = wordOf(args[0] ?? named.get('file') ?? named.get('path') ?? receiver);
  // `Path("x").unlink()`, `Path("x").write_text(data)`: the path precedes the dot.
  const own = receiver?.type === 'text' ? receiver.word : subject;
  if (row.runs === 'file') loadFile(subject, frame);
  else if (row.runs === 'anything')
    interpreter.gap('unknown_code', span, 'Cannot tell which function the code calls');
  else if (row.runs !== undefined && row.runs !== 'code') runArgument(row, found, frame);
  else if (row.runs === 'code' && args.length > 0) runCode(subject, frame);
  if (row.like !== undefined) runLike(row.like, found, frame);
  if (row.enters !== undefined && args.length > 0) enter(subject, frame);
  if (row.opens !== undefined) openFile(found, frame);
  if (row.loads !== undefined) noteLoadedFor(call, args[0]?.type === 'text' ? subject : textWord('.env'));
  if (row.bars !== undefined) interpreter.path(call.command, 'write', own, { bars: true, span });
  for (const [key, how] of PATH_KEYS)
    for (const path of key === 'deletes' ? deleted(found, frame, own) : [own])
      if (row[key] !== undefined) usePath(path, how, row[key] === 'tree', frame);
  if (row.network !== undefined) useNetwork(row, found, frame);
  const isShown = row.shows === 'given' && args.some((arg) => lastName(arg, ENVIRONMENTS));
  if (isShown || row.shows === 'environment') runWords([textValue(textWord('printenv'))], frame);
}

const PATH_KEYS = [
  ['reads', 'read'],
  ['lists', 'list'],
  ['writes', 'write'],
  ['deletes', 'delete'],
] as const;

/** True for one of these names without a call: `os.environ`, `os.O_WRONLY`. */
function lastName(value: Value, names: ReadonlySet<string>): boolean {
  return value.type === 'function' && names.has(value.names.at(-1) ?? '');
}

function usePath(
  written: Word,
  how: 'read' | 'write' | 'delete' | 'list',
  recursive: boolean,
  { call, interpreter, span, language }: CodeFrame,
): void {
  // R expands the home directory itself.
  const path = language === 'r' ? wordOf(expandedHome(textValue(written))) : written;
  if (leadingText(path).includes('://')) addPlace(call.command, 'download', path, 'http', span);
  else interpreter.path(call.command, how, path, { recursive, span });
}

function loadFile(file: Word, frame: CodeFrame): void {
  const { call, span, language } = frame;
  // Other names are modules.
  if (!/^[./~]/.test(leadingText(file)) && language === 'javascript') return;
  if (!/[./]/.test(leadingText(file)) && language === 'ruby') return;
  usePath(file, 'read', false, frame);
  // Data runs nothing.
  if (showWord(file).endsWith('.json')) return;
  // The name may lack its ending.
  for (const ending of ['', '.js', '.cjs', '.mjs', '.ts', '.rb'])
    noteFetchedRun(call, joinWords(file, textWord(ending)), span);
}

/** Enters a folder, if the paths after it can still be joined. */
function enter(folder: Word, { call, interpreter, folder: place }: CodeFrame): void {
  const cwd = interpreter.resolve(folder, call.command);
  place.cwd = takeChars(interpreter.budget, knownChars(cwd)) ? cwd : unknownWord('a folder');
}

/** The paths that a call deletes: in Perl and Ruby each of its arguments. */
function deleted({ args }: FoundCall, { language }: CodeFrame, own: Word): readonly Word[] {
  const isEach = language === 'perl' || language === 'ruby';
  const paths = args
    .slice(0, isEach ? undefined : 1)
    .flatMap((arg) => (arg.type === 'list' ? arg.items : [arg]))
    .filter(({ type }) => type !== 'object');
  return paths.length > 1 || args[0]?.type === 'list' ? paths.map(wordOf) : [own];
}

const WRITING = new Set('O_WRONLY O_RDWR O_CREAT O_TRUNC O_APPEND O_EXCL'.split(' '));

/** A path and a mode; in Perl and Ruby also a command. */
function openFile(found: FoundCall, frame: CodeFrame): void {
  if (frame.language === 'perl') {
    openPerl(found, frame);
    return;
  }
  const { args, named, receiver } = found;
  const isOwn = receiver?.type === 'text';
  if (args.length === 0 && receiver === undefined) return;
  const path = wordOf(isOwn ? receiver : args[0]);
  const mode = knownText(wordOf(named.get('mode') ?? args[isOwn ? 0 : 1])) ?? 'r';
  const isWritten = /[wax+]/.test(mode) || args.some((arg) => lastName(arg, WRITING));
  if (frame.language === 'ruby' && leadingText(path).startsWith('|')) runShell(wordFrom(path, 1), frame);
  else if (leadingText(path).includes('://')) usePath(path, 'read', false, frame);
  else addFile(path, isWritten, mode.startsWith('a'), frame);
}

/** `open(F, '<', 'path')`, `open(F, '>path')`, `open(F, 'cmd |')`, `open(F, '-|', 'cmd')`. */
function openPerl({ args: [, first, ...rest] }: FoundCall, frame: CodeFrame): void {
  if (first === undefined) return;
  const lead = leadingText(wordOf(first));
  const sign = rest.length > 0 ? lead : (/^\s*(?:\||\+?[<>]+)?\s*/.exec(lead)?.[0] ?? '');
  const target = rest.length > 0 ? joinList(rest.map(wordOf)) : wordFrom(wordOf(first), sign.length);
  const command = /^(.*)\|\s*$/s.exec(knownText(target) ?? '')?.[1];
  if (rest.length === 0 && command !== undefined) runShell(textWord(command), frame);
  else if (sign.includes('|')) runShell(target, frame);
  else addFile(target, /[>+]/.test(sign), sign.includes('>>'), frame);
}

function addFile(path: Word, writes: boolean, append: boolean, { call, interpreter, span }: CodeFrame): void {
  interpreter.path(call.command, writes ? 'write' : 'read', path, { append, span });
}

function useNetwork({ network, place: at, saves }: CodeRow, found: FoundCall, frame: CodeFrame): void {
  const { args, named } = found;
  const { call, interpreter, span } = frame;
  if (network === undefined || (args.length === 0 && !named.has('url'))) return;
  const target = at === undefined ? hostOf(found) : wordOf(args[at - 1] ?? named.get('url'));
  addPlace(call.command, network, target, 'http', span);
  if ([...args, ...named.values()].some(hasEnvironment))
    runShell(joinWords(textWord('printenv | curl -d @- '), target), frame);
  if (saves === undefined) return;
  const file = wordOf(args[saves - 1] ?? named.get('filename') ?? named.get('destfile'));
  interpreter.path(call.command, 'write', file, { span });
  interpreter.keepFile(call, file, unknownWord('what is fetched', [{ type: 'network', source: target }]));
}

/** True for the whole environment, or a value that contains it. */
function hasEnvironment(value: Value): boolean {
  if (value.type === 'list') return value.items.some(hasEnvironment);
  if (value.type === 'object') return [...value.entries.values()].some(hasEnvironment);
  return lastName(value, ENVIRONMENTS);
}

/** A URL, a host, or a host and a port. */
function hostOf({ args, named }: FoundCall): Word {
  const [first, second] = args;
  const given = first ?? named.get('url');
  if (given?.type === 'list') return withPort(given.items[0], given.items[1]);
  if (given?.type === 'object') {
    const host = given.entries.get('host') ?? given.entries.get('hostname') ?? given.entries.get('url');
    return withPort(host, given.entries.get('port'));
  }
  const isPort = /^[0-9]+$/.test(knownText(wordOf(given)) ?? '');
  return isPort ? withPort(second, given) : wordOf(given);
}

function withPort(host: Value | undefined, port: Value | undefined): Word {
  return port === undefined ? wordOf(host) : joinWords(joinWords(wordOf(host), textWord(':')), wordOf(port));
}
