import { checkTime } from '../../lib/time-limit.ts';
import { flagValue, hasFlag } from '../arguments.ts';
import { isExhausted, takeStep } from '../bounds.ts';
import type { Call, Operand, ProgramReader, Walker } from '../walker.ts';
import { EMPTY_WORD, isBlank, joinWords, knownText, leadingText, textWord, type Word } from '../word.ts';
import { argumentSpan } from './effects-of-words.ts';
import { keepContent } from './keep-content.ts';
import { runInner } from './run-inner.ts';

/** dd's operands: `if=file of=file`. */
const dd: ProgramReader = (call, walker) => {
  const values = new Map<string, Operand>();
  call.args.forEach(({ word }, arg) => {
    const [name = '', first] = leadingText(word).split('=', 2);
    if (first !== undefined)
      values.set(name, {
        word: joinWords(textWord(leadingText(word).slice(name.length + 1)), word.slice(1)),
        arg,
      });
  });
  const from = values.get('if');
  const to = values.get('of');
  if (from !== undefined)
    walker.path(call.command, 'read', from.word, { span: argumentSpan(call, from.arg) });
  if (to === undefined) return undefined;
  walker.path(call.command, 'write', to.word, { span: argumentSpan(call, to.arg) });
  // What is written over a part of a file leaves the rest.
  if (values.has('seek') || values.has('oseek') || values.has('conv')) return EMPTY_WORD;
  const content = from === undefined ? call.command.input : walker.fileAt(call, from.word);
  const isNothing = knownText(values.get('count')?.word ?? UNLIMITED) === '0';
  if (isNothing || (content !== undefined && isBlank(content))) keepContent(call, to, EMPTY_WORD, walker);
  return EMPTY_WORD;
};

const UNLIMITED = textWord('all');

/** What is printed by a program that only says what it does. */
function spoken(call: Call): Word | undefined {
  return hasFlag(call.parsed, '-v', '--verbose') ? undefined : EMPTY_WORD;
}

/** cp, mv and the like: what is known of the first file's content is known of the second's. */
const copyContent: ProgramReader = (call, walker) => {
  const [from, to] = call.parsed.operands;
  if (from !== undefined && to !== undefined && call.parsed.operands.length === 2)
    keepContent(call, to, walker.fileAt(call, from.word), walker);
  return spoken(call);
};

/** A hard link is the file itself under another name. */
const hardLink: ProgramReader = (call, walker) => {
  if (hasFlag(call.parsed, '-s', '--symbolic')) return spoken(call);
  const sources = call.parsed.operands.length > 1 ? call.parsed.operands.slice(0, -1) : call.parsed.operands;
  for (const { word, arg } of sources)
    walker.path(call.command, 'read', word, { span: argumentSpan(call, arg) });
  return spoken(call);
};

/** `truncate -s 0`: nothing is left. */
const truncate: ProgramReader = (call, walker) => {
  const size = knownText(flagValue(call.parsed, '-s', '--size') ?? EMPTY_WORD) ?? '';
  const isNothing = /^0+[A-Za-z]*$/.test(size);
  if (isNothing) for (const operand of call.parsed.operands) keepContent(call, operand, EMPTY_WORD, walker);
  return EMPTY_WORD;
};

/** `sponge file`: all of the input, once it has ended. */
const sponge: ProgramReader = (call, walker) => {
  if (hasFlag(call.parsed, '-a')) return undefined;
  for (const operand of call.parsed.operands) keepContent(call, operand, call.command.input, walker);
  return undefined;
};

/**
 * Where a command of sed may begin, with the blanks before it. Each blank belongs to one beginning, so that no run of
 * them is looked through twice.
 */
const START = '(?:^|[;{}\\n0-9$/])[^\\S\\n]*';
/** `e command`. */
const RUNS = new RegExp(`${START}e\\s+([^;\\n]+)`, 'g');
/** `s/pattern/command/e`: the line that it leaves is run. The delimiter is any character of ASCII but a letter or a digit. */
const SUBSTITUTES_AND_RUNS = new RegExp(
  `${START}s([!-/:-@\\[\\]^-\`{-~])(?:\\\\.|(?!\\1)[^\\\\])*\\1((?:\\\\.|(?!\\1)[^\\\\])*)\\1[gpiImM0-9]*e`,
  'gs',
);
const WRITES = new RegExp(`${START}[wW]\\s+([^\\s;}]+)`, 'g');
const READS = new RegExp(`${START}[rR]\\s+([^\\s;}]+)`, 'g');

/** `sed -i` writes the files it reads; `sed -n '1e cmd'` and the `e` flag run commands. */
const sed: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const inPlace = hasFlag(parsed, '-i', '--in-place');
  const given = hasFlag(parsed, '-e', '--expression', '-f', '--file');
  for (const { word, arg } of parsed.operands.slice(given ? 0 : 1)) {
    walker.path(command, 'read', word, { span: argumentSpan(call, arg) });
    if (inPlace) walker.path(command, 'write', word, { span: argumentSpan(call, arg) });
  }
  const scripts = given
    ? parsed.flags
        .filter(({ name }) => name === '-e' || name === '--expression')
        .map(({ value }) => value ?? EMPTY_WORD)
    : parsed.operands.slice(0, 1).map(({ word }) => word);
  for (const script of scripts) readSedScript(knownText(script) ?? '', call, walker);
  return undefined;
};

function readSedScript(script: string, call: Call, walker: Walker): void {
  checkTime();
  const { budget } = walker;
  for (const [, run = ''] of script.matchAll(RUNS))
    if (!isExhausted(budget)) runInner(call, textWord(run), call.span, walker);
  for (const [, , run = ''] of script.matchAll(SUBSTITUTES_AND_RUNS))
    if (!isExhausted(budget)) runInner(call, textWord(run), call.span, walker);
  for (const [, file = ''] of script.matchAll(WRITES))
    if (takeStep(budget)) walker.path(call.command, 'write', textWord(file));
  for (const [, file = ''] of script.matchAll(READS))
    if (takeStep(budget)) walker.path(call.command, 'read', textWord(file));
}

/** Files tested with `test -f`, `[ -e ]`, `[[ -r ]]`. */
const test: ProgramReader = (call, walker) => {
  call.args.forEach((arg, index) => {
    const operator = knownText(call.args[index - 1]?.word ?? EMPTY_WORD);
    if (operator !== undefined && /^-[abcdefghkprstuwxGLNOS]$/.test(operator)) {
      walker.path(call.command, 'list', arg.word, { span: arg.span });
    }
  });
  return undefined;
};

/** Programs whose words say in ways of their own what becomes of files. */
export const FILE_TOOL_READERS: Readonly<Record<string, ProgramReader>> = {
  dd,
  dcfldd: dd,
  cp: copyContent,
  mv: copyContent,
  install: copyContent,
  ln: hardLink,
  link: hardLink,
  truncate,
  sponge,
  sed,
  gsed: sed,
  test,
  '[': test,
  '[[': test,
};
