import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText } from '../../../reader/reading/word.ts';
import { namedOperands, subcommandTest } from '../../keys/command/names.ts';
import type { ParamProblem } from '../action-spec.ts';
import {
  cannotReplace,
  isPlainProgram,
  type NameChange,
  nameForm,
  PLAIN_CHARACTERS,
} from './command-names.ts';
import { isOwnWord, withoutWord } from './flag-word.ts';
import { unwritableReason } from './paths.ts';
import type { TextEdit } from './texts.ts';

export const subcommand = nameForm(
  {
    key: 'subcommand',
    summary: 'Run another subcommand: flags stay, and with * the words that follow too',
    by: 'The replacement for a program and its subcommand, such as npm ci',
  },
  replacementOf,
  checkReplacement,
  changeOf,
);

interface Replacement {
  readonly key: string;
  readonly program: string;
  /** The words after the program, at least one. */
  readonly words: readonly string[];
  /** True if other operands may follow. */
  readonly keepsRest: boolean;
  /** A program and the words behind it. */
  readonly replaced: readonly string[];
}

const REST = ' *';

function replacementOf(key: string, by: string): Replacement {
  const keepsRest = key.endsWith(REST);
  const [program = '', ...words] = (keepsRest ? key.slice(0, -REST.length) : key).split(' ');
  return { key, program, words, keepsRest, replaced: by.split(' ') };
}

/** A call that is still to be rewritten after it has been is refused, so that chains and cycles are no use. */
function checkReplacement(each: Replacement, all: readonly Replacement[]): readonly ParamProblem[] {
  const { key, program, words, replaced } = each;
  const name = [program, ...words].join(' ');
  const by = replaced.join(' ');
  const problem = (state: string, hint: string) => [
    { code: 'bad-value', path: [key], message: `Cannot replace command "${name}"${state}`, hint } as const,
  ];
  if (program === '' || /[\s/\\*]/.test(program))
    return problem(
      ': it begins with no name of a program',
      'write the name alone, such as npm: a program is found in every folder',
    );
  if (words.length === 0)
    return problem(': it has no subcommand', `write ${program} install, or change the program by "program"`);
  if (words.some((word) => word.startsWith('-')))
    return problem(': it has a flag', 'name the program and its subcommands; flags are left as they are');
  if (!isPlainProgram(name) || !isPlainProgram(by))
    return problem(
      ` by "${by}": it takes words that need no quotes`,
      `write a program and what follows it with single spaces, of ${PLAIN_CHARACTERS}`,
    );
  if (name === by) return problem(` by "${by}": they are the same`, 'write the command to run instead');
  const next = all.find((other) => other !== each && startsWith(replaced, [other.program, ...other.words]));
  if (next === undefined) return [];
  const other = [next.program, ...next.words].join(' ');
  return problem(` by "${by}": "${other}" is replaced too`, 'write the command to run instead');
}

/** A command goes by the words that it has, where they are listed, and by others that mean the same. */
function changeOf(
  { program, words, keepsRest, replaced }: Replacement,
  all: readonly Replacement[],
): NameChange {
  const by = replaced.join(' ');
  const what = `command "${[program, ...words].join(' ')}" by "${by}"`;
  const isDone = (command: ReadCommand) => runs(command, replaced);
  const isMeant = subcommandTest([program, ...words]);
  const named = namedOperands([program, ...words]);
  return {
    what,
    program,
    edits: (text, command) => {
      const { operands, uncertain, openEnded } = command;
      if (isMeant(command) !== true || isDone(command)) return undefined;
      const known = operands.map(knownText);
      const isListed = (each: Replacement) => each.program === program && startsWith(known, each.words);
      if (!startsWith(known, words) && all.some(isListed)) return undefined;
      const count = named(command);
      if (uncertain.some((index) => index < count))
        throw cannotReplace(what, `it cannot be seen what its flags take; write "${by}" there`);
      if (!keepsRest && (openEnded || operands.length > count))
        throw cannotReplace(what, `words follow it; write "${by}" alone`);
      return editsOf(text, command, count, replaced, what);
    },
    isDone,
  };
}

/** The first word of the subcommand gives its place to those that are new, and the others go. */
function editsOf(
  text: string,
  command: ReadCommand,
  count: number,
  [program = '', ...rest]: readonly string[],
  what: string,
): readonly TextEdit[] {
  const by = [program, ...rest].join(' ');
  let arg = -1;
  const places = command.operands.slice(0, count).map((operand) => {
    arg = command.args.indexOf(operand, arg + 1);
    const word = knownText(operand) ?? '';
    const place = command.argPlaces[arg];
    if (place?.at === undefined || !isOwnWord(command, arg) || !text.startsWith(word, place.at))
      throw cannotReplace(what, `${unwritableReason(command, `"${word}"`)}; write "${by}" there`);
    return place.span;
  });
  const [first, ...others] = places;
  if (first === undefined) return [];
  const removed = others.map((span) => withoutWord(text, span));
  if (program === command.name) return [{ ...first, text: rest.join(' ') }, ...removed];
  const { programSpan, programPlace } = command;
  if (programSpan === undefined)
    throw cannotReplace(what, `${unwritableReason(command, 'its name')}; write "${by}" there`);
  if (command.args[0] !== command.operands[0])
    throw cannotReplace(what, `the words between would belong to another program; write "${by}" there`);
  return [{ ...programPlace.span, text: by }, withoutWord(text, first), ...removed];
}

/** True for a command whose words begin with these, with flags of its own between them or not. */
function runs({ program, args }: ReadCommand, [first, ...rest]: readonly string[]): boolean {
  const known = args.map(knownText);
  let from = 0;
  return (
    (knownText(program) ?? '').split('/').at(-1) === first &&
    rest.every((word) => {
      from = known.indexOf(word, from) + 1;
      return from > 0;
    })
  );
}

function startsWith(words: readonly (string | undefined)[], start: readonly string[]): boolean {
  return start.every((word, index) => words[index] === word);
}
