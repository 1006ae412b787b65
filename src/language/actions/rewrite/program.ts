import { programName } from '../../../reader/reading/program-name.ts';
import type { ReadCommand, Reading, Span } from '../../../reader/reading/reading.ts';
import { knownText, textWord } from '../../../reader/reading/word.ts';
import type { ParamProblem } from '../action-spec.ts';
import {
  cannotReplace,
  isPlainProgram,
  type NameChange,
  nameForm,
  PLAIN_CHARACTERS,
} from './command-names.ts';
import { unwritableReason } from './paths.ts';

export const program = nameForm(
  {
    key: 'program',
    summary: 'Run another program: only the program name in the shell command changes',
    by: 'The replacement: the name of a program, and words to put after it',
  },
  (name, by): Replacement => ({ name, words: by.split(' ') }),
  checkReplacement,
  changeOf,
);

interface Replacement {
  /** The program's name as policies write it: without folder. */
  readonly name: string;
  /** The words that take its place, at least one. */
  readonly words: readonly string[];
}

/** A call that is still to be rewritten after it has been is refused, so that chains and cycles are no use. */
function checkReplacement(
  { name, words }: Replacement,
  all: readonly Replacement[],
): readonly ParamProblem[] {
  if (name === '' || /[\s/\\*]/.test(name)) {
    return [
      {
        code: 'bad-value',
        path: [name],
        message: `Cannot replace program "${name}": it is not a name`,
        hint: 'write the name alone, such as npm: a program is found in every folder',
      },
    ];
  }
  if (!isPlainProgram(words.join(' '))) {
    return [
      {
        code: 'bad-value',
        path: [name],
        message: `Cannot replace program "${name}" by "${words.join(' ')}": it takes words that need no quotes`,
        hint: `write a program and what follows it with single spaces, of ${PLAIN_CHARACTERS}`,
      },
    ];
  }
  const first = programName(textWord(words[0] ?? ''));
  const next = all.find((other) => other.name === first && other.name !== name);
  if (next === undefined) return [];
  return [
    {
      code: 'bad-value',
      path: [name],
      message: `Cannot replace program "${name}" by "${words.join(' ')}": "${next.name}" is replaced too`,
      hint: 'write the command to run instead',
    },
  ];
}

function changeOf(replacement: Replacement): NameChange {
  const { name, words } = replacement;
  const what = `program "${name}" by "${words.join(' ')}"`;
  return {
    what,
    program: name,
    edits: (text, command, reading) => {
      if (command.name !== name || isReplaced(command, reading, replacement, text)) return undefined;
      const span = editableSpan(text, command, replacement);
      if (span === undefined)
        throw cannotReplace(what, `${unwritableReason(command, 'its name')}; write "${words[0]}" there`);
      return [{ ...span, text: words.join(' ') }];
    },
    isDone: (command) => startsWith(command, words),
  };
}

/** The name itself, or for several words all of its word: in quotes they would be one. */
function editableSpan(
  text: string,
  { program: word, programSpan, programPlace }: ReadCommand,
  { words }: Replacement,
): Span | undefined {
  if (programSpan === undefined) return undefined;
  if (text.slice(programSpan.start, programSpan.end) !== knownText(word)) return undefined;
  return words.length > 1 ? programPlace.span : programSpan;
}

/** A replacement may hold the program itself, as in `npm: timeout 60 npm`: a command that reads like that is done. */
function isReplaced(
  command: ReadCommand,
  { commands }: Reading,
  { words }: Replacement,
  text: string,
): boolean {
  return words.some((_, at) => {
    if (!startsWith(command, words.slice(at))) return false;
    if (at === 0) return true;
    const lead = `${words.slice(0, at).join(' ')} `;
    const start = (command.programSpan?.start ?? 0) - lead.length;
    const parent = command.parent === undefined ? undefined : commands[command.parent];
    return parent?.programSpan?.start === start && text.startsWith(lead, start);
  });
}

function startsWith({ program: word, args }: ReadCommand, [first, ...rest]: readonly string[]): boolean {
  return knownText(word) === first && rest.every((text, index) => knownText(args[index] ?? []) === text);
}
