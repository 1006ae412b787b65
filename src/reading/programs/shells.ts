import { valueAsArgument } from '../arguments.ts';
import { fileContent, newScope, setLocal, single } from '../scope.ts';
import { runShellText } from '../shell-text.ts';
import type { Arg, Call, Place, ProgramReader, Walker } from '../walker.ts';
import { knownText, leadingText, type Word } from '../word.ts';

interface ShellArguments {
  /** True for `-c`. */
  readonly inline: boolean;
  /** True for `-s`. */
  readonly fromInput: boolean;
  /** The arguments after the options. */
  readonly rest: readonly Arg[];
}

/** sh, bash, zsh and the like: `-c`, a file, or standard input. */
const readShell: ProgramReader = (call, walker) => {
  const { inline, fromInput, rest } = shellArguments(call.args);
  const [first] = rest;
  if (inline)
    return first === undefined
      ? undefined
      : run(call, first, rest.slice(2), 'the script of a shell', walker, rest[1]?.word);
  const file = fromInput || knownText(first?.word ?? []) === '/dev/stdin' ? undefined : first;
  if (file !== undefined) return runShellFile(call, file, rest.slice(1), walker);
  const input = call.place.input;
  if (input === undefined) return undefined;
  const script = { word: input, span: call.span, at: undefined };
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
  const script = input === undefined ? undefined : { word: input, span: call.span, at: undefined };
  return script === undefined
    ? undefined
    : run(withoutInput(privileged), script, [], 'what su reads as its input', walker);
};

function shellArguments(args: readonly Arg[]): ShellArguments {
  let inline = false;
  let fromInput = false;
  let at = 0;
  for (; at < args.length; at++) {
    const text = knownText(args[at]?.word ?? []) ?? leadingText(args[at]?.word ?? []);
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (text.startsWith('--')) {
      if (text === '--rcfile' || text === '--init-file') at++;
      else if (text === '--command') inline = true;
      continue;
    }
    inline ||= text.startsWith('-') && text.includes('c');
    fromInput ||= text.startsWith('-') && text.includes('s');
    if (/[oO]$/.test(text)) at++;
  }
  return { inline, fromInput: fromInput && !inline, rest: args.slice(at) };
}

/** A file given to a shell: what the script itself wrote there, or what `<( )` prints, is read. */
function runShellFile(call: Call, file: Arg, rest: readonly Arg[], walker: Walker): Word | undefined {
  walker.path(call.command, 'execute', file.word, { span: file.span });
  const [only] = file.word;
  const substituted = only !== undefined && file.word.length === 1 ? walker.contents.get(only) : undefined;
  const content = substituted ?? fileContent(call.place.scope, walker.resolve(file.word, call.command));
  if (content === undefined) return undefined;
  return run(
    call,
    { word: content, span: file.span, at: undefined },
    rest,
    'the file that a shell runs',
    walker,
  );
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
  const place = innerPlace(call);
  if (zero !== undefined) setLocal(place.scope, '0', single(zero));
  place.scope.positional = positional.map((arg) => arg.word);
  for (const { name, value } of call.place.environment) setLocal(place.scope, name, single(value, true));
  return runShellText(call, script, place, what, walker);
}

function innerPlace(call: Call): Place {
  const { place, command, index } = call;
  return {
    ...place,
    scope: newScope('process', place.scope),
    via: [...place.via, { kind: 'shell', name: command.name ?? 'sh' }],
    parent: index,
    calls: [],
  };
}

const SHELLS = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'fish', 'csh', 'tcsh'];

/** Readers of the shells, and of what starts one for another user. */
export const SHELL_READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(SHELLS.map((name) => [name, readShell])),
  su: readSwitchUser,
  runuser: readSwitchUser,
};
