import { flagValue, hasFlag } from '../arguments.ts';
import { setVariable, single } from '../scope.ts';
import { trimEnd } from '../trim-end.ts';
import { readRemotePath, readUrl } from '../url.ts';
import type { Call, Operand, Walker } from '../walker.ts';
import { joinWords, knownText, leadingText, textWord, type Word } from '../word.ts';
import { runText } from './git-commands.ts';
import { aliasVariable, isSubcommand } from './git-settings.ts';

/** What subcommands do to files and which hosts they reach, as far as words say so. */
export function addEffects(call: Call, subcommand: string, walker: Walker): void {
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
    case 'send-pack':
    case 'ls-remote':
    case 'submodule':
      for (const operand of operands) addRemote(call, operand, walker);
      return;
    case 'show':
    case 'cat-file':
      for (const operand of operands) addShown(call, operand, walker);
      if (showsPatch(call)) addPathspecs(call, operands, walker);
      return;
    case 'log':
      if (hasFlag(parsed, ...PATCH)) addPathspecs(call, operands, walker);
      return;
    case 'grep': {
      if (hasFlag(parsed, ...NO_LINES)) return;
      const given = hasFlag(parsed, '-e', '-f') || !standsBeforeDashes(call, operands[0]);
      addPathspecs(call, given ? operands : operands.slice(1), walker);
      return;
    }
    case 'blame':
    case 'annotate': {
      const [file] = operands.slice(-1);
      if (file !== undefined)
        walker.path(command, 'read', file.word, { span: call.args[file.arg]?.span ?? call.span });
      return;
    }
    case 'diff': {
      // Files outside the repository are compared without being asked to.
      const isOutside = operands.some(({ word }) => /^(?:\/|~|\.\.\/)/.test(leadingText(word)));
      if (!isOutside && !hasFlag(parsed, '--no-index')) {
        if (showsPatch(call)) addPathspecs(call, operands, walker);
        return;
      }
      for (const { word, arg } of operands)
        walker.path(command, 'read', word, { span: call.args[arg]?.span ?? call.span });
      return;
    }
    case 'archive': {
      const remote = flagValue(parsed, '--remote');
      if (remote !== undefined) addRemote(call, { word: remote, arg: 0 }, walker);
      return;
    }
    default:
      return;
  }
}

/** Flags with which a patch is shown, whatever else is. */
const PATCH = ['-p', '-u', '--patch', '-U', '--unified', '-L', '-W', '-c', '--cc', '--patch-with-stat'];
/** Flags with which it is only said which files have changed, or how much. */
const NO_PATCH =
  '--stat --numstat --shortstat --dirstat --summary --name-only --name-status --no-patch -s --quiet'.split(
    ' ',
  );
/** Flags with which `git grep` prints no lines. */
const NO_LINES = '-l -L --files-with-matches --files-without-match --name-only -c --count -q --quiet'.split(
  ' ',
);

/** Files of which the contents are shown: what stands behind `--`, and what is written as no revision can be. */
function addPathspecs(call: Call, operands: readonly Operand[], walker: Walker): void {
  const { command, args } = call;
  for (const { word, arg } of operands) {
    const lead = leadingText(word);
    if (standsBeforeDashes(call, { word, arg }) && !/^\.(?:[^.]|\.\/)/.test(lead)) continue;
    // `:!path` and `:(exclude)path` are left out; `:/path` and `:(top)path` are of the whole repository.
    const magic = /^:(?:\/|[!^]|\([^)]*\))/.exec(lead)?.[0] ?? '';
    if (/[!^]|exclude/.test(magic)) continue;
    const path = joinWords(textWord(lead.slice(magic.length)), word.slice(1));
    walker.path(command, 'read', path, { span: args[arg]?.span ?? call.span });
  }
}

function showsPatch({ parsed }: Call): boolean {
  return hasFlag(parsed, ...PATCH) || !hasFlag(parsed, ...NO_PATCH);
}

function standsBeforeDashes({ args }: Call, operand: Operand | undefined): boolean {
  const dashes = args.findIndex((arg) => knownText(arg.word) === '--');
  return operand !== undefined && (dashes < 0 || operand.arg < dashes);
}

/**
 * `HEAD:path`: what a file held then, `:0:path`: what is staged. A path that starts with `./` is relative, others are of
 * the whole repository.
 */
function addShown(call: Call, { word, arg }: Operand, walker: Walker): void {
  const lead = leadingText(word);
  const colon = /^:[0-3]:/.test(lead) ? 2 : lead.indexOf(':');
  if (colon < 0) return;
  const path = joinWords(textWord(lead.slice(colon + 1)), word.slice(1));
  if (path.length > 0) walker.path(call.command, 'read', path, { span: call.args[arg]?.span ?? call.span });
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
  const use = isSubcommand(call, 'push') || isSubcommand(call, 'send-pack') ? 'upload' : 'download';
  call.command.effects.push({ type: 'network', use, target: word, scheme: 'ssh', span });
}

/** The folder that a clone makes: the last name of the URL. */
function cloneTarget(url: Word | undefined): Word | undefined {
  if (url === undefined) return undefined;
  const path = knownText((readUrl(url) ?? readRemotePath(url))?.path ?? url) ?? knownText(url);
  const name = trimEnd(path ?? '', '/')
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
