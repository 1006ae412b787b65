import { joinList, knownText, leadingText, type Word, wordFrom } from '../../../reading/word.ts';
import { runShellText } from '../../../shell/run/shell-text.ts';
import type { Call } from '../../../shell/scope/interpreter.ts';
import { frameInside, runInner } from '../../interpret/run-inner.ts';
import type { Setting } from './settings.ts';

/** Configuration keys (and the ends of keys with a name in the middle) whose value is a command. */
const COMMAND_KEY =
  /^(?:core\.(?:sshcommand|gitproxy|askpass|fsmonitor|pager|editor)|pager\..+|sequence\.editor|credential\.(?:.+\.)?helper|remote\..+\.(?:uploadpack|receivepack|vcs)|diff\.(?:external|.+\.(?:command|textconv))|interactive\.difffilter|filter\..+\.(?:clean|smudge|process)|merge\..+\.driver|(?:difftool|mergetool|browser|man)\..+\.(?:cmd|path)|gpg\.(?:.+\.)?program|uploadpack\.packobjectshook|sendemail\..*(?:smtpserver|tocmd|cccmd))$/;

/** Environment variables whose value is a command. */
const COMMAND_VARIABLE =
  /^(?:GIT_SSH_COMMAND|GIT_SSH|GIT_PROXY_COMMAND|GIT_ASKPASS|SSH_ASKPASS|(?:GIT_)?PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|VISUAL|EDITOR|GIT_EXTERNAL_DIFF)$/;

/** Keys and variables whose value is a folder of commands. */
const HOOKS = /^(?:core\.hookspath|init\.templatedir|GIT_TEMPLATE_DIR|GIT_EXEC_PATH)$/;

/** Commands that settings and the environment may make git run. */
export function runConfigured(call: Call, settings: readonly Setting[]): void {
  for (const { key, value, name } of settings)
    if (HOOKS.test(key) || COMMAND_KEY.test(key)) runNamed(call, value, key, name);
  for (const { name, value } of call.command.assignments)
    if (HOOKS.test(name) || COMMAND_VARIABLE.test(name)) runNamed(call, value, name, name);
}

function runNamed(call: Call, value: Word, key: string, name: string): void {
  if (HOOKS.test(key)) {
    call.interpreter.path(call.command, 'execute', value, { recursive: true });
    return;
  }
  const known = knownText(value);
  if (known === '' || known === 'true' || known === 'false') return;
  // A credential helper without a slash or `!` is `git credential-NAME`.
  const word = leadingText(value).startsWith('!') ? wordFrom(value, 1) : value;
  const frame = { ...frameInside(call, { kind: 'configuration', name }), input: undefined };
  const script = { word, span: call.span };
  runShellText(call, script, frame, `the command in ${name}`);
}

/** `git bisect run command`, `git submodule foreach script`; of `git for-each-repo` nobody can tell. */
export function runGiven(call: Call): void {
  const [subcommand, nested, first] = call.parsed.operands;
  if (knownText(subcommand?.word ?? []) === 'for-each-repo')
    call.interpreter.gap('unknown_script', call.span, 'Cannot tell what git runs in each repository');
  if (first === undefined) return;
  const name = `${knownText(subcommand?.word ?? []) ?? ''} ${knownText(nested?.word ?? []) ?? ''}`;
  const rest = call.args.slice(first.arg);
  if (name === 'bisect run')
    call.interpreter.runCommand(rest, frameInside(call, { kind: 'wrapper', name: `git ${name}` }));
  if (name === 'submodule foreach')
    runInner(call, joinList(rest.map(({ word }) => word)), rest[0]?.span ?? call.span);
}
