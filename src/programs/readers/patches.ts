import { filesInDiff, filesInEnvelope, type PatchedFile } from '../../lib/patch-text.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import {
  EMPTY_WORD,
  isDetermined,
  joinWords,
  knownText,
  originsOf,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag } from '../interpret/arguments.ts';
import { operandContent } from '../interpret/input-text.ts';

/** `apply_patch 'text'` or `apply_patch <<E`: what agents are given to change files with. */
const applyPatch: ProgramReader = (call, walker) => {
  const text = call.args[0]?.word ?? call.command.input;
  if (text !== undefined) addPatch(call, text, filesInEnvelope, undefined, walker);
  return undefined;
};

/** patch: the text is its input, the second operand or `-i`; a first operand is the file that is changed, whatever the text says. */
const patch: ProgramReader = (call, walker) => {
  const { parsed } = call;
  const [target, second] = parsed.operands;
  if (hasFlag(parsed, '--dry-run', '--help', '--version', '-v')) return undefined;
  if (target !== undefined || hasFlag(parsed, '-o', '--output')) return undefined;
  const file = second?.word ?? flagValue(parsed, '-i', '--input');
  const text = file === undefined ? call.command.input : operandContent(file, call, walker);
  if (text === undefined) return undefined;
  const strip = stripOf(flagValue(parsed, '-p', '--strip'), undefined);
  const reverse = hasFlag(parsed, '-R', '--reverse');
  addPatch(
    call,
    text,
    (diff) => filesInDiff(diff, { strip, reverse }),
    flagValue(parsed, '-d', '--directory') ?? textWord('.'),
    walker,
  );
  return undefined;
};

const SHOWS_ONLY = ['--check', '--stat', '--numstat', '--summary'];

/** `git apply` and `git am`. */
const git: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const [subcommand, ...files] = parsed.operands.map(({ word }) => word);
  const name = knownText(subcommand ?? EMPTY_WORD);
  if ((name !== 'apply' && name !== 'am') || hasFlag(parsed, '--help')) return undefined;
  if (hasFlag(parsed, ...SHOWS_ONLY) && !hasFlag(parsed, '--apply')) return undefined;
  if (hasFlag(parsed, '--abort', '--continue', '--skip', '--quit', '--show-current-patch')) return undefined;
  const strip = stripOf(flagValue(parsed, '-p'), 1);
  const reverse = hasFlag(parsed, '-R', '--reverse');
  const texts =
    files.length === 0 ? [command.input] : files.map((file) => operandContent(file, call, walker));
  for (const text of texts) {
    if (text === undefined) continue;
    addPatch(
      call,
      text,
      (diff) => filesInDiff(diff, { strip, reverse }),
      flagValue(parsed, '--directory') ?? textWord('.'),
      walker,
    );
  }
  return undefined;
};

/** How many folders are taken off names; undefined where that is not known. */
function stripOf(value: Word | undefined, otherwise: number | undefined): number | undefined {
  if (value === undefined) return otherwise;
  const known = knownText(value) ?? '';
  return /^\d{1,3}$/.test(known) ? Number(known) : undefined;
}

/**
 * Adds what becomes of the files in a patch. Where parts of the text are not known, there may be any more files.
 *
 * @param base the folder that all of them lie in; undefined if they may lie anywhere
 */
function addPatch(
  call: Call,
  text: Word,
  read: (text: string) => readonly PatchedFile[],
  base: Word | undefined,
  walker: Walker,
): void {
  const { text: punched, placeholders } = withPlaceholders(text);
  const below = (path: Word) =>
    base === undefined || knownText(base) === '.' || isAbsolute(path)
      ? path
      : joinWords(base, joinWords(textWord('/'), path));
  for (const { path, use, content } of read(punched)) {
    const written = below(pathWord(fillPlaceholders(path, placeholders)));
    walker.path(call.command, use, written);
    if (content !== undefined) walker.keepFile(call, written, fillPlaceholders(content, placeholders));
    else if (walker.fileAt(call, written) !== undefined)
      walker.keepFile(call, written, unknownWord('a file that is patched'));
  }
  if (isDetermined(text)) return;
  const anyFile = unknownWord('a file in the patch', originsOf(text));
  const anyBelow = joinWords(base ?? EMPTY_WORD, joinWords(textWord('/'), anyFile));
  walker.path(call.command, 'write', base === undefined ? anyFile : anyBelow);
}

function isAbsolute(path: Word): boolean {
  const [first] = path;
  return first?.type === 'text' ? first.text.startsWith('/') : first?.type === 'unknown';
}

/** What applies patches may take `~` for the home directory, as shells do. */
function pathWord(path: Word): Word {
  const [first, ...rest] = path;
  if (first?.type !== 'text' || !/^~(?:\/|$)/.test(first.text)) return path;
  return joinWords(outsideVariable('HOME', '~'), joinWords(textWord(first.text.slice(1)), rest));
}

/** Programs that change the files that a text names. */
export const PATCH_READERS: Readonly<Record<string, ProgramReader>> = {
  apply_patch: applyPatch,
  applypatch: applyPatch,
  patch,
  git,
};
