import { flagValue, hasFlag } from '../arguments.ts';
import {
  GIT_COMMAND_KEYS,
  GIT_COMMAND_VARIABLES,
  GIT_OCCASIONS,
  type GitOccasion,
} from '../knowledge/git-configuration.ts';
import { GIT } from '../knowledge/git-program.ts';
import { resolvePath } from '../path.ts';
import type { Span, Via } from '../reading.ts';
import { cwdOf, newScope, setVariable, single, variableOf } from '../scope.ts';
import { runShellText } from '../shell-text.ts';
import { readRemotePath, readUrl } from '../url.ts';
import type { Arg, Call, Operand, Place, ProgramReader, Walker } from '../walker.ts';
import { joinWords, knownText, leadingText, textWord, type Word } from '../word.ts';
import { spaced } from './wrappers.ts';

/** One setting given on the command line or in the environment. */
interface Setting {
  readonly key: string;
  readonly value: Word;
  /** The flag or variable it came in. */
  readonly name: string;
}

/** git: where it runs, what its configuration makes it run, what its subcommand does. */
export const git: ProgramReader = (call, walker) => {
  const moved = inDirectory(call, walker);
  const settings = settingsOf(moved);
  const subcommand = knownText(moved.parsed.operands[0]?.word ?? []) ?? '';
  if (runAlias(moved, subcommand, settings, walker)) return undefined;
  runConfigured(moved, subcommand, settings, walker);
  runGiven(moved, subcommand, walker);
  addEffects(moved, subcommand, walker);
  return undefined;
};

/** `-C dir`: the command runs there. */
function inDirectory(call: Call, walker: Walker): Call {
  const directories = call.parsed.flags.filter((flag) => flag.name === '-C' && flag.arg < firstOperand(call));
  if (directories.length === 0) return call;
  const scope = newScope('subshell', call.place.scope);
  for (const { value } of directories) {
    if (value !== undefined) scope.cwd = resolvePath(value, { cwd: cwdOf(scope), home: walker.context.home });
  }
  call.command.cwd = cwdOf(scope);
  call.command.effects = call.command.effects.map((effect) =>
    effect.type === 'path' ? { ...effect, path: walker.resolve(effect.written, call.command) } : effect,
  );
  return { ...call, place: { ...call.place, scope } };
}

function firstOperand(call: Call): number {
  return call.parsed.operands[0]?.arg ?? call.args.length;
}

/** Settings in force: `-c`, `--config-env`, GIT_CONFIG_COUNT, GIT_CONFIG_PARAMETERS, earlier `git config`. */
function settingsOf(call: Call): readonly Setting[] {
  const found: Setting[] = [];
  const { assignments } = call.command;
  const assigned = (name: string) => assignments.findLast((assignment) => assignment.name === name)?.value;
  for (const { name, value, arg } of call.parsed.flags) {
    if (value === undefined) continue;
    const inClone = name === '-c' || name === '--config';
    if ((name === '-c' && arg < firstOperand(call)) || (inClone && isSubcommand(call, 'clone')))
      found.push(setting(value, '-c'));
    if (name !== '--config-env') continue;
    const { key, value: variable } = setting(value, name);
    found.push({ key, value: assigned(knownText(variable) ?? '') ?? variable, name });
  }
  for (const { name, value } of assignments) {
    const index = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    const key = knownText(value)?.toLowerCase();
    if (index !== undefined && key !== undefined)
      found.push({ key, value: assigned(`GIT_CONFIG_VALUE_${index}`) ?? [], name });
    if (name !== 'GIT_CONFIG_PARAMETERS') continue;
    for (const match of (knownText(value) ?? '').matchAll(/'([^'=]+)'?='?([^']*)'/g)) {
      found.push({ key: (match[1] ?? '').toLowerCase(), value: textWord(match[2] ?? ''), name });
    }
  }
  return found;
}

function setting(word: Word, name: string): Setting {
  const lead = leadingText(word);
  const equals = lead.indexOf('=');
  if (equals < 0) return { key: lead.toLowerCase(), value: textWord('true'), name };
  return {
    key: lead.slice(0, equals).toLowerCase(),
    value: joinWords(textWord(lead.slice(equals + 1)), word.slice(1)),
    name,
  };
}

function isSubcommand(call: Call, name: string): boolean {
  return knownText(call.parsed.operands[0]?.word ?? []) === name;
}

/** The variable under which an alias that the script configures is remembered. */
function aliasVariable(name: string): string {
  return `git alias ${name}`;
}

/** `git x` where x is an alias that is seen: the alias is read in its place. */
function runAlias(call: Call, subcommand: string, settings: readonly Setting[], walker: Walker): boolean {
  const remembered = variableOf(call.place.scope, aliasVariable(subcommand))?.values[0];
  const configured = settings.findLast(({ key }) => key === `alias.${subcommand}`.toLowerCase());
  const value = configured?.value ?? remembered;
  if (value === undefined || subcommand === '' || GIT.subcommands?.[subcommand] !== undefined) return false;
  const via: readonly Via[] = [...call.place.via, { kind: 'alias', name: `git ${subcommand}` }];
  if (call.place.via.some((step) => step.kind === 'alias' && step.name === `git ${subcommand}`)) return true;
  const place: Place = { ...call.place, via, parent: call.index };
  const rest = call.args.slice(firstOperand(call) + 1);
  call.command.wrapper = true;
  const lead = leadingText(value);
  const isShell = lead.startsWith('!');
  const text = isShell
    ? joinWords(textWord(lead.slice(1)), value.slice(1))
    : joinWords(textWord('git '), value);
  const script = [text, ...rest.map((arg) => quoted(arg.word))].reduce(spaced);
  runShellText(call, { word: script, span: call.span, at: undefined }, place, 'a git alias', walker);
  return true;
}

function quoted(word: Word): Word {
  const known = knownText(word);
  return known === undefined ? word : textWord(`'${known.replaceAll("'", "'\\''")}'`);
}

/** Commands that configuration and environment make git run. */
function runConfigured(call: Call, subcommand: string, settings: readonly Setting[], walker: Walker): void {
  for (const { key, value, name } of settings) {
    const occasion = GIT_COMMAND_KEYS.find(([pattern]) => pattern.test(key))?.[1];
    if (occasion !== undefined && occurs(occasion, subcommand, call))
      runNamed(call, value, name, occasion, walker);
  }
  for (const { name, value } of call.command.assignments) {
    const occasion = Object.hasOwn(GIT_COMMAND_VARIABLES, name) ? GIT_COMMAND_VARIABLES[name] : undefined;
    if (occasion !== undefined && occurs(occasion, subcommand, call))
      runNamed(call, value, name, occasion, walker);
  }
}

function occurs(occasion: GitOccasion, subcommand: string, call: Call): boolean {
  if (occasion === 'always' || occasion === 'hooks') return true;
  if (occasion === 'remote' && subcommand === 'archive') return hasFlag(call.parsed, '--remote');
  return (
    GIT_OCCASIONS[occasion].includes(subcommand) ||
    (occasion === 'pager' && hasFlag(call.parsed, '-p', '--paginate'))
  );
}

function runNamed(call: Call, value: Word, name: string, occasion: GitOccasion, walker: Walker): void {
  if (occasion === 'hooks') {
    walker.path(call.command, 'execute', value, { recursive: true });
    return;
  }
  const known = knownText(value);
  if (known === '' || known === 'true' || known === 'false') return;
  // A credential helper without a slash or `!` is `git credential-NAME`.
  const lead = leadingText(value);
  const word = lead.startsWith('!') ? joinWords(textWord(lead.slice(1)), value.slice(1)) : value;
  runText(call, word, name, call.span, walker);
}

function runText(call: Call, script: Word, name: string, span: Span, walker: Walker): void {
  const via: readonly Via[] = [...call.place.via, { kind: 'configuration', name }];
  const place: Place = {
    ...call.place,
    scope: newScope('process', call.place.scope),
    via,
    parent: call.index,
    input: undefined,
  };
  runShellText(call, { word: script, span, at: undefined }, place, `the command in ${name}`, walker);
}

/** Flags and operands of subcommands that are commands. */
function runGiven(call: Call, subcommand: string, walker: Walker): void {
  const { parsed, args } = call;
  const first = firstOperand(call);
  for (const { name, value, arg } of parsed.flags) {
    if (value === undefined || arg < first || !isCommandFlag(subcommand, name)) continue;
    runText(call, value, name, args[arg]?.span ?? call.span, walker);
  }
  const nested = knownText(parsed.operands[1]?.word ?? []);
  const start = parsed.operands[2]?.arg;
  if (start === undefined) return;
  const rest = args.slice(start);
  if (subcommand === 'bisect' && nested === 'run') runArgs(call, rest, 'bisect run', walker);
  if (subcommand !== 'submodule' || nested !== 'foreach') return;
  const words = rest.map((arg) => arg.word);
  runText(call, words.reduce(spaced), 'submodule foreach', rest[0]?.span ?? call.span, walker);
}

function runArgs(call: Call, rest: readonly Arg[], name: string, walker: Walker): void {
  const via: readonly Via[] = [...call.place.via, { kind: 'wrapper', name: `git ${name}` }];
  walker.runCommand(rest, {
    ...call.place,
    scope: newScope('process', call.place.scope),
    via,
    parent: call.index,
  });
}

function isCommandFlag(subcommand: string, name: string): boolean {
  if (name === '--upload-pack' || name === '--receive-pack') return true;
  switch (subcommand) {
    case 'rebase':
      return name === '-x' || name === '--exec';
    case 'filter-branch':
      return name.endsWith('-filter') && name !== '--subdirectory-filter';
    case 'difftool':
      return name === '-x' || name === '--extcmd';
    case 'push':
    case 'ls-remote':
    case 'archive':
      return name === '--exec';
    case 'clone':
      return name === '-u';
    case 'grep':
      return name === '-O' || name === '--open-files-in-pager';
    default:
      return false;
  }
}

/** What subcommands do to files and which hosts they reach, as far as words say so. */
function addEffects(call: Call, subcommand: string, walker: Walker): void {
  const { parsed, command } = call;
  if (hasFlag(parsed, '--help')) return;
  const operands = parsed.operands.slice(1);
  const paths = (words: readonly Operand[], use: 'write' | 'delete', recursive: boolean) => {
    for (const { word, arg } of words)
      walker.path(command, use, word, { recursive, span: call.args[arg]?.span ?? call.span });
  };
  switch (subcommand) {
    case 'clean': {
      if (hasFlag(parsed, '-n', '--dry-run') || !hasFlag(parsed, '-f', '--force')) return;
      if (operands.length > 0) paths(operands, 'delete', hasFlag(parsed, '-d'));
      else walker.path(command, 'delete', textWord('.'), { recursive: hasFlag(parsed, '-d') });
      return;
    }
    case 'restore': {
      if (!hasFlag(parsed, '-S', '--staged') || hasFlag(parsed, '-W', '--worktree'))
        paths(operands, 'write', true);
      return;
    }
    case 'checkout': {
      paths(operandsAfterDashes(call), 'write', true);
      return;
    }
    case 'reset': {
      if (hasFlag(parsed, '--hard')) walker.path(command, 'write', textWord('.'), { recursive: true });
      return;
    }
    case 'clone': {
      addRemote(call, operands[0], walker);
      const target = operands[1]?.word ?? cloneTarget(operands[0]?.word);
      if (target !== undefined) walker.path(command, 'write', target, { recursive: true });
      return;
    }
    case 'remote': {
      if (parsed.subcommands > 1) addRemote(call, operands[2], walker);
      return;
    }
    case 'config':
      rememberAlias(call, operands);
      return;
    case 'fetch':
    case 'pull':
    case 'push':
    case 'ls-remote':
    case 'submodule':
      for (const operand of operands) addRemote(call, operand, walker);
      return;
    case 'archive': {
      const remote = flagValue(parsed, '--remote');
      if (remote !== undefined) addRemote(call, { word: remote, arg: 0 }, walker);
      return;
    }
    default:
      return;
  }
}

function operandsAfterDashes(call: Call): readonly Operand[] {
  const dashes = call.args.findIndex((arg) => knownText(arg.word) === '--');
  return dashes < 0 ? [] : call.parsed.operands.filter((operand) => operand.arg > dashes);
}

/** A URL or `host:path`; a remote's name says nothing about where it leads. `ext::` runs a command. */
function addRemote(call: Call, operand: Operand | undefined, walker: Walker): void {
  if (operand === undefined) return;
  const { word, arg } = operand;
  const lead = leadingText(word);
  const span = call.args[arg]?.span ?? call.span;
  if (lead.startsWith('ext::')) {
    // `% ` in it is a space.
    const script = joinWords(textWord(lead.slice(5).replaceAll('% ', ' ')), word.slice(1));
    runText(call, script, 'ext::', span, walker);
    return;
  }
  const isUrl = lead.includes('://');
  if (!isUrl && (!lead.includes(':') || lead.startsWith('+') || lead.startsWith(':'))) return;
  // `main:main` is a refspec, `host:path` a remote: a refspec only stands after one.
  const isFirst = call.parsed.operands[1]?.arg === arg || call.parsed.operands[2]?.arg === arg;
  if (!isUrl && (!isFirst || readRemotePath(word) === undefined)) return;
  if (
    !isUrl &&
    call.parsed.operands[1]?.arg !== arg &&
    !isSubcommand(call, 'remote') &&
    !isSubcommand(call, 'submodule')
  )
    return;
  const use = isSubcommand(call, 'push') ? 'upload' : 'download';
  call.command.effects.push({ type: 'network', use, target: word, scheme: 'ssh', span });
}

/** The folder that a clone makes: the last name of the URL. */
function cloneTarget(url: Word | undefined): Word | undefined {
  if (url === undefined) return undefined;
  const path = knownText((readUrl(url) ?? readRemotePath(url))?.path ?? url) ?? knownText(url);
  const name = path
    ?.replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1);
  return name === undefined || name === '' ? undefined : textWord(name);
}

/** `git config alias.x '!cmd'`: later `git x` in the same script is read. */
function rememberAlias(call: Call, operands: readonly Operand[]): void {
  const [first, second, third] = operands.map(({ word }) => word);
  const isVerb = knownText(first ?? []) === 'set';
  const key = knownText((isVerb ? second : first) ?? [])?.toLowerCase();
  const value = isVerb ? third : second;
  if (key?.startsWith('alias.') !== true || value === undefined) return;
  setVariable(call.place.scope, aliasVariable(key.slice(6)), single(value, true));
}
