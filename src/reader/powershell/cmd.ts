import { globPieces } from '../reading/glob-pieces.ts';
import type { Redirection } from '../reading/reading.ts';
import {
  EMPTY_WORD,
  joinAll,
  joinList,
  joinWords,
  knownText,
  leadingText,
  textWord,
  unknownWord,
  type Word,
  wordFrom,
} from '../reading/word.ts';
import { linkStages, ownCommands } from '../shell/run/links.ts';
import { deliver, readRedirectionsOnly } from '../shell/run/simple-command.ts';
import { after, newFlow } from '../shell/scope/flow.ts';
import type { Arg, Frame } from '../shell/scope/interpreter.ts';
import { mergeBranches } from '../shell/scope/merge-scopes.ts';
import { filesOf, newScope, setLocal, setVariable, single } from '../shell/scope/scope.ts';
import type { CmdCommand, CmdWord } from './cmd-syntax.ts';
import { wordOf } from './cmd-words.ts';
import { parseCmd } from './parse-cmd.ts';
import { lineAndColumn } from './scanner.ts';
import { programPath, windowsPath } from './windows-path.ts';

/** Reads the text of a place as cmd does; returns its output. */
export function readCmd(frame: Frame): Word {
  const { source, interpreter } = frame;
  const { commands, error } = parseCmd(source.text);
  const printed = readCommands(commands, frame);
  if (error === undefined) return printed;
  const { start, message } = error;
  const { span, offset } = source;
  const gap = offset === undefined ? span : { start: offset + start, end: offset + source.text.length };
  const where = lineAndColumn(source.text, start);
  interpreter.gap('syntax', gap, `Cannot parse the script as cmd (${where}): ${message}`);
  return unknownWord('the output of a script');
}

function readCommands(commands: readonly CmdCommand[], frame: Frame): Word {
  let printed: Word = EMPTY_WORD;
  let { known } = frame.flow;
  for (const command of commands) {
    if (--frame.interpreter.budget.steps < 0) return unknownWord('the output of a script');
    if (command.onSuccess !== true) ({ known } = frame.flow);
    const start = frame.interpreter.commands.length;
    const isOnly = commands.length === 1;
    const output = readCommand(command, isOnly ? frame : { ...frame, flow: newFlow(known) });
    known = after(known, ...ownCommands(start, frame));
    if (frame.captured) printed = joinWords(printed, output);
  }
  return printed;
}

function readCommand(command: CmdCommand, frame: Frame): Word {
  const { interpreter } = frame;
  if (!interpreter.enter(frame, frame.source.span, 0)) return unknownWord('the output of a command');
  const inner = { ...frame, depth: frame.depth + 1 };
  switch (command.type) {
    case 'pipeline': {
      let input = frame.input;
      let printed: Word = EMPTY_WORD;
      let before = interpreter.commands.length;
      command.stages.forEach((stage, index) => {
        const start = interpreter.commands.length;
        const captured = index < command.stages.length - 1 || frame.captured;
        printed = readCommand(stage, { ...inner, input, captured });
        if (index > 0 && start > before) linkStages(before, start, frame.substitutions, interpreter);
        if (interpreter.commands.length > start) before = start;
        input = printed;
      });
      return printed;
    }
    case 'group':
      return redirected(command.redirections, inner, (each) => readCommands(command.body, each));
    case 'if': {
      const scopes = command.branches.map(() => newScope('branch', frame.scope));
      const printed = command.branches.map((body, index) =>
        readCommands(body, { ...inner, scope: scopes[index] ?? frame.scope }),
      );
      mergeBranches(frame.scope, scopes, false);
      return joinAll(printed);
    }
    case 'for':
      return readFor(command, inner);
    case 'simple':
      return redirected(command.redirections, inner, (each, kept) => runWords(command.words, each, kept));
    default:
      return command satisfies never;
  }
}

/** Values of a loop that are followed. */
const MAX_ITEMS = 64;

function readFor(
  { variable, items, script, body, readsFiles, options }: Extract<CmdCommand, { type: 'for' }>,
  frame: Frame,
): Word {
  const inner = { ...frame, captured: true };
  const lines = readsFiles
    ? joinAll(items.map((item) => runWords([{ text: 'type', isQuoted: false }, item], inner, [])))
    : script && readCommands(script, inner);
  const words =
    lines === undefined
      ? items.map((item) => wordOf(item, frame))
      : (tokensIn(lines, options) ?? [unknownOf(variable, lines)]);
  const scope = newScope('branch', frame.scope);
  for (const word of words.slice(0, MAX_ITEMS)) {
    const name = `%${variable}`;
    setLocal(scope, name, single(withWildcards(word)));
    readCommands(body, { ...frame, scope });
  }
  mergeBranches(frame.scope, [scope], false);
  return EMPTY_WORD;
}

/** The values that a loop takes from known lines: by its options one word of each, or all of it. */
function tokensIn(lines: Word, options: string): readonly Word[] | undefined {
  const text = knownText(lines)?.trim();
  if (text === undefined || text === '') return undefined;
  const isWhole = /delims=(?:$|\s)|tokens=\*/.test(options);
  const between = new RegExp(
    `[${(/delims=(\S+)/.exec(options)?.[1] ?? ' \t').replace(/[\]\\^-]/g, '\\$&')}]+`,
  );
  const index = Number(/tokens=(\d+)/.exec(options)?.[1] ?? 1) - 1;
  return text.split(/\r?\n/).map((line) => textWord(isWhole ? line : (line.split(between)[index] ?? '')));
}

/** One of the lines that a command prints. */
function unknownOf(variable: string, printed: Word): Word {
  if (printed.length === 0) return unknownWord(`%${variable}`);
  const unknown = printed.find((part) => part.type === 'unknown');
  return unknown === undefined ? unknownWord(`%${variable}`) : [unknown];
}

function withWildcards(word: Word): Word {
  const known = knownText(word);
  return known === undefined || !/[*?]/.test(known)
    ? word
    : globPieces(known.replaceAll('\\', '/'), { escapes: false, stopsAtSlash: true });
}

/** Commands of cmd as the cmdlets that do the same. */
const BUILTINS: ReadonlyMap<string, string> = new Map(
  [
    'remove-item del erase rd rmdir',
    'copy-item copy',
    'move-item move',
    'rename-item ren rename',
    'get-content type more',
    'get-childitem dir',
    'new-item md mkdir',
    'mklink mklink',
  ].flatMap((line) => {
    const [cmdlet = '', ...names] = line.split(' ');
    return names.map((name) => [name, cmdlet] as const);
  }),
);
/** Those that `/s` takes to all folders below. */
const DEEP = /^(?:remove-item|get-childitem)$/;
/** Those that touch nothing. */
const HARMLESS = new Set(
  'rem title color cls ver vol pause setlocal endlocal goto shift verify prompt break path date time exit assoc ftype @rem'.split(
    ' ',
  ),
);

type CmdRedirections = Extract<CmdCommand, { type: 'simple' }>['redirections'];

/** Runs the command in front of redirections, and puts its output into their files. */
function redirected(
  redirections: CmdRedirections,
  frame: Frame,
  run: (inner: Frame, kept: readonly Redirection[]) => Word,
): Word {
  const { interpreter, source } = frame;
  const { span } = source;
  const found: Redirection[] = redirections.map(({ kind, target, isOutput }) => ({
    kind,
    descriptor: isOutput ? undefined : 2,
    target: windowsPath(wordOf(target, frame), false),
    span,
  }));
  const kept = found.filter(({ target }) => !/^nul$/i.test(knownText(target) ?? ''));
  const outputs = redirections
    .map(({ isOutput, kind }, index) => (isOutput && kind !== 'read' ? found[index] : undefined))
    .filter((each) => each !== undefined);
  const last = outputs.at(-1);
  const output = last === undefined ? undefined : kept.includes(last) ? last.target : EMPTY_WORD;
  const inner = output === undefined ? frame : { ...frame, captured: true };
  const before = interpreter.commands.length;
  const printed = run(inner, kept);
  if (found.length === 0) return printed;
  const own = interpreter.commands.slice(before).find((command) => command.redirections === kept);
  const target = { redirections: kept, input: undefined, output, append: last?.kind === 'append' };
  return deliver(printed, target, own ?? readRedirectionsOnly(target, span, frame), frame);
}

function runWords(written: readonly CmdWord[], frame: Frame, redirections: readonly Redirection[]): Word {
  const { interpreter, source } = frame;
  const { span } = source;
  const [head, ...rest] = written;
  if (head === undefined) return EMPTY_WORD;
  const words = written.map((word) => wordOf(word, frame));
  const [first = EMPTY_WORD] = words;
  const name = (knownText(first) ?? '')
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/[.:(]$/, '');
  const run = (argv: readonly Word[]) => {
    const words = argv.map((word): Arg => ({ word, span }));
    return interpreter.runCommand(words, frame, { redirections, span, direct: false });
  };
  // A variable may hold a program with its words.
  if (/[%!]/.test(head.text) && /\s/.test(knownText(first) ?? '')) {
    const text = knownText(joinList(words));
    if (text !== undefined) return readCommands(parseCmd(text).commands, frame);
  }
  const args = words.slice(1);
  if (HARMLESS.has(name) || name.startsWith(':')) return EMPTY_WORD;
  if (name === 'echo') {
    run([textWord('echo'), ...args]);
    return joinWords(joinList(args), textWord('\n'));
  }
  if (name === 'set') return setNamed(args, frame, run);
  if (name === 'cd' || name === 'chdir' || name === 'pushd' || name === 'popd') {
    const folders = args
      .filter((word) => !/^\/d$/i.test(knownText(word) ?? ''))
      .map((word) => windowsPath(word, false));
    return folders.length === 0 && name !== 'popd'
      ? EMPTY_WORD
      : run([textWord(name === 'chdir' ? 'cd' : name), ...folders]);
  }
  if (name === 'call' || name === 'start') return runNext(name, rest, frame, redirections);
  const cmdlet = BUILTINS.get(name);
  if (cmdlet !== undefined) {
    const isDeep = DEEP.test(cmdlet) && args.some((word) => switchesIn(word).includes('s'));
    const paths = args.filter((word) => switchesIn(word).length === 0).map((word) => windowsPath(word, true));
    return run([textWord(cmdlet), ...(isDeep ? [textWord('-Recurse')] : []), ...paths]);
  }
  const program = programPath(wordFrom(first, leadingText(first).startsWith('@') ? 1 : 0), true);
  return run([
    fileHere(program, frame) ?? program,
    ...args.map((word, index) => programPath(word, rest[index]?.isQuoted !== true)),
  ]);
}

/** Programs are looked for in the folder first, also without their ending: a file that the script has put there runs. */
function fileHere(program: Word, { scope }: Frame): Word | undefined {
  const name = knownText(program);
  if (name === undefined || name.includes('/')) return undefined;
  const { named } = filesOf(scope);
  const file = ['', '.exe', '.bat', '.cmd', '.ps1']
    .map((ending) => name + ending)
    .find((each) => named.has(each));
  return file === undefined ? undefined : textWord(`./${file}`);
}

/** The letters of `/s`, `/s/q`, `/a:h`; none for a word that is no switch. */
function switchesIn(word: Word): readonly string[] {
  const text = knownText(word) ?? '';
  return /^(?:\/[a-z-]+)+(?::\S*)?$/i.test(text)
    ? [...text.matchAll(/\/([a-z])/gi)].map(([, letter = '']) => letter.toLowerCase())
    : [];
}

/** `call x`, `start "title" /b x`: another command. */
function runNext(
  name: string,
  rest: readonly CmdWord[],
  frame: Frame,
  redirections: readonly Redirection[],
): Word {
  let at = 0;
  if (name === 'start' && rest[0]?.isQuoted === true) at++;
  while (name === 'start' && /^\/(?:[a-z]+|d\S*)$/i.test(rest[at]?.text ?? '')) at++;
  // A label, or an address, which the browser opens.
  if (/^(?::|[a-z]+:\/\/)/i.test(rest[at]?.text ?? '')) return EMPTY_WORD;
  return runWords(rest.slice(at), frame, redirections);
}

/** `set NAME=value`; `set` alone shows all variables. */
function setNamed(args: readonly Word[], frame: Frame, run: (argv: readonly Word[]) => Word): Word {
  const text = joinList(args);
  const lead = leadingText(text);
  if (args.length === 0) return run([textWord('printenv')]);
  if (/^\/[ap]/i.test(lead)) {
    const name = /^\/[ap]\s+"?([^=+\-*/\s]+)/i.exec(lead)?.[1];
    if (name !== undefined) setVariable(frame.scope, name.toUpperCase(), single(unknownWord(`%${name}%`)));
    return EMPTY_WORD;
  }
  const [, name] = /^([^=]+)=/.exec(lead) ?? [];
  if (name === undefined) return EMPTY_WORD;
  const value = joinAll([textWord(lead.slice(lead.indexOf('=') + 1)), text.slice(1)]);
  return run([textWord('export'), joinAll([textWord(`${name.toUpperCase()}=`), value])]);
}
