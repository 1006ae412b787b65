import { CODE_PROGRAMS } from '../../generated/code-programs.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  originsOf,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import { addRemoteCode, isListing, noteUnreadable } from '../../shell/run/shell-text.ts';
import type { Arg, Call, ParsedArguments, ProgramReader } from '../../shell/scope/interpreter.ts';
import { filesOf } from '../../shell/scope/scope.ts';
import { forgetTrees } from '../../shell/scope/written-files.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { noteFetchedRun } from '../interpret/fetched-runs.ts';
import { valueArgument, valueAsArgument } from '../interpret/flags.ts';
import { writtenContent } from '../interpret/input-text.ts';
import { isFetched } from '../interpret/named-places.ts';
import { frameInside } from '../interpret/run-inner.ts';
import { loadReadCode } from '../scripts/load-code.ts';
import type { CodeProgram, Language } from '../scripts/rows.ts';
import { isBuildTool } from '../spec/build-tools.ts';
import { programFamily, programRow } from '../spec/rows.ts';

interface InterpreterRow extends CodeProgram {
  readonly language: Language;
}

function interpreterReader(row: InterpreterRow): ProgramReader {
  return (call) => {
    const { parsed, args } = call;
    const given = wordsFrom(0, call);
    // Behind a script they are the script's.
    const script = parsed.operands[0]?.arg ?? args.length;
    const inline = parsed.flags.filter(({ name, arg }) => arg < script && row.inline.includes(name));
    for (const flag of inline) {
      // `node -pe code` is `node -p -e code`.
      const isBundle = flag.written === '-pe' && args[flag.arg + 1] !== undefined;
      const code = isBundle ? args[flag.arg + 1] : valueAsArgument(args, flag, call.span);
      if (flag.value !== undefined && code !== undefined)
        run(call, code, isBundle ? given.slice(1) : given, row);
    }
    if (inline.length > 0) readOperandFiles(call, row);
    else if (parsed.flags.some(({ name }) => name === '-m')) readModule(call);
    else runFileOrInput(call, row);
    return undefined;
  };
}

/** How many of the words that code is started with are followed. */
const MAX_GIVEN = 64;

/** The operands from one on, as words for code. */
function wordsFrom(first: number, { parsed }: Call): readonly Word[] {
  const words = parsed.operands.slice(first, first + MAX_GIVEN).map(({ word }) => word);
  return parsed.operands.length > first + MAX_GIVEN ? [...words, unknownWord('one of many words')] : words;
}

/** With `-n` and `-p` the operands are read, with `-i` written as well; else the code may use them in any way. */
function readOperandFiles(call: Call, { loops, in_place: inPlace }: InterpreterRow): void {
  const { interpreter } = call;
  const has = (flags: readonly string[] | undefined) =>
    call.parsed.flags.some(({ name }) => flags?.includes(name));
  const isUsed = has(loops) || has(inPlace);
  for (const { word, arg } of call.parsed.operands) {
    const span = argumentSpan(call, arg);
    if (!isUsed) interpreter.path(call.command, 'mention', word, { span });
    if (!isUsed) continue;
    interpreter.path(call.command, 'read', word, { span });
    if (has(inPlace)) interpreter.path(call.command, 'write', word, { span });
  }
}

/** `python -m http.server` and the like. */
function readModule(call: Call): void {
  const { interpreter } = call;
  const flag = call.parsed.flags.find(({ name }) => name === '-m');
  const module = knownText(flag?.value ?? EMPTY_WORD);
  const span = call.args[flag?.arg ?? 0]?.span ?? call.span;
  const rest = call.parsed.operands.filter(({ word }) => !leadingText(word).startsWith('-'));
  if (module === 'http.server' || module === 'SimpleHTTPServer') {
    addPlace(call.command, 'listen', rest[0]?.word ?? textWord('8000'), 'http', span);
  }
  for (const { word } of rest) interpreter.path(call.command, 'mention', word, { span });
  if (module === undefined || flag === undefined) return;
  // A module that came with a whole folder is a part of the project there.
  const file = interpreter.resolve(textWord(`${module.replaceAll('.', '/')}.py`), call.command);
  if (filesOf(call.frame.scope).contents.has(knownText(file) ?? '')) noteFetchedRun(call, file, span);
  if (programFamily(module) !== 'packages') {
    if (isBuildTool(module)) forgetTrees(filesOf(call.frame.scope));
    return;
  }
  // `python -m pip` is pip.
  const given = valueArgument(call.args, flag);
  const words = call.args.slice(given === undefined ? 0 : call.args.indexOf(given) + 1);
  const frame = frameInside(call, { kind: 'interpreter', name: call.command.name ?? '' });
  interpreter.runCommand([valueAsArgument(call.args, flag, span), ...words], frame);
}

function runFileOrInput(call: Call, row: InterpreterRow): void {
  const { parsed, command, interpreter } = call;
  const { file_behind: subcommand } = row;
  const first = knownText(parsed.operands[0]?.word ?? EMPTY_WORD);
  if (command.name === 'deno' && first === 'eval') {
    const code = call.args[parsed.operands[1]?.arg ?? call.args.length];
    if (code !== undefined) run(call, code, wordsFrom(2, call), row);
    return;
  }
  const isRun = first !== undefined && first === subcommand;
  const isFile = first !== undefined && /\.[cm]?[jt]sx?$|^[^:]*\//.test(first);
  if (subcommand !== undefined && !isRun && !isFile && first !== '-' && first !== undefined) return;
  const file = parsed.operands[isRun ? 1 : 0];
  const name = knownText(file?.word ?? EMPTY_WORD);
  // A program of JavaScript has its own name among the words that it is given.
  const own = row.language === 'javascript' ? 0 : 1;
  const rest = wordsFrom((isRun ? 1 : 0) + own, call);
  if (file === undefined || name === '-' || name === '/dev/stdin') {
    if (command.input !== undefined) run(call, { word: command.input, span: call.span }, rest, row);
    return;
  }
  const span = argumentSpan(call, file.arg);
  runPackage(file, call);
  if (isFetched(file.word))
    addRemoteCode(command, [{ type: 'network', source: file.word }], span, interpreter);
  // A package of a registry is no file, and neither is a URL.
  if (isFetched(file.word) || /^(?:npm|jsr):/.test(name ?? '')) return;
  if (!isRun || isFile || name?.includes('/') === true)
    interpreter.path(command, 'execute', file.word, { span });
  const content = writtenContent(file.word, call);
  if (content !== undefined) run(call, { word: content, span }, rest, row);
}

/** The package that a script belongs to: in a folder of packages, or in a registry. */
const OF_PACKAGE =
  /(?:^npm:\/?|(?:^|\/)node_modules\/|^\$.*\/(?=@))(?:@[^/@]+\/)?([^/@.][^/@]*)(?:@[^/]*)?(?=\/|$)/gs;
/** A script among the programs of a machine or a project. */
const OF_PROGRAMS = /(?:^|\/)node_modules\/\.bin\/([^/]+)$|^[/~$].*\/bin\/([^/]+)$/s;

/** `node …/node_modules/@scope/tool/cli.js words` is the program `tool` with those words. */
function runPackage({ word, arg }: ParsedArguments['operands'][number], call: Call): void {
  const { interpreter } = call;
  const script = showWord(word);
  const place = script.startsWith('npm:') ? script : showWord(interpreter.resolve(word, call.command));
  const [, own, shared] = [...place.matchAll(OF_PACKAGE)].at(-1) ?? OF_PROGRAMS.exec(script) ?? [];
  const program = own ?? shared;
  if (programRow(program, interpreter.context.programs) === undefined) return;
  const inside = frameInside(call, { kind: 'interpreter', name: call.command.name ?? '' });
  const named = { word: textWord(program ?? ''), span: argumentSpan(call, arg) };
  interpreter.runCommand([named, ...call.args.slice(arg + 1)], inside);
}

/** Reads code that an interpreter is given, or says that it cannot be known. */
function run(
  call: Call,
  { word, span }: Pick<Arg, 'word' | 'span'>,
  given: readonly Word[],
  { language }: InterpreterRow,
): void {
  addRemoteCode(call.command, originsOf(word), span, call.interpreter);
  const blank = word.every((part) => part.type !== 'text' || part.text.trim() === '');
  if (blank || isListing(word))
    noteUnreadable(
      call,
      blank ? word : unknownWord('{}'),
      span,
      `the code of ${showWord(call.command.program)}`,
      'unknown_code',
    );
  else loadReadCode().readCode(word, { call, span, language, given, interpreter: call.interpreter });
}

/** Readers of programs that run code in other languages. */
export const INTERPRETER_READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(Object.entries(CODE_PROGRAMS).map(([name, row]) => [name, interpreterReader(row)])),
};
