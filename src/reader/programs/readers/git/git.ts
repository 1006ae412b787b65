import { own } from '../../../../lib/json.ts';
import { pathAnchor, REPOSITORY_ROOT, resolvePath } from '../../../reading/path.ts';
import { readRemotePath } from '../../../reading/url.ts';
import {
  isSameWord,
  joinList,
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  textWord,
  type Word,
  wordFrom,
} from '../../../reading/word.ts';
import { addPlace } from '../../../shell/run/network-effects.ts';
import type { Call, CommandBuilder, ProgramReader } from '../../../shell/scope/interpreter.ts';
import { cwdOf, newScope } from '../../../shell/scope/scope.ts';
import { flagValue, hasFlag } from '../../interpret/flags.ts';
import { runInner } from '../../interpret/run-inner.ts';
import { programRow } from '../../spec/rows.ts';
import { applyDiff } from '../patches.ts';
import { CHANGES, SHOWS } from './effects.ts';
import { isSavedBefore } from './saved.ts';
import {
  firstOperand,
  keepSetting,
  runNestedCommand,
  runSetting,
  runSettings,
  type Setting,
  settingsOf,
} from './settings.ts';

/** git: the folder that it runs in, the commands that its settings make it run, the effects of its subcommand. */
const git: ProgramReader = (call) => {
  const moved = inDirectory(call);
  const settings = settingsOf(moved);
  const subcommand = knownText(moved.parsed.operands[0]?.word ?? []) ?? '';
  const alias = settings.findLast(({ key }) => key === `alias.${subcommand}`.toLowerCase());
  if (alias !== undefined && own(programRow('git')?.subcommands ?? {}, subcommand) === undefined)
    runAlias(moved, alias.value);
  runSettings(moved, settings);
  for (const { key, value } of settings) addSettingPlace(moved, key, value);
  own(ACTS, subcommand)?.(moved, settings, call);
  const addEffects = own(SHOWS, subcommand) ?? own(CHANGES, subcommand);
  if (addEffects !== undefined && !hasFlag(moved.parsed, '--help'))
    addEffects(moved, moved.parsed.operands.slice(1));
  if (OVERWRITES.has(subcommand) && isSavedBefore(moved, subcommand)) call.command.idle = true;
  return subcommand === 'rev-parse' ? repositoryRoot(moved) : undefined;
};

/** The effects that this reader adds to the row of a subcommand: none, that it reads files among the words, or any. */
export function subcommandCode(name: string): 'nothing' | 'shows' | 'acts' {
  if (Object.hasOwn(SHOWS, name)) return 'shows';
  return [ACTS, CHANGES].some((table) => Object.hasOwn(table, name)) || OVERWRITES.has(name)
    ? 'acts'
    : 'nothing';
}

/** @param outside the call where it is, though it runs in another folder */
type Act = (call: Call, settings: readonly Setting[], outside: Call) => void;

/** Subcommands that do more than to show or change files. */
export const ACTS: Readonly<Record<string, Act>> = {
  config: (call, _, outside) => {
    const [value, key] = call.parsed.operands.slice(-2).reverse();
    if (hasFlag(call.parsed, '-e', '--edit'))
      call.interpreter.path(call.command, 'write', settingsFile(call.parsed), { span: call.span });
    if (key === undefined || value === undefined) return;
    const name = (knownText(key.word) ?? '').toLowerCase();
    addSettingPlace(call, name, value.word);
    keepSetting(outside, name, value.word);
    runSetting(call, { key: name, value: value.word, name: 'git config' });
  },
  gc: (call, settings) => {
    if (settings.some(prunesAtOnce)) addPrune(call);
  },
  worktree: (call) => {
    if (isOwnWorktree(call)) call.command.idle = true;
  },
  bisect: runNestedCommand,
  submodule: runNestedCommand,
  'for-each-repo': runNestedCommand,
  apply: applyDiff,
  am: applyDiff,
};

/** The file that `git config --edit` opens in an editor. */
function settingsFile(parsed: Call['parsed']): Word {
  if (hasFlag(parsed, '--global')) return joinWords(outsideVariable('HOME', '~'), textWord('/.gitconfig'));
  return (
    flagValue(parsed, '-f', '--file') ??
    textWord(hasFlag(parsed, '--system') ? '/etc/gitconfig' : '.git/config')
  );
}

/** Subcommands that overwrite uncommitted changes. */
const OVERWRITES: ReadonlySet<string> = new Set(['checkout', 'restore', 'reset', 'switch']);

/** `git -c alias.x='!command' x`, `git -c alias.x='push -f' x`. */
function runAlias(call: Call, value: Word): void {
  const isShell = leadingText(value).startsWith('!');
  const text = isShell ? wordFrom(value, 1) : joinWords(textWord('git '), value);
  const rest = call.args.slice(firstOperand(call) + 1).map(({ word }) => word);
  runInner(call, joinList([text, ...rest]), call.span);
}

/** Settings whose value is the place that git goes to instead, or by way of; and those with a place of this kind in their key. */
const PLACE_KEY = /^(?:http\.(?:.*\.)?proxy|remote\..*\.(?:push)?url)$/;
const PLACE_IN_KEY = /^url\.(.*)\.(?:push)?insteadof$/;

function addSettingPlace({ command, span }: Call, key: string, value: Word): void {
  const base = PLACE_IN_KEY.exec(key)?.[1];
  const isProxy = key.endsWith('proxy');
  const place = base === undefined ? value : textWord(base);
  if (base === undefined && !PLACE_KEY.test(key)) return;
  if (isProxy ? place.length > 0 : readRemotePath(place) !== undefined || leadingText(place) === '')
    addPlace(command, 'connect', place, isProxy ? 'http' : 'ssh', span);
}

/** `git -c gc.pruneExpire=now gc`: as good as `--prune`. */
function prunesAtOnce({ key, value }: Setting): boolean {
  const isLimit = /^gc\.(?:pruneexpire|reflogexpire|reflogexpireunreachable)$/.test(key);
  return isLimit && /^(?:now|all|0|never$|[01]\.(?:second|minute))/i.test(leadingText(value));
}

function addPrune(call: Call): void {
  const { command } = call;
  const prune = { name: '--prune', written: '--prune', value: undefined, arg: firstOperand(call) };
  command.flags = [...command.flags, prune];
}
/** `git rev-parse --show-toplevel` where the repository is the one that the agent works in. */
function repositoryRoot({ parsed, frame, interpreter }: Call): Word | undefined {
  const asked = parsed.flags.filter(({ arg }) => arg >= (parsed.operands[0]?.arg ?? 0));
  if (parsed.operands.length !== 1 || asked.length !== 1 || asked[0]?.name !== '--show-toplevel')
    return undefined;
  const cwd = cwdOf(frame.scope);
  const start = interpreter.context.cwd;
  const isHere =
    start === undefined
      ? pathAnchor(cwd) === 'start' && !leadingText(cwd).startsWith('..')
      : knownText(cwd) === start || leadingText(cwd).startsWith(`${start}/`);
  return isHere || isInRepository(cwd) ? outsideVariable(REPOSITORY_ROOT) : undefined;
}

function isInRepository([first]: Word): boolean {
  return first?.type === 'unknown' && first.variable === REPOSITORY_ROOT;
}

/** `-C dir`: the command runs there. */
function inDirectory(call: Call): Call {
  const directories = call.parsed.flags.filter((flag) => flag.name === '-C' && flag.arg < firstOperand(call));
  if (directories.length === 0) return call;
  const scope = newScope('subshell', call.frame.scope);
  for (const { value } of directories) {
    if (value !== undefined)
      scope.cwd = resolvePath(value, { cwd: cwdOf(scope), home: call.interpreter.context.home });
  }
  call.command.cwd = cwdOf(scope);
  call.command.effects = call.command.effects.map((effect) =>
    effect.type === 'path'
      ? { ...effect, path: call.interpreter.resolve(effect.written, call.command) }
      : effect,
  );
  return { ...call, frame: { ...call.frame, scope } };
}

export const GIT_READERS: Readonly<Record<string, ProgramReader>> = { git };

/** How far back a worktree is looked for that the script itself has made. */
const LOOKS_BACK = 256;

/** True if it removes a worktree that the same script has added. Nobody else has worked in that one. */
export function isOwnWorktree(call: Call): boolean {
  const { command, index, parsed, interpreter } = call;
  const [, verb, operand] = parsed.operands;
  if (knownText(verb?.word ?? []) !== 'remove' || operand === undefined) return false;
  const path = interpreter.resolve(operand.word, command);
  return interpreter.commands
    .slice(Math.max(0, index - LOOKS_BACK), index)
    .some(
      (other) => addsWorktree(other) && other.remote === command.remote && isSameWord(added(other), path),
    );

  function added(other: CommandBuilder) {
    return interpreter.resolve(other.operands[2] ?? [], other);
  }
}

function addsWorktree({ name, operands, flags }: CommandBuilder): boolean {
  const [first, second] = operands.map((word) => knownText(word));
  // With force it may take the place of one that was there.
  const isForced = flags.some(({ name: flag }) => flag === '-f' || flag === '--force');
  return name === 'git' && first === 'worktree' && second === 'add' && operands.length > 2 && !isForced;
}
