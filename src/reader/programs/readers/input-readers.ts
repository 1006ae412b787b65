import {
  EMPTY_WORD,
  FOUND_FILES,
  joinAll,
  knownText,
  originsOf,
  textWord,
  unknownWord,
  type Word,
  withoutZeros,
} from '../../reading/word.ts';
import { assign, noteEvaluated } from '../../shell/expand/assign.ts';
import { addSplit, endField, newFields } from '../../shell/expand/fields.ts';
import type { Call, Frame, ProgramReader } from '../../shell/scope/interpreter.ts';
import { setVariable, variableOf } from '../../shell/scope/scope.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';

/** `read a`: the lines that arrive, if they are known, are its values. Several names share the words of one line. */
const readVariables: ProgramReader = (call) => {
  const { frame, parsed, command } = call;
  const named = parsed.operands.map(({ word }) => knownText(word)).filter((name) => name !== undefined);
  const array = flagValue(parsed, '-a');
  if (array !== undefined) setUnknown(frame, knownText(array) ?? '', command.input);
  const [name = 'REPLY', ...others] = named;
  const lines = others.length === 0 && array === undefined ? linesFor(call) : undefined;
  const words = others.length > 0 && array === undefined ? wordsFor(call) : [];
  if (lines === undefined)
    [name, ...others].forEach((each, index) => {
      const isLast = index === others.length;
      const [first, ...rest] = words.slice(index, isLast ? undefined : index + 1);
      if (first === undefined) setUnknown(frame, each, command.input);
      else assign(frame, each, joinAll([first, ...rest.flatMap((word) => [textWord(' '), word])]));
    });
  else {
    const values = lines.map(textWord);
    for (const value of values) noteEvaluated(name, value, frame);
    setVariable(frame.scope, name, { values, elements: undefined, exported: false });
  }
  return EMPTY_WORD;
};

/** How many lines of a known input become values of a variable. */
const MAX_LINES = 65;

/** The lines of a known input, if nothing but blanks around them is taken away. */
function linesFor({ frame, parsed, command }: Call): readonly string[] | undefined {
  const known = command.input === undefined ? undefined : knownText(command.input);
  const separator = frame.environment.findLast(({ name }) => name === 'IFS')?.value;
  const keepsBlanks = separator !== undefined && knownText(separator) === '';
  if (known === undefined || (separator !== undefined && !keepsBlanks)) return undefined;
  if (variableOf(frame.scope, 'IFS') !== undefined || parsed.flags.some(({ name }) => name !== '-r'))
    return undefined;
  // Without -r, a backslash joins lines and takes the meaning of the next character.
  if (!hasFlag(parsed, '-r') && known.includes('\\')) return undefined;
  const lines = known.replace(/\n$/, '').split('\n', MAX_LINES);
  // A shell keeps no zero byte.
  return lines.map((line) => (keepsBlanks ? line : line.trim()).replaceAll('\0', ''));
}

/** The words of an input of one line that tells names of files. */
function wordsFor({ frame, command, interpreter }: Call): readonly Word[] {
  const line = lineOf(
    command.input?.map((part, index, { length }) =>
      part.type === 'text' && index === length - 1 ? { ...part, text: part.text.replace(/\n$/, '') } : part,
    ),
  );
  const isIfs =
    frame.environment.some(({ name }) => name === 'IFS') || variableOf(frame.scope, 'IFS') !== undefined;
  if (
    line === undefined ||
    isIfs ||
    line.some((part) => part.type === 'unknown' && part.source !== FOUND_FILES)
  )
    return [];
  const fields = newFields(interpreter.budget);
  addSplit(fields, line, ' \t');
  endField(fields);
  return fields.done.map((word) =>
    word.map((part) => (part.type === 'unknown' ? { ...part, splits: false } : part)),
  );
}

function setUnknown(frame: Frame, name: string, input: Word | undefined): void {
  if (name === '') return;
  const line = lineOf(input);
  assign(frame, name, line ?? unknownWord(`$${name}`, originsOf(input ?? EMPTY_WORD)));
}

/** A line of an input that begins with text that is known, such as the directory that find was given. */
function lineOf(input: Word | undefined): Word | undefined {
  const [first, second] = input ?? EMPTY_WORD;
  const isOneLine = input?.every((part) => part.type !== 'text' || !part.text.includes('\n')) === true;
  return isOneLine && first?.type === 'text' && second !== undefined ? withoutZeros(input) : undefined;
}

const readArray: ProgramReader = ({ frame, parsed, command }) => {
  const name = knownText(parsed.operands[0]?.word ?? textWord('MAPFILE')) ?? '';
  const isLines = parsed.flags.every(({ name: flag }) => flag === '-t');
  const known = command.input === undefined || !isLines ? undefined : knownText(command.input);
  if (known === undefined) setUnknown(frame, name, command.input);
  else {
    const elements = known.replace(/\n$/, '').split('\n').map(textWord);
    assign(frame, name, elements[0] ?? EMPTY_WORD, elements);
  }
  return EMPTY_WORD;
};

/** Builtins that put their input into variables. */
export const INPUT_READERS: Readonly<Record<string, ProgramReader>> = {
  read: readVariables,
  mapfile: readArray,
  readarray: readArray,
};
