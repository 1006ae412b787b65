import { filesInDiff, filesInEnvelope, type PatchedFile } from '../../../lib/patch-text.ts';
import { isRooted } from '../../../lib/path/drive-path.ts';
import { inFolder } from '../../reading/path.ts';
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
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { operandContent } from '../interpret/input-text.ts';

/** `apply_patch 'text'` or `apply_patch <<E`: agents get it to change files with. */
const applyPatch: ProgramReader = (call) => {
  const text = call.args[0]?.word ?? call.command.input;
  if (text !== undefined) addPatch(call, text, filesInEnvelope, undefined);
  return undefined;
};

/** patch: the text is its input, the second operand or `-i`; a first operand is the changed file, whatever the text says. */
const patch: ProgramReader = (call) => {
  const { parsed } = call;
  const [target] = parsed.operands;
  if (hasFlag(parsed, '--dry-run', '--help', '--version', '-v', '-o', '--output')) return undefined;
  if (target !== undefined) return undefined;
  const file = flagValue(parsed, '-i', '--input');
  const strip = stripOf(flagValue(parsed, '-p', '--strip'), undefined);
  addDiff(call, file, strip, flagValue(parsed, '-d', '--directory'));
  return undefined;
};

/** Flags with which git changes no files as a patch says. */
const CHANGES_NONE =
  '--help --abort --continue --skip --quit --show-current-patch --check --stat --numstat --summary'.split(
    ' ',
  );

/** `git apply` and `git am`. */
export function applyDiff(call: Call): void {
  const { parsed } = call;
  const files = parsed.operands.slice(1).map(({ word }) => word);
  if (hasFlag(parsed, ...CHANGES_NONE) && !hasFlag(parsed, '--apply')) return;
  const strip = stripOf(flagValue(parsed, '-p'), 1);
  for (const file of files.length === 0 ? [undefined] : files)
    addDiff(call, file, strip, flagValue(parsed, '--directory'));
}

/** Adds the changes of a diff to files; without a file it is the input. */
function addDiff(
  call: Call,
  file: Word | undefined,
  strip: number | undefined,
  base: Word | undefined,
): void {
  const text = file === undefined ? call.command.input : operandContent(file, call);
  const reverse = hasFlag(call.parsed, '-R', '--reverse');
  const read = (diff: string) => filesInDiff(diff, { strip, reverse });
  if (text !== undefined) addPatch(call, text, read, base ?? textWord('.'));
}

/** How many folders are taken off names; undefined where that is not known. */
function stripOf(value: Word | undefined, otherwise: number | undefined): number | undefined {
  if (value === undefined) return otherwise;
  const known = knownText(value) ?? '';
  return /^\d{1,3}$/.test(known) ? Number(known) : undefined;
}

/**
 * Adds the changes of a patch to files. If parts of the text are not known, there may be any more files.
 *
 * @param base the folder that all of them lie in; undefined if they may lie anywhere
 */
function addPatch(
  call: Call,
  text: Word,
  read: (text: string) => readonly PatchedFile[],
  base: Word | undefined,
): void {
  const { interpreter } = call;
  const { text: punched, placeholders } = withPlaceholders(text);
  const below = (path: Word) =>
    base === undefined || knownText(base) === '.' || isAbsolute(path) ? path : inFolder(base, path);
  const files = read(punched);
  // A text that names no file is no patch, or one that other programs can read.
  if (files.length === 0 && isDetermined(text) && !isFlag(text))
    interpreter.path(call.command, 'write', below(unknownWord('a file in the patch')));
  for (const { path, use, content } of files) {
    const written = below(pathWord(fillPlaceholders(path, placeholders)));
    interpreter.path(call.command, use, written);
    if (content !== undefined) interpreter.keepFile(call, written, fillPlaceholders(content, placeholders));
    else if (interpreter.fileAt(call, written) !== undefined)
      interpreter.keepFile(call, written, unknownWord('a file that is patched'));
  }
  if (isDetermined(text)) return;
  const anyFile = unknownWord('a file in the patch', originsOf(text));
  const anyBelow = inFolder(base ?? EMPTY_WORD, anyFile);
  interpreter.path(call.command, 'write', base === undefined ? anyFile : anyBelow);
  // As with an archive, elsewhere all that lies there counts.
  if (base !== undefined && knownText(interpreter.resolve(base, call.command)) !== interpreter.context.cwd)
    interpreter.path(call.command, 'write', base, { recursive: true });
}

function isFlag(text: Word): boolean {
  return /^-\w|^--\w/.test(knownText(text) ?? '');
}

function isAbsolute(path: Word): boolean {
  const [first] = path;
  return first?.type === 'text' ? isRooted(first.text.replaceAll('\\', '/')) : first?.type === 'unknown';
}

/** Programs that apply patches may take `~` for the home directory, as shells do. */
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
};
