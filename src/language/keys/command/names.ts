import { compileNameGlob } from '../../../lib/glob/glob.ts';
import type { Json } from '../../../lib/json.ts';
import { and, anyTruth, type Truth } from '../../../model/truth.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { showWord, type Word, wordEquals } from '../../../reader/reading/word.ts';
import { type Meaning, sameOperands } from './same-subcommand.ts';

/** A command for people: its words, without quotes. */
export function shownCommand({ program, args }: ReadCommand): string {
  return [program, ...args].map(showWord).join(' ').trim();
}

/** The programs of a reading for people, each once. */
export function shownPrograms({ commands }: Reading): readonly string[] {
  return [...new Set(commands.map(({ name, program }) => name ?? showWord(program)))];
}

/** One text, or a list of them. */
export function listOf(spec: Json): readonly string[] {
  return (Array.isArray(spec) ? spec : [spec]).map(String);
}

/** Tests if a name fits one of those listed; * matches any characters. */
export function anyName(spec: Json): (name: string) => boolean {
  const names = listOf(spec);
  const plain = new Set(names.filter((name) => !name.includes('*')));
  const globs = names.filter((name) => name.includes('*')).map(compileNameGlob);
  return (found) => plain.has(found) || globs.some((fits) => fits(found));
}

export function nameTest(spec: Json): (command: ReadCommand) => Truth {
  const fits = anyName(spec);
  // A program's name that cannot be known could be any.
  return (command) => (command.name === undefined ? 'unknown' : fits(command.name));
}

/** Compiles a test on the program and the words behind it. */
export function subcommandTest(words: readonly Json[]): (command: ReadCommand) => Truth {
  const [program = '', ...rest] = words;
  const runs = nameTest(program);
  const wanted = rest.map(listOf);
  return (command) => {
    const truth = runs(command);
    if (truth === false) return false;
    const { operands, uncertain } = command;
    const plain = meaningFits(wanted, command);
    if (plain !== false || uncertain.length === 0) return and(truth, plain);
    // An operand behind an unknown flag may be the flag's value.
    const without = operands.filter((_, index) => !uncertain.includes(index));
    return and(truth, and('unknown', meaningFits(wanted, { ...command, operands: without })));
  };
}

/** Compiles how many operands of a command are the subcommands that a policy names: two of `npm run test` are `[npm, test]`. */
export function namedOperands(subcommand: Json | undefined): (command: ReadCommand) => number {
  const wanted = (Array.isArray(subcommand) ? subcommand : []).slice(1).map(listOf);
  if (wanted.length === 0) return () => 0;
  return (command) => {
    const all = sameOperands(command);
    if (all.length === 1) return wanted.length;
    const isMeant = (truth: Truth) => all.find((each) => truth === meaningTruth(wanted, each, command));
    const { operands } = isMeant(true) ?? isMeant('unknown') ?? command;
    return wanted.length - operands.length + command.operands.length;
  };
}

type Wanted = readonly (readonly string[])[];

function meaningFits(wanted: Wanted, command: ReadCommand): Truth {
  return anyTruth(sameOperands(command), (each) => meaningTruth(wanted, each, command));
}

function meaningTruth(wanted: Wanted, { operands, truth }: Meaning, command: ReadCommand): Truth {
  return and(truth, wordsFit(wanted, operands, command));
}

function wordsFit(wanted: Wanted, operands: readonly Word[], command: ReadCommand): Truth {
  let truth: Truth = true;
  for (const [index, alternatives] of wanted.entries()) {
    const operand = operands[index];
    truth = and(
      truth,
      operand === undefined ? openEnd(command) : anyTruth(alternatives, (word) => wordEquals(operand, word)),
    );
    if (truth === false) return false;
  }
  return truth;
}

function openEnd(command: ReadCommand): Truth {
  return command.openEnded ? 'unknown' : false;
}
