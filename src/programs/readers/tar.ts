import type { Span } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  originsOf,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import type { Call, ProgramReader } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag } from '../interpret/arguments.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { runInner } from '../interpret/run-inner.ts';
import { addUnpacked, keepUnpacked } from './unpackers.ts';

/** Flags of tar that take a program to run. */
const TAR_PROGRAMS = [
  '--to-command',
  '-I',
  '--use-compress-program',
  '--rsh-command',
  '--info-script',
  '-F',
  '--new-volume-script',
];

const tar: ProgramReader = (call, walker) => {
  const { command, args } = call;
  const parsed = tarArguments(call);
  for (const { name, value, span } of parsed.programs) {
    const script =
      name === '--checkpoint-action' ? (/^exec=(.*)$/s.exec(knownText(value) ?? '')?.[1] ?? '') : undefined;
    if (script === undefined) runInner(call, value, span, walker);
    else if (script !== '') runInner(call, textWord(script), span, walker);
  }
  const { mode, archive, directory, files } = parsed;
  const base = directory ?? textWord('.');
  const inBase = (word: Word) =>
    directory === undefined || leadingText(word).startsWith('/')
      ? word
      : joinWords(base, joinWords(textWord('/'), word));
  if (archive !== undefined && knownText(archive) !== '-') {
    const use = mode === 'x' || mode === 't' ? 'read' : 'write';
    walker.path(command, use, archive, { append: mode === 'r' || mode === 'u' });
  }
  if (mode === 'x') {
    const isInput = archive === undefined || knownText(archive) === '-';
    const isPrinted = parsed.letters.includes('O') || hasFlag(call.parsed, '--to-stdout');
    const top = flagValue(call.parsed, '--one-top-level');
    const into = top === undefined ? base : inBase(top);
    if (!isPrinted) addUnpacked(call, into, namesOf(parsed, call), walker);
    const content = isInput ? command.input : walker.fileAt(call, archive);
    if (!isPrinted) keepUnpacked(call, content, base, walker);
  }
  if (mode === 'c' || mode === 'r' || mode === 'u') {
    for (const file of files) walker.path(command, 'read', inBase(file), { recursive: true });
    const removes = args.some((arg) => knownText(arg.word) === '--remove-files');
    if (removes) for (const file of files) walker.path(command, 'delete', inBase(file), { recursive: true });
  }
  const fromInput = mode === 'x' && command.input !== undefined ? originsOf(command.input) : [];
  return mode === 't' || fromInput.length > 0 ? unknownWord('the output of tar', fromInput) : undefined;
};

/** What is taken out of the archive, as it is called then; nothing if that cannot be told. */
function namesOf({ files }: TarArguments, { parsed }: Call): readonly Word[] {
  if (hasFlag(parsed, '--transform', '--xform', '-T', '--files-from', '-s')) return [];
  const stripped = flagValue(parsed, '--strip-components');
  if (stripped === undefined) return files;
  const count = Number(knownText(stripped) ?? Number.NaN);
  const names = files.map((file) => knownText(file)?.split('/').slice(count).join('/') ?? '');
  return names.includes('') ? [] : names.map(textWord);
}

interface TarArguments {
  readonly letters: string;
  readonly mode: string | undefined;
  readonly archive: Word | undefined;
  readonly directory: Word | undefined;
  readonly files: readonly Word[];
  readonly programs: readonly { readonly name: string; readonly value: Word; readonly span: Span }[];
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
    programs: parsed.flags.flatMap(({ name, value, arg }) => {
      const runs = TAR_PROGRAMS.includes(name) || name === '--checkpoint-action';
      return runs && value !== undefined ? [{ name, value, span: argumentSpan(call, arg) }] : [];
    }),
  };
}

/** tar by its names. */
export const TAR_READERS: Readonly<Record<string, ProgramReader>> = {
  tar,
  bsdtar: tar,
  gtar: tar,
};
