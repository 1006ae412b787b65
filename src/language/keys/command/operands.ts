import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { CLOSED } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import { and, or, type Truth } from '../../../model/truth.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { showWord, type Word } from '../../../reader/reading/word.ts';
import { askPart } from '../miss.ts';
import { prefixed } from '../spec-path.ts';
import { VALUE_TEST_SCHEMA, valueTestProblems } from '../types/value-test.ts';
import { compileWordTest, type WordTest } from '../types/word-test.ts';
import type { CommandTest } from './test.ts';

export const OPERANDS_SCHEMA: JsonObject = {
  ...CLOSED,
  minProperties: 1,
  properties: {
    first: { ...VALUE_TEST_SCHEMA, description: 'The first operand passes' },
    rest: { ...VALUE_TEST_SCHEMA, description: 'One of the operands after the first passes' },
    every: { ...VALUE_TEST_SCHEMA, description: 'There is at least one, and all pass' },
    any: { ...VALUE_TEST_SCHEMA, description: 'One operand passes' },
    min: { type: 'integer', minimum: 0, description: 'At least this many operands' },
    max: { type: 'integer', minimum: 0, description: 'At most this many operands' },
  },
  description: 'The operands: what follows the program and its subcommands, without flags and their values',
};

/** The problems in a test on operands that its schema cannot express. */
export function operandProblems(spec: Json): readonly SpecProblem[] {
  if (!isJsonObject(spec)) return [];
  return ['first', 'rest', 'every', 'any'].flatMap((key) =>
    prefixed(key, valueTestProblems(spec[key] ?? null)),
  );
}

/**
 * Compiles a test on the operands of one command.
 *
 * @param named how many of them the policy names as subcommands
 */
export function operandTest(spec: Json, named: (command: ReadCommand) => number): CommandTest {
  const tests = Object.entries(isJsonObject(spec) ? spec : {}).map(([key, value]) => ({
    key,
    value,
    test: compileKey(key, value),
  }));
  return (command, _reading, _surroundings, missed) => {
    const { operands, uncertain, openEnded } = command;
    const from = Math.max(command.subcommands, named(command));
    const passes = (words: readonly Word[]) =>
      tests.reduce<Truth>((truth, { key, value, test }, held) => {
        const found = words.slice(from);
        const part = () => ({ path: [key], wanted: value, seen: () => found.map(showWord) });
        return and(
          truth,
          askPart(part, held, missed, () => test(found, openEnded)),
        );
      }, true);
    const plain = passes(operands);
    if (plain !== false || uncertain.length === 0) return plain;
    // An operand behind an unknown flag may be the flag's value.
    return and('unknown', passes(operands.filter((_, index) => !uncertain.includes(index))));
  };
}

type OperandsTest = (operands: readonly Word[], openEnded: boolean) => Truth;

function compileKey(key: string, value: Json): OperandsTest {
  switch (key) {
    case 'first': {
      const test = compileWordTest(value);
      return (operands, openEnded) => {
        const [first] = operands;
        return first === undefined ? orMore(openEnded) : test(first);
      };
    }
    case 'rest':
      return anyWord(compileWordTest(value), 1);
    case 'any':
      return anyWord(compileWordTest(value), 0);
    case 'every': {
      const test = compileWordTest(value);
      return (operands, openEnded) => {
        const truth = operands.reduce<Truth>(
          (all, word) => and(all, test(word)),
          operands.length > 0 || orMore(openEnded),
        );
        return openEnded ? and(truth, 'unknown') : truth;
      };
    }
    case 'min':
      return (operands, openEnded) =>
        operands.filter((word) => !mayVanish(word)).length >= Number(value) || orMore(openEnded);
    case 'max':
      return (operands, openEnded) => {
        if (operands.filter((word) => !mayVanish(word)).length > Number(value)) return false;
        return openEnded ? 'unknown' : true;
      };
    default:
      throw new Error(`Cannot compile args test "${key}": unknown`);
  }
}

function anyWord(test: WordTest, from: number): OperandsTest {
  return (operands, openEnded) => {
    let truth: Truth = false;
    for (const word of operands.slice(from)) {
      truth = or(truth, test(word));
      if (truth === true) return true;
    }
    return or(truth, orMore(openEnded));
  };
}

/** An unquoted expansion may be no word at all. */
function mayVanish(word: Word): boolean {
  return word.length > 0 && word.every((part) => part.type === 'unknown' && part.splits);
}

function orMore(openEnded: boolean): Truth {
  return openEnded ? 'unknown' : false;
}
