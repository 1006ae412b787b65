import { EMPTY_WORD, knownText, leadingText, textWord, type Word, wordFrom } from '../../reading/word.ts';
import { inputScript, runFileText, runShellText } from '../../shell/run/shell-text.ts';
import { passOn } from '../../shell/scope/flow.ts';
import type { Arg, Call, Frame, ProgramReader } from '../../shell/scope/interpreter.ts';
import { type Scope, setLocal, single } from '../../shell/scope/scope.ts';
import { crossBorder, setInScope } from '../interpret/cross-border.ts';
import { valueAsArgument } from '../interpret/flags.ts';
import { isStandardInput, writtenContent } from '../interpret/input-text.ts';
import { frameInside } from '../interpret/run-inner.ts';

interface ShellArguments {
  /** True for `-c`. */
  readonly inline: boolean;
  /** True for `-i`. */
  readonly interactive: boolean;
  /** True for `-n`: the script is only parsed. */
  readonly onlyParses: boolean;
  /** The file that is read first, if one is named. */
  readonly startup: Arg | undefined;
  /** True for `-s`. */
  readonly fromInput: boolean;
  /** The arguments after the options. */
  readonly rest: readonly Arg[];
}

/** sh, bash, zsh and the like: `-c`, a file, or standard input. */
const readShell: ProgramReader = (call) => {
  const { inline, fromInput, interactive, onlyParses, startup, rest } = shellArguments(call);
  const [first] = rest;
  if (onlyParses && !interactive) {
    if (first !== undefined && !inline)
      call.interpreter.path(call.command, 'list', first.word, { span: first.span });
    return EMPTY_WORD;
  }
  if (startup !== undefined) runShellFile(call, startup, []);
  runStartup(call, interactive || (first === undefined && call.frame.input === undefined));
  if (inline)
    return first === undefined
      ? undefined
      : run(call, first, rest.slice(2), 'the script of a shell', rest[1]?.word);
  const file = fromInput || isStandardInput(first?.word ?? []) ? undefined : first;
  if (file !== undefined) return runShellFile(call, file, rest.slice(1));
  const input = call.frame.input;
  if (input === undefined) return undefined;
  const script = inputScript(input, call.span, call.interpreter);
  return run(withoutInput(call), script, rest, 'what a shell reads as its input');
};

/** `fish -c`, `csh -c` and so on are taken by `readShell`; su and runuser put a user before or after `-c`. */
const readSwitchUser: ProgramReader = (call) => {
  const kept = call.parsed.flags.flatMap(({ name, value }) =>
    /^(?:-w|--whitelist-environment)$/.test(name) ? (knownText(value ?? EMPTY_WORD)?.split(',') ?? []) : [],
  );
  const flag = call.parsed.flags.find(({ name }) => name === '-c' || name === '--command');
  const isLogin = call.parsed.flags.some(({ name }) => /^(?:-|-l|--login)$/.test(name));
  const around =
    isLogin || knownText(call.parsed.operands[0]?.word ?? EMPTY_WORD) === '-'
      ? crossBorder(call.frame, (name) => kept.includes(name))
      : call.frame;
  const privileged = { ...call, frame: { ...around, privileged: true } };
  if (flag?.value !== undefined) {
    return run(privileged, valueAsArgument(call.args, flag, call.span), [], 'the script of su');
  }
  const user = call.parsed.flags.some((flag) => flag.name === '-u');
  const dashes = call.args.findIndex((arg) => knownText(arg.word) === '--');
  const command = dashes < 0 ? (user ? call.parsed.operands[0]?.arg : undefined) : dashes + 1;
  if (command !== undefined) {
    call.command.wrapper = true;
    return call.interpreter.runCommand(call.args.slice(command), innerFrame(privileged));
  }
  const { input } = call.frame;
  const script = input === undefined ? undefined : inputScript(input, call.span, call.interpreter);
  return script === undefined
    ? undefined
    : run(withoutInput(privileged), script, [], 'what su reads as its input');
};

/** Shells with languages of their own, to which `-n` is something else. */
const RUNS_WITH_N: readonly string[] = ['nu', 'elvish', 'xonsh'];

function shellArguments({ args, command }: Call): ShellArguments {
  const found = { inline: false, fromInput: false, interactive: false, onlyParses: false };
  let startup: Arg | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? []) ?? leadingText(args[at]?.word ?? []);
    if (text === '+') continue;
    if (!/^[-+]./.test(text) || text === '--') break;
    if (text.startsWith('--command=')) {
      const rest = [behindEquals(args[at]), ...args.slice(at + 1)];
      return { ...found, inline: true, fromInput: false, startup, rest };
    }
    if (/^--?(?:rcfile|init-file)$/.test(text)) startup = args[++at];
    else if (text === '--emulate') at++;
    else if (text.startsWith('--')) found.inline ||= text === '--command' || text === '--commands';
    else {
      const has = (letter: string) => text.startsWith('-') && text.includes(letter);
      found.inline ||= has('c');
      found.fromInput ||= has('s');
      found.interactive ||= has('i');
      const isNoexec = /[oO]$/.test(text) && knownText(args[++at]?.word ?? []) === 'noexec';
      // Long options of bash with one dash, such as `-norc`, have an `o`.
      if (isNoexec || /^[-+][^no]*n[^o]*$/.test(text))
        found.onlyParses = text.startsWith('-') && !RUNS_WITH_N.includes(command.name ?? '');
    }
  }
  if (/^--?$/.test(knownText(args[at]?.word ?? []) ?? '')) at++;
  return { ...found, fromInput: found.fromInput && !found.inline, startup, rest: args.slice(at) };
}

/** `bash -euo pipefail -c`: the options that a shell starts with. */
function startOptions({ args, command }: Call): Scope['options'] {
  const found: NonNullable<Scope['options']> = {};
  if (!/^(?:ba|da|a|z|k|mk)?sh$/.test(command.name ?? '')) return found;
  for (let at = 0; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? []) ?? '';
    if (!/^[-+][a-zA-Z]/.test(text)) break;
    const isSet = text.startsWith('-');
    const name = /[oO]$/.test(text) ? knownText(args[++at]?.word ?? []) : undefined;
    // Long options may have one dash: `-rcfile`.
    if (name === 'errexit' || /^[-+](?=[a-zA-Z]{1,5}$)\w*e/.test(text)) found.errexit = isSet;
    if (name === 'pipefail') found.pipefail = isSet;
  }
  return found;
}

function behindEquals(arg: Arg | undefined): Arg {
  const word = arg?.word ?? EMPTY_WORD;
  const value = wordFrom(word, leadingText(word).indexOf('=') + 1);
  return { word: value, span: arg?.span ?? { start: 0, end: 0 } };
}

/** Variables that a shell runs something of on its own. */
const RUN_VARIABLES = /^(?:PS[0124]$|PROMPT_COMMAND$|BASH_FUNC_)/;

/** Reads the code that a shell runs on its own: a file when it starts, a command before each prompt. */
function runStartup(call: Call, interactive: boolean): void {
  const file = interactive ? 'ENV' : 'BASH_ENV';
  for (const { name, value } of call.command.assignments) {
    const script = { word: value, span: call.span };
    if (name === file && value.length > 0) runShellFile(call, script, []);
    if (RUN_VARIABLES.test(name) && (name !== 'PROMPT_COMMAND' || interactive) && mayRun(name, value))
      call.interpreter.gap(
        'unknown_script',
        call.span,
        `Cannot tell what a shell runs of the variable "${name}"`,
      );
  }
}

function mayRun(name: string, value: Word): boolean {
  return value.length > 0 && (!name.startsWith('PS') || /\$\(|`/.test(knownText(value) ?? '`'));
}

/** A file given to a shell: its text is read if the script itself wrote it, or `<( )` prints it. */
function runShellFile(call: Call, file: Arg, rest: readonly Arg[]): Word | undefined {
  call.interpreter.path(call.command, 'execute', file.word, { span: file.span });
  const content = writtenContent(file.word, call);
  if (content === undefined) return undefined;
  call.command.wrapper = true;
  const frame = shellFrame(call, rest, file.word);
  return runFileText(call, file, content, frame, 'the file that a shell runs');
}

/** The same command when its input has been used up. */
function withoutInput(call: Call): Call {
  return { ...call, frame: { ...call.frame, input: undefined } };
}

/** Runs a script in a shell of its own; `zero` is its name there. */
function run(call: Call, script: Arg, positional: readonly Arg[], what: string, zero?: Word): Word {
  call.command.wrapper = true;
  return runShellText(call, script, shellFrame(call, positional, zero), what);
}

/** A shell of its own with its arguments; `zero` is its name. */
function shellFrame(call: Call, positional: readonly Arg[], zero?: Word): Frame {
  const frame = innerFrame(call);
  frame.scope.options = startOptions(call);
  setLocal(frame.scope, '0', single(zero ?? textWord(call.command.name ?? 'sh')));
  frame.scope.positional = positional.map((arg) => arg.word);
  return { ...frame, environment: setInScope(call.frame, frame.scope) };
}

function innerFrame(call: Call): Frame {
  const { runCertainty, flow } = call.frame;
  const inside = frameInside(call, { kind: 'shell', name: call.command.name ?? 'sh' });
  return {
    ...inside,
    flow: passOn(call.command, flow, false),
    runCertainty: { ...runCertainty, errexitApplies: true },
    calls: [],
  };
}

const SHELLS =
  'sh bash dash ash zsh ksh mksh rbash yash posh bash-static zsh-static sh-static pdksh oksh loksh lksh osh hush fish csh tcsh elvish nu xonsh'.split(
    ' ',
  );

/** Readers of the shells, and of programs that start one for another user. */
export const SHELL_READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(SHELLS.map((name) => [name, readShell])),
  su: readSwitchUser,
  runuser: readSwitchUser,
};
