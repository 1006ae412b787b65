import { EMPTY_WORD, joinWords, knownText, leadingText, textWord, type Word } from '../../reading/word.ts';
import { expandAgain } from '../../shell/expand/expand-again.ts';
import { inputScript, runFileText, runShellText } from '../../shell/run/shell-text.ts';
import { setLocal, single } from '../../shell/scope/scope.ts';
import type { Arg, Call, Place, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { valueAsArgument } from '../interpret/arguments.ts';
import { isStandardInput } from '../interpret/input-text.ts';
import { placeInside } from '../interpret/run-inner.ts';

interface ShellArguments {
  /** True for `-c`. */
  readonly inline: boolean;
  /** True for `-i`. */
  readonly interactive: boolean;
  /** True for `-l`: files in the home folder are read first. */
  readonly login: boolean;
  /** True for `-n`: what is given is looked through only. */
  readonly onlyParses: boolean;
  /** Scripts that options bring, to be run before what is given. */
  readonly before: readonly Arg[];
  /** The file that is read first, if one is named. */
  readonly startup: Arg | undefined;
  /** True for `-s`. */
  readonly fromInput: boolean;
  /** The arguments after the options. */
  readonly rest: readonly Arg[];
}

/** sh, bash, zsh and the like: `-c`, a file, or standard input. */
const readShell: ProgramReader = (call, walker) => {
  const { inline, fromInput, interactive, login, onlyParses, before, startup, rest } = shellArguments(call);
  const [first] = rest;
  if (onlyParses && !interactive) {
    if (first !== undefined && !inline) walker.path(call.command, 'list', first.word, { span: first.span });
    return EMPTY_WORD;
  }
  for (const script of before) run(call, script, [], 'the script of a shell', walker);
  if (startup !== undefined) runShellFile(call, startup, [], walker);
  const prompts = interactive || (first === undefined && call.place.input === undefined);
  runStartup(call, prompts, walker);
  if (prompts || login) runHomeFiles(call, walker);
  if (inline)
    return first === undefined
      ? undefined
      : run(call, first, rest.slice(2), 'the script of a shell', walker, rest[1]?.word);
  const file = fromInput || isStandardInput(first?.word ?? []) ? undefined : first;
  if (file !== undefined) return runShellFile(call, file, rest.slice(1), walker);
  const input = call.place.input;
  if (input === undefined) return undefined;
  const script = inputScript(input, call.span, walker);
  return run(withoutInput(call), script, rest, 'what a shell reads as its input', walker);
};

/** `fish -c`, `csh -c` and so on are taken by `readShell`; su and runuser put a user before or after `-c`. */
const readSwitchUser: ProgramReader = (call, walker) => {
  const flag = call.parsed.flags.find(({ name }) => name === '-c' || name === '--command');
  const privileged = { ...call, place: { ...call.place, privileged: true } };
  if (flag?.value !== undefined) {
    return run(privileged, valueAsArgument(call.args, flag, call.span), [], 'the script of su', walker);
  }
  const user = call.parsed.flags.some((flag) => flag.name === '-u');
  const dashes = call.args.findIndex((arg) => knownText(arg.word) === '--');
  const command = dashes < 0 ? (user ? call.parsed.operands[0]?.arg : undefined) : dashes + 1;
  if (command !== undefined) {
    call.command.wrapper = true;
    return walker.runCommand(call.args.slice(command), innerPlace(privileged));
  }
  const { input } = call.place;
  const script = input === undefined ? undefined : inputScript(input, call.span, walker);
  return script === undefined
    ? undefined
    : run(withoutInput(privileged), script, [], 'what su reads as its input', walker);
};

/** bash takes its long options with one dash as well. */
const LONG_WITH_ONE_DASH =
  /^-(?:debugger|dump-po-strings|dump-strings|help|init-file|login|noediting|noprofile|norc|posix|pretty-print|rcfile|restricted|verbose|version|wordexp)$/;
/** Shells with languages of their own, to which `-n` is something else. */
const RUNS_WITH_N: readonly string[] = ['nu', 'elvish', 'xonsh'];
/** Options with a value in the next word, besides those that all shells are read with. */
const VALUES: Readonly<Record<string, string>> = {
  zsh: '--emulate',
  fish: '-C --init-command -d --debug -D -f --features -o --debug-output -p --profile --profile-startup',
  nu: '-e --execute --config --env-config -I --include-path -m --table-mode -t --threads --log-level',
};
/** Those of them whose value is run. */
const SCRIPTS: Readonly<Record<string, string>> = { fish: '-C --init-command', nu: '-e --execute' };

function isOneOf(flags: Readonly<Record<string, string>>, shell: string, flag: string): boolean {
  return Object.hasOwn(flags, shell) && flags[shell]?.split(' ').includes(flag) === true;
}

function shellArguments({ args, command }: Call): ShellArguments {
  const shell = command.name ?? '';
  const before: Arg[] = [];
  let inline = false;
  let fromInput = false;
  let interactive = false;
  let login = false;
  let onlyParses = false;
  let startup: Arg | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const written = knownText(args[at]?.word ?? []) ?? leadingText(args[at]?.word ?? []);
    const text = LONG_WITH_ONE_DASH.test(written) ? `-${written}` : written;
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (text === '+') continue;
    if (!/^[-+]./.test(text)) break;
    const [name = ''] = text.split('=', 1);
    const isScript = isOneOf(SCRIPTS, shell, name);
    if (isScript && name !== text) before.push(behindEquals(args[at]));
    if (isOneOf(VALUES, shell, text)) {
      const value = args[++at];
      if (isScript && value !== undefined) before.push(value);
      continue;
    }
    if (text.startsWith('--')) {
      if (text === '--rcfile' || text === '--init-file') startup = args[++at];
      else if (text === '--login') login = true;
      else if (text === '--command' || text === '--commands') inline = true;
      else if (text.startsWith('--command=')) {
        const script = [behindEquals(args[at]), ...args.slice(at + 1)];
        return {
          inline: true,
          fromInput: false,
          interactive,
          login,
          onlyParses,
          before,
          startup,
          rest: script,
        };
      }
      continue;
    }
    inline ||= text.startsWith('-') && text.includes('c');
    fromInput ||= text.startsWith('-') && text.includes('s');
    interactive ||= text.startsWith('-') && text.includes('i');
    login ||= text.startsWith('-') && text.includes('l');
    const isNoexec = /[oO]$/.test(text) && knownText(args[++at]?.word ?? []) === 'noexec';
    if (text.includes('n') || isNoexec) onlyParses = text.startsWith('-') && !RUNS_WITH_N.includes(shell);
  }
  const rest = args.slice(at);
  return { inline, fromInput: fromInput && !inline, interactive, login, onlyParses, before, startup, rest };
}

/** What stands behind the equals sign. */
function behindEquals(arg: Arg | undefined): Arg {
  const word = arg?.word ?? EMPTY_WORD;
  const lead = leadingText(word);
  const value = joinWords(textWord(lead.slice(lead.indexOf('=') + 1)), word.slice(1));
  return { word: value, span: arg?.span ?? { start: 0, end: 0 }, at: undefined };
}

/** What a shell runs by itself: a file when it starts, a command before each prompt. */
function runStartup(call: Call, interactive: boolean, walker: Walker): void {
  const file = interactive ? 'ENV' : 'BASH_ENV';
  for (const { name, value } of call.command.assignments) {
    const script = { word: value, span: call.span, at: undefined };
    if (/^PS[0124]$/.test(name)) expandAgain(script, innerPlace(call), walker);
    if (name.startsWith('BASH_FUNC_'))
      walker.gap('unknown_script', call.span, `Cannot read the function in the variable "${name}"`);
    if (name === file && value.length > 0) runShellFile(call, script, [], walker);
    if (name !== 'PROMPT_COMMAND' || !interactive) continue;
    const via: Place['via'] = [...call.place.via, { kind: 'configuration', name }];
    const place = { ...innerPlace(withoutInput(call)), via };
    runShellText(call, script, place, 'the command before a prompt', walker);
  }
}

const HOME_FILES = '.profile .bash_profile .bash_login .bashrc .zshenv .zprofile .zshrc'.split(' ');

/** What the script itself has written into the files that a shell reads when it starts. */
function runHomeFiles(call: Call, walker: Walker): void {
  const given = call.command.assignments.findLast(({ name }) => name === 'HOME')?.value;
  const home = given ?? textWord(walker.context.home ?? '~');
  for (const name of HOME_FILES) {
    const path = joinWords(home, textWord(`/${name}`));
    if (walker.fileAt(call, path) !== undefined)
      runShellFile(call, { word: path, span: call.span, at: undefined }, [], walker);
  }
}

/** A file given to a shell: what the script itself wrote there, or what `<( )` prints, is read. */
function runShellFile(call: Call, file: Arg, rest: readonly Arg[], walker: Walker): Word | undefined {
  walker.path(call.command, 'execute', file.word, { span: file.span });
  const [only] = file.word;
  const substituted = only !== undefined && file.word.length === 1 ? walker.contents.get(only) : undefined;
  const content = substituted ?? walker.fileAt(call, file.word);
  if (content === undefined) return undefined;
  call.command.wrapper = true;
  const place = shellPlace(call, rest, file.word);
  return runFileText(call, file, content, place, 'the file that a shell runs', walker);
}

/** The same command when its input has been used up. */
function withoutInput(call: Call): Call {
  return { ...call, place: { ...call.place, input: undefined } };
}

/** Runs a script in a shell of its own; `zero` is what it is called there. */
function run(
  call: Call,
  script: Arg,
  positional: readonly Arg[],
  what: string,
  walker: Walker,
  zero?: Word,
): Word {
  call.command.wrapper = true;
  return runShellText(call, script, shellPlace(call, positional, zero), what, walker);
}

/** A shell of its own with its arguments; `zero` is what it is called. */
function shellPlace(call: Call, positional: readonly Arg[], zero?: Word): Place {
  const place = innerPlace(call);
  setLocal(place.scope, '0', single(zero ?? textWord(call.command.name ?? 'sh')));
  place.scope.positional = positional.map((arg) => arg.word);
  for (const { name, value } of call.place.environment) setLocal(place.scope, name, single(value, true));
  return place;
}

function innerPlace(call: Call): Place {
  return { ...placeInside(call, { kind: 'shell', name: call.command.name ?? 'sh' }), calls: [] };
}

const SHELLS = 'sh bash dash ash zsh ksh mksh rbash yash posh fish csh tcsh elvish nu xonsh'.split(' ');

/** Readers of the shells, and of what starts one for another user. */
export const SHELL_READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(SHELLS.map((name) => [name, readShell])),
  su: readSwitchUser,
  runuser: readSwitchUser,
};
