import { flagValue, hasFlag } from '../arguments.ts';
import type { Via } from '../reading.ts';
import type { Call, Operand, ProgramReader } from '../walker.ts';
import {
  EMPTY_WORD,
  isBlank,
  joinWords,
  knownText,
  leadingText,
  mixedWord,
  textWord,
  type Word,
} from '../word.ts';
import { argumentSpan } from './effects-of-words.ts';
import { contentOf } from './input-text.ts';
import { keepContent } from './keep-content.ts';

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
  const isPart = values.has('count') || values.has('skip') || values.has('iseek');
  if (isNothing || (content !== undefined && isBlank(content))) keepContent(call, to, EMPTY_WORD, walker);
  else if (content !== undefined)
    keepContent(call, to, isPart ? mixedWord('a part of a file', [content]) : content, walker);
  return EMPTY_WORD;
};

const UNLIMITED = textWord('all');

/** What is printed by a program that only says what it does. */
function spoken(call: Call): Word | undefined {
  return hasFlag(call.parsed, '-v', '--verbose') ? undefined : EMPTY_WORD;
}

/** cp, mv and the like: a file's content is that of the file it is made of, known or not. */
const copyContent: ProgramReader = (call, walker) => {
  const { operands } = call.parsed;
  const folder = flagValue(call.parsed, '-t', '--target-directory');
  const target = folder ?? operands.at(-1)?.word;
  const sources = folder === undefined ? operands.slice(0, -1) : operands;
  const [from] = sources;
  const [, to] = operands;
  if (from !== undefined && to !== undefined && folder === undefined && sources.length === 1)
    keepContent(call, to, contentOf(from.word, call, walker), walker);
  if (target !== undefined) for (const { word } of sources) walker.copyFiles(call, word, target);
  return spoken(call);
};

/** `install -m 4755 a b` gives rights as `chmod 4755 b` does. */
const install: ProgramReader = (call, walker) => {
  const mode = call.parsed.flags.findLast(({ name }) => name === '-m' || name === '--mode');
  const target = flagValue(call.parsed, '-t', '--target-directory') ?? call.parsed.operands.at(-1)?.word;
  const isPlain = mode?.value === undefined || /^0?[0-7]{1,3}$/.test(knownText(mode.value) ?? '');
  if (!isPlain && target !== undefined) {
    const via: readonly Via[] = [...call.place.via, { kind: 'wrapper', name: 'install' }];
    const words = [textWord('chmod'), mode.value, target];
    const span = argumentSpan(call, mode.arg);
    walker.runCommand(
      words.map((word) => ({ word, span, at: undefined })),
      { ...call.place, via, parent: call.index },
    );
  }
  return copyContent(call, walker);
};

/** A link has the content of what it leads to; a hard link is the file itself under another name. */
const link: ProgramReader = (call, walker) => {
  copyContent(call, walker);
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

/** `jq --rawfile name file`: two words belong to the flag. */
const jq: ProgramReader = (call, walker) => {
  for (const { name, arg } of call.parsed.flags) {
    const file = call.args[arg + 2];
    if (/^--(?:raw|slurp)file$/.test(name) && file !== undefined)
      walker.path(call.command, 'read', file.word, { span: file.span });
  }
  return undefined;
};

/** Programs whose words say in ways of their own what becomes of files. */
export const FILE_TOOL_READERS: Readonly<Record<string, ProgramReader>> = {
  dd,
  dcfldd: dd,
  cp: copyContent,
  mv: copyContent,
  install,
  ln: link,
  link,
  truncate,
  sponge,
  jq,
  test,
  '[': test,
  '[[': test,
};
