import { valueAsArgument } from '../arguments.ts';
import { readAwk } from '../code/read-awk.ts';
import { readCode } from '../code/read-code.ts';
import type { Language } from '../code/tokens.ts';
import { decodeBase64Utf16 } from '../decode.ts';
import { fileContent } from '../scope.ts';
import { addRemoteCode, noteUnreadable, runShellText } from '../shell-text.ts';
import type { Arg, Call, ProgramReader, Walker } from '../walker.ts';
import { EMPTY_WORD, joinWords, knownText, originsOf, showWord, textWord, type Word } from '../word.ts';
import { runInner } from './run-inner.ts';
import { spaced } from './wrappers.ts';

interface Interpreter {
  readonly language: Exclude<Language, 'awk'>;
  /** Flags whose value is code. */
  readonly inline: string;
  /** Flags that make it edit the files it is given. */
  readonly inPlace?: string;
  /** Flags that wrap the code in a loop over the files it is given. */
  readonly loops?: string;
}

const PYTHON: Interpreter = { language: 'python', inline: '-c' };
const NODE: Interpreter = { language: 'javascript', inline: '-e --eval -p --print' };

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  bun: NODE,
  tsx: NODE,
  'ts-node': NODE,
  deno: { language: 'javascript', inline: '' },
  perl: { language: 'perl', inline: '-e -E', inPlace: '-i', loops: '-n -p' },
  ruby: { language: 'ruby', inline: '-e', inPlace: '-i', loops: '-n -p' },
  php: { language: 'php', inline: '-r -B -R -E' },
  lua: { language: 'lua', inline: '-e' },
  luajit: { language: 'lua', inline: '-e' },
  Rscript: { language: 'r', inline: '-e' },
  R: { language: 'r', inline: '-e' },
};

/** Subcommands of interpreters that are package managers as well, and so take no file as their first operand. */
const RUNS_FILE: Readonly<Record<string, readonly string[]>> = { deno: ['run'], bun: ['run'] };

function interpreterReader(interpreter: Interpreter): ProgramReader {
  return (call, walker) => {
    const { parsed, args } = call;
    const inline = parsed.flags.filter(({ name }) => interpreter.inline.split(' ').includes(name));
    for (const flag of inline) {
      if (flag.value !== undefined) run(call, valueAsArgument(args, flag, call.span), interpreter, walker);
    }
    if (inline.length > 0) readOperandFiles(call, interpreter, walker);
    else if (parsed.flags.some(({ name }) => name === '-m')) readModule(call, walker);
    else runFileOrInput(call, interpreter, walker);
    return undefined;
  };
}

/** With `-n` and `-p` the operands are read, with `-i` written as well. */
function readOperandFiles(call: Call, { loops, inPlace }: Interpreter, walker: Walker): void {
  const has = (flags: string | undefined) =>
    call.parsed.flags.some(({ name }) => flags?.split(' ').includes(name));
  if (!has(loops) && !has(inPlace)) return;
  for (const { word, arg } of call.parsed.operands) {
    const span = call.args[arg]?.span ?? call.span;
    walker.path(call.command, 'read', word, { span });
    if (has(inPlace)) walker.path(call.command, 'write', word, { span });
  }
}

/** `python -m http.server` and the like. */
function readModule(call: Call, walker: Walker): void {
  const flag = call.parsed.flags.find(({ name }) => name === '-m');
  const module = knownText(flag?.value ?? EMPTY_WORD);
  const span = call.args[flag?.arg ?? 0]?.span ?? call.span;
  const rest = call.parsed.operands;
  if (module === 'http.server' || module === 'SimpleHTTPServer') {
    call.command.effects.push({
      type: 'network',
      use: 'listen',
      target: rest[0]?.word ?? textWord('8000'),
      scheme: 'http',
      span,
    });
  }
  if (module !== 'pip' && module !== 'venv' && module !== 'json.tool') return;
  if (module === 'json.tool')
    for (const { word } of rest.slice(0, 1)) walker.path(call.command, 'read', word, { span });
}

function runFileOrInput(call: Call, interpreter: Interpreter, walker: Walker): void {
  const { parsed, command } = call;
  const subcommands = RUNS_FILE[command.name ?? ''];
  const first = knownText(parsed.operands[0]?.word ?? EMPTY_WORD);
  if (command.name === 'deno' && first === 'eval') {
    const code = parsed.operands[1];
    if (code !== undefined)
      run(
        call,
        { word: code.word, span: call.args[code.arg]?.span ?? call.span, at: undefined },
        interpreter,
        walker,
      );
    return;
  }
  const isRun = first !== undefined && subcommands?.includes(first) === true;
  const isFile = first !== undefined && /\.[cm]?[jt]sx?$/.test(first);
  if (subcommands !== undefined && !isRun && !isFile && first !== '-' && first !== undefined) return;
  const file = parsed.operands[isRun ? 1 : 0];
  const name = knownText(file?.word ?? EMPTY_WORD);
  if (file === undefined || name === '-' || name === '/dev/stdin') {
    if (command.input !== undefined)
      run(call, { word: command.input, span: call.span, at: undefined }, interpreter, walker);
    return;
  }
  const span = call.args[file.arg]?.span ?? call.span;
  if (!isRun || isFile || name?.includes('/') === true) walker.path(command, 'execute', file.word, { span });
  const [only] = file.word;
  const substituted = only !== undefined && file.word.length === 1 ? walker.contents.get(only) : undefined;
  const content = substituted ?? fileContent(call.place.scope, walker.resolve(file.word, command));
  if (content !== undefined) run(call, { word: content, span, at: undefined }, interpreter, walker);
}

/** Reads code that an interpreter is given, or says that it cannot be known. */
function run(call: Call, code: Arg, { language }: Interpreter, walker: Walker): void {
  const { word, span } = code;
  addRemoteCode(call.command, originsOf(word), span);
  const blank = word.every((part) => part.type !== 'text' || part.text.trim() === '');
  if (blank)
    noteUnreadable(call, word, span, `the code of ${showWord(call.command.program)}`, 'unknown_code', walker);
  else readCode(word, { call, walker, span, language, depth: 0 });
}

/** awk: the program is the first operand unless it comes from a file. */
const awk: ProgramReader = (call, walker) => {
  const inline = call.parsed.flags.filter(({ name }) => name === '-e' || name === '--source');
  for (const { value, arg } of inline) {
    if (value !== undefined) readAwk(value, call, call.args[arg]?.span ?? call.span, walker);
  }
  const fromFile = call.parsed.flags.some(({ name }) => name === '-f' || name === '--file' || name === '-E');
  const program = call.parsed.operands[0];
  if (inline.length > 0 || fromFile || program === undefined) return undefined;
  readAwk(program.word, call, call.args[program.arg]?.span ?? call.span, walker);
  return undefined;
};

/** PowerShell: `-Command text`, `-EncodedCommand base64`; its commands are read as far as they look like those of a shell. */
const powershell: ProgramReader = (call, walker) => {
  const at = call.args.findIndex((arg) =>
    /^[-/](?:c|command|e|ec|enc|encodedcommand|f|file)$/i.test(knownText(arg.word) ?? ''),
  );
  const flag = knownText(call.args[at]?.word ?? EMPTY_WORD)?.toLowerCase() ?? '';
  const rest = call.args.slice(at + 1).map((arg) => arg.word);
  const [first] = rest;
  if (at < 0 || first === undefined) {
    if (call.command.input !== undefined) runInner(call, call.command.input, call.span, walker);
    return undefined;
  }
  if (/f/.test(flag)) {
    walker.path(call.command, 'execute', first);
    return undefined;
  }
  call.command.wrapper = true;
  const decoded = /^[-/]e/.test(flag) ? decodeBase64Utf16(knownText(first) ?? '') : undefined;
  const script = /^[-/]e/.test(flag)
    ? decoded === undefined
      ? first
      : textWord(decoded)
    : rest.reduce(spaced);
  runShellText(
    call,
    { word: script, span: call.span, at: undefined },
    { ...call.place, via: [...call.place.via, { kind: 'shell', name: 'powershell' }], parent: call.index },
    'the script of PowerShell',
    walker,
  );
  return undefined;
};

/** AppleScript: `do shell script "…"`. */
const appleScript: ProgramReader = (call, walker) => {
  for (const { name, value, arg } of call.parsed.flags) {
    if (name !== '-e' || value === undefined) continue;
    const text = knownText(value) ?? '';
    for (const match of text.matchAll(/do shell script "((?:[^"\\]|\\.)*)"/g)) {
      const script = (match[1] ?? '').replace(/\\(.)/g, '$1');
      runInner(call, textWord(script), call.args[arg]?.span ?? call.span, walker);
    }
  }
  return undefined;
};

/** `iex` and `Invoke-Expression` of PowerShell. */
const invokeExpression: ProgramReader = (call, walker) => {
  const words: readonly Word[] = call.args.map((arg) => arg.word);
  const script = words.length > 0 ? words.reduce(spaced) : call.command.input;
  if (script !== undefined) runInner(call, joinWords(script, EMPTY_WORD), call.span, walker);
  return undefined;
};

/** Readers of programs that run code in other languages. */
export const INTERPRETER_READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(
    Object.entries(INTERPRETERS).map(([name, interpreter]) => [name, interpreterReader(interpreter)]),
  ),
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  powershell,
  pwsh: powershell,
  osascript: appleScript,
  'invoke-expression': invokeExpression,
  iex: invokeExpression,
};
