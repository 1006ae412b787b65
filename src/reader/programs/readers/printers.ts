import { trimEnd } from '../../../lib/trim-end.ts';
import { decodeBase64 } from '../../reading/decode.ts';
import { baseName } from '../../reading/path.ts';
import {
  EMPTY_WORD,
  isDetermined,
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { cwdOf } from '../../shell/scope/scope.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { inputText, rememberContent } from '../interpret/input-text.ts';
import { echo, printf } from './echo.ts';

const nothing: ProgramReader = () => EMPTY_WORD;

const cat: ProgramReader = (call) => {
  if (!call.frame.captured || call.parsed.flags.length > 0) return undefined;
  return inputText(call);
};

const tee: ProgramReader = (call) => {
  const append = hasFlag(call.parsed, '-a', '--append');
  const { input } = call.command;
  const added = input ?? unknownWord('the input of tee');
  for (const operand of call.parsed.operands) {
    if (append)
      call.interpreter.keepFile(
        call,
        operand.word,
        joinWords(call.interpreter.fileAt(call, operand.word) ?? [], added),
      );
    else rememberContent(call, operand, added);
  }
  return input;
};

/** Decodes a known text; the row covers every other. */
const base64: ProgramReader = (call) => {
  if (!hasFlag(call.parsed, '-d', '-D', '--decode')) return undefined;
  const input = inputText(call);
  const decoded = decodeBase64((input === undefined ? undefined : knownText(input)) ?? '');
  return decoded === undefined || decoded === '' ? undefined : textWord(decoded);
};

const workingDirectory: ProgramReader = (call) => {
  const cwd = cwdOf(call.frame.scope);
  return joinWords(knownText(cwd) === '.' ? outsideVariable('PWD') : cwd, textWord('\n'));
};

/** basename and dirname of paths that are known. */
function pathPart(part: (path: Word) => Word | undefined): ProgramReader {
  return ({ parsed }) => {
    const path = parsed.operands[0]?.word;
    const found = path === undefined ? undefined : part(path);
    return found === undefined ? undefined : joinWords(found, textWord('\n'));
  };
}

function directoryName(path: Word): Word | undefined {
  const whole = knownText(path);
  if (whole === undefined) return withoutName(path);
  const known = trimEnd(whole, '/') || whole.slice(0, 1);
  const slash = known.lastIndexOf('/');
  if (slash < 0) return textWord('.');
  return textWord(slash === 0 ? '/' : known.slice(0, slash));
}

/** Flags of ls that only change the order of its output, and leave lines out. */
const LS_ORDER = new Set(
  '-d --directory -1 -t -r --reverse -S -U -v -X -c -u -a --all -A --almost-all --sort --time'.split(' '),
);

/** `ls -d build-*` prints the names that fit, as they are. */
const names: ProgramReader = ({ parsed }) => {
  const [operand, ...others] = parsed.operands;
  if (operand === undefined || others.length > 0 || !hasFlag(parsed, '-d', '--directory')) return undefined;
  if (parsed.flags.some(({ name }) => !LS_ORDER.has(name))) return undefined;
  return knownText(operand.word) === undefined ? operand.word : joinWords(operand.word, textWord('\n'));
};

/** A path with wildcards without its known last name. An unknown part before that name may be empty. */
function withoutName(path: Word): Word | undefined {
  const last = path.at(-1);
  const slash = last?.type === 'text' ? last.text.lastIndexOf('/') : -1;
  if (last?.type !== 'text' || slash < 0 || slash === last.text.length - 1) return undefined;
  if (path.some((part) => part.type === 'unknown' || (part.type === 'glob' && part.pattern === '**')))
    return undefined;
  return joinWords(path.slice(0, -1), textWord(trimEnd(last.text.slice(0, slash), '/')));
}

/** `which rm` prints a path of rm. */
const which: ProgramReader = ({ parsed, command }) => {
  if (command.name === 'command' && !hasFlag(parsed, '-v')) return undefined;
  if (command.name === 'type' && !hasFlag(parsed, '-p', '-P')) return undefined;
  const name = parsed.operands.length === 1 ? parsed.operands[0]?.word : undefined;
  const known = name === undefined ? undefined : knownText(name);
  return known === undefined || known.includes('/') ? undefined : textWord(`/usr/bin/${known}\n`);
};

const temporaryFile: ProgramReader = ({ parsed }) => {
  const directory = flagValue(parsed, '-p', '--tmpdir') ?? textWord('/tmp');
  const template = parsed.operands[0]?.word;
  const unknown = unknownWord('$(mktemp)');
  if (template === undefined || hasFlag(parsed, '-t'))
    return joinWords(joinWords(directory, textWord('/tmp.')), unknown);
  const lead = leadingText(template).replace(/X+.*$/s, '');
  return isDetermined(template) ? joinWords(textWord(lead), unknown) : joinWords(template, unknown);
};

/** Programs whose output can be computed or is of interest. */
export const PRINTER_READERS: Readonly<Record<string, ProgramReader>> = {
  ':': nothing,
  true: nothing,
  false: nothing,
  echo,
  printf,
  cat,
  'get-content': cat,
  tee,
  base64,
  pwd: workingDirectory,
  basename: pathPart((path) => (isDetermined(path) ? baseName(path) : undefined)),
  dirname: pathPart(directoryName),
  realpath: pathPart((path) => path),
  readlink: pathPart((path) => path),
  ls: names,
  which,
  command: which,
  type: which,
  mktemp: temporaryFile,
};
