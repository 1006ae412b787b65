import { knownText, leadingText, textWord, type Word, wordFrom } from '../../../reading/word.ts';
import type { Call, Operand } from '../../../shell/scope/interpreter.ts';
import { argumentSpan, usePath } from '../../interpret/effects-of-words.ts';
import { hasFlag } from '../../interpret/flags.ts';
import { addClone } from '../clones.ts';

/** Adds the effects of a subcommand on files, as far as the operands behind it say so. */
type Effects = (call: Call, operands: readonly Operand[]) => void;

const showFiles: Effects = (call, operands) => {
  for (const operand of operands) addShown(call, operand);
  if (showsPatch(call)) addPathspecs(call, operands);
};

const blame: Effects = (call, operands) => {
  const [file] = operands.slice(-1);
  if (file !== undefined) usePath(call, 'read', file);
};

/** Subcommands that show files among their words, and do nothing else that their rows leave out. */
export const SHOWS: Readonly<Record<string, Effects>> = {
  show: showFiles,
  'cat-file': showFiles,
  log: (call, operands) => {
    if (hasFlag(call.parsed, ...PATCH)) addPathspecs(call, operands);
  },
  grep: (call, operands) => {
    if (hasFlag(call.parsed, ...NO_LINES)) return;
    const given = hasFlag(call.parsed, '-e', '-f') || !isBeforeDashes(call, operands[0]);
    addPathspecs(call, given ? operands : operands.slice(1));
  },
  archive: (call, operands) => addPathspecs(call, operands.slice(1)),
  blame,
  annotate: blame,
  diff: (call, operands) => {
    // Files outside the repository are compared without being asked to.
    const isOutside = operands.some(({ word }) => /^(?:\/|~|\.\.\/)/.test(leadingText(word)));
    if (isOutside || hasFlag(call.parsed, '--no-index'))
      for (const operand of operands) usePath(call, 'read', operand);
    else if (showsPatch(call)) addPathspecs(call, operands);
  },
};

function write(call: Call, words: readonly Operand[]): void {
  for (const operand of words) usePath(call, 'write', operand, { recursive: true });
}

/** Subcommands that change files. */
export const CHANGES: Readonly<Record<string, Effects>> = {
  restore: (call, operands) => {
    // A flag that excludes one place names the other one.
    const isIndexOnly = hasFlag(call.parsed, '-S', '--staged', '--no-staged', '--no-worktree');
    if (!isIndexOnly || hasFlag(call.parsed, '-W', '--worktree')) write(call, operands);
  },
  checkout: (call, operands) => write(call, checkedOutFiles(call, operands)),
  reset: ({ parsed, interpreter, command }) => {
    if (hasFlag(parsed, '--hard')) interpreter.path(command, 'write', textWord('.'), { recursive: true });
  },
  clone: (call, operands) =>
    addClone(
      call,
      operands.map(({ word }) => word),
    ),
  pull: ({ command }) => {
    command.caused.push({ kind: 'changes', value: 'files' });
  },
  stash: (call, operands) => {
    if (operands.length === 0) call.command.caused.push({ kind: 'changes', value: 'files' });
    if (knownText(operands[0]?.word ?? []) === 'show' && showsPatch(call))
      addPathspecs(call, operands.slice(1));
  },
};

/** Flags that show a patch, with or without other output. */
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

/** Files whose contents are shown: the words behind `--`, and those that cannot be revisions. */
function addPathspecs(call: Call, operands: readonly Operand[]): void {
  const { command, interpreter } = call;
  for (const { word, arg } of operands) {
    const lead = leadingText(word);
    if (isBeforeDashes(call, { word, arg }) && !/^\.(?:[^.]|\.\/)/.test(lead)) continue;
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

function isBeforeDashes({ args }: Call, operand: Operand | undefined): boolean {
  const dashes = args.findIndex((arg) => knownText(arg.word) === '--');
  return operand !== undefined && (dashes < 0 || operand.arg < dashes);
}

/** `HEAD:path` and `:0:path`: a content of a file, relative with `./`, else from the root of the repository. */
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

/** The files that `git checkout` overwrites: words after `--` or the commit, and words that cannot be branches. */
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
