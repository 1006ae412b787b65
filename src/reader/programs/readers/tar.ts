import { isRooted } from '../../../lib/path/drive-path.ts';
import { inFolder } from '../../reading/path.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  originsOf,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { addUnpacked } from './unpackers.ts';

const tar: ProgramReader = (call) => {
  const { command, args, interpreter } = call;
  const parsed = tarArguments(call);
  if (leadingText(flagValue(call.parsed, '--checkpoint-action') ?? EMPTY_WORD).startsWith('exec'))
    interpreter.gap('unknown_script', call.span, 'Cannot tell what tar runs at its checkpoints');
  const { mode, archive, directory, files } = parsed;
  const base = directory ?? textWord('.');
  const inBase = (word: Word) =>
    directory === undefined || isRooted(leadingText(word)) ? word : inFolder(base, word);
  if (archive !== undefined && knownText(archive) !== '-') {
    const use = mode === 'x' || mode === 't' ? 'read' : 'write';
    interpreter.path(command, use, archive, { append: mode === 'r' || mode === 'u' });
  }
  if (mode === 'x') {
    const isInput = archive === undefined || knownText(archive) === '-';
    const isPrinted = parsed.letters.includes('O') || hasFlag(call.parsed, '--to-stdout');
    const content = isInput ? command.input : interpreter.fileAt(call, archive);
    if (!isPrinted) addUnpacked(call, content, base, namesOf(parsed, call));
  }
  if (mode === 'c' || mode === 'r' || mode === 'u') {
    for (const file of files) interpreter.path(command, 'read', inBase(file), { recursive: true });
    const removes = args.some((arg) => knownText(arg.word) === '--remove-files');
    if (removes)
      for (const file of files) interpreter.path(command, 'delete', inBase(file), { recursive: true });
  }
  const fromInput = mode === 'x' && command.input !== undefined ? originsOf(command.input) : [];
  return mode === 't' || fromInput.length > 0 ? unknownWord('the output of tar', fromInput) : undefined;
};

/** The new names of the files that are taken out of the archive; empty if they are unknown. */
function namesOf({ files }: TarArguments, { parsed }: Call): readonly Word[] {
  const isRenamed = hasFlag(
    parsed,
    '--transform',
    '--xform',
    '-T',
    '--files-from',
    '-s',
    '--strip-components',
  );
  return isRenamed ? [] : files;
}

interface TarArguments {
  readonly letters: string;
  readonly mode: string | undefined;
  readonly archive: Word | undefined;
  readonly directory: Word | undefined;
  readonly files: readonly Word[];
}

/** tar takes its letters without a dash too (`tar xzf file`), with their values after them in order. */
function tarArguments(call: Call): TarArguments {
  const { parsed, args } = call;
  const first = knownText(args[0]?.word ?? EMPTY_WORD) ?? '';
  const oldStyle = /^[A-Za-z]+$/.test(first);
  const letters = oldStyle
    ? first
    : parsed.flags.map(({ name }) => (name.length === 2 ? name.slice(1) : '')).join('');
  const operands = parsed.operands.map((operand) => operand.word).slice(oldStyle ? 1 : 0);
  const takes = oldStyle ? [...first].filter((letter) => 'fCXTIbgHKLNVF'.includes(letter)) : [];
  const taken = new Map(takes.map((letter, index) => [letter, operands[index]]));
  const long = {
    '--create': 'c',
    '--extract': 'x',
    '--get': 'x',
    '--list': 't',
    '--append': 'r',
    '--update': 'u',
  } as const;
  const longMode = Object.entries(long).find(([name]) => hasFlag(parsed, name))?.[1];
  return {
    letters,
    mode: longMode ?? /[cxtru]/.exec(letters)?.[0],
    archive: taken.get('f') ?? flagValue(parsed, '-f', '--file'),
    directory: taken.get('C') ?? flagValue(parsed, '-C', '--directory'),
    files: operands.slice(takes.length),
  };
}

export const TAR_READERS: Readonly<Record<string, ProgramReader>> = {
  tar,
  bsdtar: tar,
  gtar: tar,
};
