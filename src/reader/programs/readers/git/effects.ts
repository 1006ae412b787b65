import { knownText, leadingText, textWord, type Word, wordFrom } from '../../../reading/word.ts';
import type { Call, Operand } from '../../../shell/scope/interpreter.ts';
import { argumentSpan, usePath } from '../../interpret/effects-of-words.ts';
import { hasFlag } from '../../interpret/flags.ts';
import { addClone } from '../clones.ts';

/** Adds the effects of subcommands on files, as far as words say so. */
export function addEffects(call: Call, subcommand: string): void {
  const { parsed, command, interpreter } = call;
  if (hasFlag(parsed, '--help')) return;
  const operands = parsed.operands.slice(1);
  const write = (words: readonly Operand[]) => {
    for (const operand of words) usePath(call, 'write', operand, { recursive: true });
  };
  switch (subcommand) {
    case 'restore': {
      // A flag that excludes one place names the other one.
      const isIndexOnly = hasFlag(parsed, '-S', '--staged', '--no-staged', '--no-worktree');
      if (!isIndexOnly || hasFlag(parsed, '-W', '--worktree')) write(operands);
      return;
    }
    case 'checkout': {
      write(checkedOutFiles(call, operands));
      return;
    }
    case 'reset': {
      if (hasFlag(parsed, '--hard')) interpreter.path(command, 'write', textWord('.'), { recursive: true });
      return;
    }
    case 'clone':
      addClone(
        call,
        operands.map(({ word }) => word),
      );
      return;
    case 'show':
    case 'cat-file':
      for (const operand of operands) addShown(call, operand);
      if (showsPatch(call)) addPathspecs(call, operands);
      return;
    case 'log':
      if (hasFlag(parsed, ...PATCH)) addPathspecs(call, operands);
      return;
    case 'grep': {
      if (hasFlag(parsed, ...NO_LINES)) return;
      const given = hasFlag(parsed, '-e', '-f') || !standsBeforeDashes(call, operands[0]);
      addPathspecs(call, given ? operands : operands.slice(1));
      return;
    }
    case 'archive':
      addPathspecs(call, operands.slice(1));
      return;
    case 'pull':
      command.caused.push({ kind: 'changes', value: 'files' });
      return;
    case 'stash':
      if (operands.length === 0) command.caused.push({ kind: 'changes', value: 'files' });
      if (knownText(operands[0]?.word ?? []) === 'show' && showsPatch(call))
        addPathspecs(call, operands.slice(1));
      return;
    case 'blame':
    case 'annotate': {
      const [file] = operands.slice(-1);
      if (file !== undefined) usePath(call, 'read', file);
      return;
    }
    case 'diff': {
      // Files outside the repository are compared without being asked to.
      const isOutside = operands.some(({ word }) => /^(?:\/|~|\.\.\/)/.test(leadingText(word)));
      if (!isOutside && !hasFlag(parsed, '--no-index')) {
        if (showsPatch(call)) addPathspecs(call, operands);
        return;
      }
      for (const operand of operands) usePath(call, 'read', operand);
      return;
    }
    default:
      return;
  }
}

/** Flags with which a patch is shown, whatever else is. */
const PATCH = ['-p', '-u', '--patch', '-U', '--unified', '-L', '-W', '-c', '--cc', '--patch-with-stat'];
/** Flags with which it is only said which files have changed, or how much. */
export const NO_PATCH: readonly string[] =
  '--stat --numstat --shortstat --dirstat --summary --name-only --name-status --no-patch -s --quiet'.split(
    ' ',
  );
/** Flags with which `git grep` prints no lines. */
const NO_LINES = '-l -L --files-with-matches --files-without-match --name-only -c --count -q --quiet'.split(
  ' ',
);

/** Files of which the contents are shown: what is behind `--`, and what is written as no revision can be. */
function addPathspecs(call: Call, operands: readonly Operand[]): void {
  const { command, interpreter } = call;
  for (const { word, arg } of operands) {
    const lead = leadingText(word);
    if (standsBeforeDashes(call, { word, arg }) && !/^\.(?:[^.]|\.\/)/.test(lead)) continue;
    // `:!path` and `:(exclude)path` are left out; `:/path` and `:(top)path` are of the whole repository.
    const magic = /^:(?:\/|[!^]|\([^)]*\))/.exec(lead)?.[0] ?? '';
    if (/[!^]|exclude/.test(magic)) continue;
    const path = wordFrom(word, magic.length);
    interpreter.path(command, 'read', path, { span: argumentSpan(call, arg) });
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
function addShown(call: Call, { word, arg }: Operand): void {
  const lead = leadingText(word);
  const colon = /^:[0-3]:/.test(lead) ? 2 : lead.indexOf(':');
  if (colon < 0) return;
  const path = wordFrom(word, colon + 1);
  if (path.length > 0) call.interpreter.path(call.command, 'read', path, { span: argumentSpan(call, arg) });
}

function operandsAfterDashes(call: Call): readonly Operand[] {
  const dashes = call.args.findIndex((arg) => knownText(arg.word) === '--');
  return dashes < 0 ? [] : call.parsed.operands.filter((operand) => operand.arg > dashes);
}

/**
 * The files that `git checkout` overwrites: what is behind `--`, and what is behind the commit. What no branch can
 * be called is a file too.
 */
function checkedOutFiles(call: Call, operands: readonly Operand[]): readonly Operand[] {
  if (call.args.some((arg) => knownText(arg.word) === '--')) return operandsAfterDashes(call);
  if (hasFlag(call.parsed, '-b', '-B', '--orphan', '-t', '--track', '-d', '--detach')) return [];
  const [first, ...files] = operands;
  return first !== undefined && (isPathspec(first.word) || isFileName(first.word)) ? operands : files;
}

/** Wildcards and `:(magic)` are in no name of a branch. */
function isPathspec(word: Word): boolean {
  return word.some((part) => part.type === 'glob') || /^:[(!^/]|[*?[]/.test(leadingText(word));
}

/** A word that ends as files do is a file far more often than a branch; `release/2.x` and `v1.2` end as versions do. */
function isFileName(word: Word): boolean {
  const [, stem = '', ending] =
    /(?:^|\/)([^/]*)\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(knownText(word) ?? '') ?? [];
  if (ending !== undefined) return !/\d$/.test(stem) || ending.length > 1;
  return /^(?:.*\/)?(?:Makefile|Dockerfile|LICENSE|README)$/.test(knownText(word) ?? '');
}
