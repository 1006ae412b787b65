import {
  EMPTY_WORD,
  knownText,
  originsOf,
  showWord,
  textWord,
  unknownWord,
  type Word,
  withoutZeros,
} from '../../reading/word.ts';
import { assign, noteEvaluated } from '../../shell/expand/assign.ts';
import { setVariable, variableOf } from '../../shell/scope/scope.ts';
import type { Place, ProgramReader } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag } from '../interpret/arguments.ts';

/** `read a b`: the lines that arrive, if they are known, are the values. */
const readVariables: ProgramReader = (call) => {
  const { place, parsed, command } = call;
  const named = parsed.operands.map(({ word }) => knownText(word)).filter((name) => name !== undefined);
  const names = named.length === 0 ? ['REPLY'] : named;
  const input = command.input;
  const array = flagValue(parsed, '-a');
  if (array !== undefined) setUnknown(place, knownText(array) ?? '', input);
  const raw = hasFlag(parsed, '-r');
  // Between several names it shows nowhere any more which blanks had a backslash.
  const isOpen = splitsOtherwise(place) || (!raw && showWord(input ?? EMPTY_WORD).includes('\\'));
  const isCut = hasFlag(parsed, '-n', '-N') || (names.length > 1 && isOpen);
  const lines = isCut ? undefined : linesOf(input, flagValue(parsed, '-d'), raw);
  names.forEach((name, index) => {
    if (lines === undefined) setUnknown(place, name, input);
    else {
      const values = lines.map((line) =>
        textWord(named.length === 0 ? line : fieldOf(line, index, index === names.length - 1)),
      );
      for (const value of values) noteEvaluated(name, value, place);
      setVariable(place.scope, name, { values, elements: undefined, exported: false });
    }
  });
  return EMPTY_WORD;
};

/** How many lines of a known input become values of a variable. */
const MAX_LINES = 65;

/** What `read` takes at a time, if it is known: lines, or what ends with another character. */
function linesOf(
  input: Word | undefined,
  end: Word | undefined,
  raw: boolean,
): readonly string[] | undefined {
  const written = input === undefined ? undefined : knownText(input);
  // A backslash joins lines, and takes the meaning of the sign behind it.
  const known = raw
    ? written
    : written?.replace(/\\(?:\n|(.))/g, (_, sign: string | undefined) => sign ?? '');
  const character = end === undefined ? '\n' : knownText(end);
  if (known === undefined || character === undefined) return undefined;
  const lines = known.replace(/\n$/, '').split(character === '' ? '\0' : character.slice(0, 1));
  // A shell keeps no zero byte.
  return lines.slice(0, MAX_LINES).map((line) => line.replaceAll('\0', ''));
}

/** Does the script say at which characters fields end? */
function splitsOtherwise({ scope, environment }: Place): boolean {
  return environment.some(({ name }) => name === 'IFS') || variableOf(scope, 'IFS') !== undefined;
}

/** One field of a line; the last name takes the rest as it is. */
function fieldOf(line: string, index: number, last: boolean): string {
  let rest = line.trim();
  for (let at = 0; at < index; at++) rest = rest.replace(/^\S+\s*/, '');
  return last ? rest : (rest.split(/\s/, 1)[0] ?? '');
}

function setUnknown(place: Place, name: string, input: Word | undefined): void {
  if (name === '') return;
  const line = lineOf(input);
  assign(place, name, line ?? unknownWord(`$${name}`, originsOf(input ?? EMPTY_WORD)));
}

/** A line of an input that begins with text that is known, such as the directory that find was given. */
function lineOf(input: Word | undefined): Word | undefined {
  const [first, second] = input ?? EMPTY_WORD;
  const isOneLine = input?.every((part) => part.type !== 'text' || !part.text.includes('\n')) === true;
  return isOneLine && first?.type === 'text' && second !== undefined ? withoutZeros(input) : undefined;
}

const readArray: ProgramReader = ({ place, parsed, command }) => {
  const name = knownText(parsed.operands[0]?.word ?? textWord('MAPFILE')) ?? '';
  const isLines = parsed.flags.every(({ name: flag }) => flag === '-t');
  const known = command.input === undefined || !isLines ? undefined : knownText(command.input);
  if (known === undefined) setUnknown(place, name, command.input);
  else {
    const elements = known.replace(/\n$/, '').split('\n').map(textWord);
    assign(place, name, elements[0] ?? EMPTY_WORD, elements);
  }
  return EMPTY_WORD;
};

/** Builtins that put what they read into variables. */
export const INPUT_READERS: Readonly<Record<string, ProgramReader>> = {
  read: readVariables,
  mapfile: readArray,
  readarray: readArray,
};
