import { causeOf } from '../../../hook/failure.ts';
import type { HookOptions } from '../../../hook/hook-options.ts';
import { refuseUnknownHost } from '../../../hook/recognise-host.ts';
import { runHook } from '../../../hook/run-hook.ts';
import {
  type Arguments,
  type OptionSpec,
  optionValue,
  optionValues,
  type ParsedArguments,
  parseArguments,
} from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE, type Io } from '../io.ts';

const OPTIONS: readonly OptionSpec[] = [
  {
    name: 'host',
    value: 'NAME',
    summary: 'The agent that runs the hook; by default, recognised by its message',
  },
  {
    name: 'host-version',
    value: 'V',
    summary: "The agent's version or generation, if messages do not reveal it",
  },
  {
    name: 'policies',
    value: 'PATH',
    repeatable: true,
    summary: 'Load exactly these policies: a file, a folder or builtin:NAME',
  },
  { name: 'workspace', value: 'DIR', summary: "The session's directory, for agents that do not send it" },
  { name: 'interactive', summary: 'The agent can ask a person' },
  {
    name: 'keep-yes',
    summary: 'Claude Code: an approved command stays so until the session ends, in auto mode too',
  },
  {
    name: 'approve-with',
    value: 'MEANS',
    summary: 'Who answers action: ask: "terminal" for policy allow, or the absolute path of a program',
  },
  { name: 'host-timeout', value: 'S', summary: 'How long the agent waits; the hook uses four fifths of it' },
  { name: 'no-log', summary: 'Write no decision log' },
  {
    name: 'log-days',
    value: 'N',
    summary: 'Delete logged decisions after N days; the log never keeps more than the newest 64 MiB',
  },
  { name: 'no-command', summary: 'Leave commands out of the decision log' },
  { name: 'log-input', summary: "Keep the agent's messages in the decision log, redacted, for policy diff" },
];
/** Some of the hook's options, for commands that judge in the same way. */
export function hookOptionsNamed(names: readonly string[]): readonly OptionSpec[] {
  return OPTIONS.filter(({ name }) => names.includes(name));
}

/** For a person who types the command that agents start. */
const WAITS =
  "policy hook: waiting for an agent's event on standard input; Ctrl-D ends it\n" +
  "To see how a call is judged: policy explain --command 'git push origin main'\n";
const NO_ARGUMENTS: ParsedArguments = {
  switches: new Set(),
  values: new Map(),
  operands: [],
  problem: undefined,
};
/** Longer than the timeout of any host. */
const MAX_TIMEOUT_S = 3600;
const MAX_LOG_DAYS = 36_500;

export const hook = {
  options: OPTIONS,
  details: [
    "Reads the agent's events from standard input and answers in the agent's own format and with its exit codes. Every\nerror, even in the options, becomes the refusal that prevents the effect.",
    'Without --policies, POLICY_PATH names what to load. Without that, the hook loads the layers: organisation, user, and\nthe .policy folders from the session directory up to the root of the outermost repository.',
  ],
  example: [
    '$ cat event.json',
    '{"hook_event_name":"BeforeTool","session_id":"s1","transcript_path":"","cwd":"/project","timestamp":"2026-11-20T09:38:00Z","tool_name":"run_shell_command","tool_input":{"command":"git push origin main"}}',
    '$ policy hook --host gemini --policies .policy < event.json',
    '{"decision":"deny","reason":"Refused by first/main-by-pull-request: changes reach the main branch by pull requests. Instead: push a branch of your own and open a pull request."}',
  ],
  run: (args, io) => runHook(hookOptions(args, undefined), io),
} satisfies Command;

/** Starts the hook from its command line, without loading anything else. */
export async function startHook(args: readonly string[], io: Io): Promise<number> {
  try {
    const options = optionsIn(args);
    if (options.problem !== undefined && io.stdin.isTTY) {
      io.stderr.write(`policy hook: ${options.problem}\nTry policy hook --help\n`);
      return EXIT_CODE.usage;
    }
    if (io.stdin.isTTY) io.stderr.write(WAITS);
    return await runHook(options, io);
  } catch (error) {
    // A defect before the host is known. A process that ends with a stack lets calls through.
    const { stdout, stderr, exitCode } = refuseUnknownHost(causeOf(error));
    io.stdout.write(stdout);
    io.stderr.write(stderr);
    return exitCode;
  }
}

/** Reads the words after `policy hook`, or says why they cannot be used. */
export function optionsIn(args: readonly string[]): HookOptions {
  // The usual form of most agents, without a parser.
  const [option, host = '', ...others] = args;
  const isUsual = option === '--host' && others.length === 0 && host !== '' && !host.startsWith('-');
  const parsed = isUsual
    ? { ...NO_ARGUMENTS, values: new Map([['host', [host]]]) }
    : parseArguments(args, OPTIONS);
  const [operand] = parsed.operands;
  return hookOptions(
    parsed,
    parsed.problem?.message ?? (operand === undefined ? undefined : operandProblem(operand)),
  );
}

/** Reads the options of the hook, or says why they cannot be used. */
export function hookOptions(args: Arguments, problem: string | undefined): HookOptions {
  const timeout = optionValue(args, 'host-timeout');
  const badTimeout = timeout === undefined ? undefined : timeoutProblem(timeout);
  const days = optionValue(args, 'log-days');
  const badDays = days === undefined ? undefined : daysProblem(days);
  const approveWith = optionValue(args, 'approve-with');
  return {
    host: optionValue(args, 'host'),
    hostVersion: optionValue(args, 'host-version'),
    policies: optionValues(args, 'policies'),
    workspace: optionValue(args, 'workspace'),
    interactive: args.switches.has('interactive'),
    keepYes: args.switches.has('keep-yes'),
    hostTimeoutS: timeout === undefined || badTimeout !== undefined ? undefined : Number(timeout),
    approveWith,
    log: !args.switches.has('no-log'),
    logCommand: !args.switches.has('no-command'),
    logInput: args.switches.has('log-input'),
    logDays: days === undefined || badDays !== undefined ? undefined : Number(days),
    problem:
      problem ?? badTimeout ?? badDays ?? (approveWith === undefined ? undefined : meansProblem(approveWith)),
  };
}

function meansProblem(means: string): string | undefined {
  if (means === 'terminal' || means.startsWith('/')) return undefined;
  return `Cannot use --approve-with "${means}": give it terminal, or the absolute path of a program`;
}

function operandProblem(operand: string): string {
  return `Cannot use "${operand}": "policy hook" takes options only`;
}

function daysProblem(text: string): string | undefined {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LOG_DAYS) return undefined;
  return `Cannot use --log-days "${text}": give a whole number of days from 1 to ${MAX_LOG_DAYS}`;
}

function timeoutProblem(text: string): string | undefined {
  if (Number(text) > 0 && Number(text) <= MAX_TIMEOUT_S) return undefined;
  return `Cannot use --host-timeout "${text}": give a number of seconds from more than 0 to ${MAX_TIMEOUT_S}`;
}
