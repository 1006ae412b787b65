import { knownText, showWord } from '../../reading/word.ts';
import { followSum } from '../../shell/expand/arithmetic.ts';
import { withVariables } from '../../shell/expand/assign.ts';
import type { Arg, Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag } from '../interpret/arguments.ts';

/** A subscript or a list in quotes that runs something once it is expanded: `a[$(date)]`, `x=($(date))`. */
const EXPANDS = /^\w*(?:\[|=\().*(?:\$\(|`)/s;

/** Builtins take the names that they are given apart once more: `unset 'a[$(date)]'`. */
function names(of: (call: Call) => readonly Arg[] = ({ args }) => args): ProgramReader {
  return (call, walker) => {
    const texts = of(call).map(({ word }) => showWord(word.filter(({ type }) => type === 'text')));
    if (texts.some((text) => EXPANDS.test(text)))
      walker.gap('unknown_script', call.span, 'Cannot tell what is run in the name that a builtin is given');
    return undefined;
  };
}

/** The words behind a flag or an operator. */
const behind =
  (operator: string) =>
  ({ args }: Call): readonly Arg[] =>
    args.filter((_, index) => knownText(args[index - 1]?.word ?? []) === operator);

const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `[[ x -eq 1 ]]`: both sides are sums. */
const compare: ProgramReader = ({ args, place }) => {
  args.forEach(({ word }, index) => {
    if (!COMPARES_NUMBERS.test(knownText(word) ?? '')) return;
    for (const side of [args[index - 1], args[index + 1]]) {
      if (side !== undefined && !/^-?[0-9]*$/.test(knownText(side.word) ?? '?')) followSum(side.word, place);
    }
  });
  return undefined;
};

const sums: ProgramReader = ({ args, place }) => {
  for (const arg of args) followSum(arg.word, place);
  return undefined;
};

/** Flags with which a builtin runs what nobody can tell: another program by a name, or a text for each line. */
function unseen(...flags: readonly string[]): ProgramReader {
  return ({ parsed, span }, walker) => {
    if (hasFlag(parsed, ...flags)) walker.gap('unknown_script', span, 'Cannot tell what the builtin runs');
    return undefined;
  };
}

/** `fc -s` runs what the history holds. */
const history: ProgramReader = ({ parsed, span }, walker) => {
  if (!hasFlag(parsed, '-l'))
    walker.gap('unknown_script', span, 'Cannot tell which command of the history runs');
  return undefined;
};

const TAKE_NAMES = 'declare typeset local readonly export unset read getopts'.split(' ');

const READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(TAKE_NAMES.map((name) => [name, names()])),
  let: sums,
  '[[': (call, walker) => {
    compare(call, walker);
    return names(behind('-v'))(call, walker);
  },
  '[': names(behind('-v')),
  test: names(behind('-v')),
  printf: names(behind('-v')),
  wait: names(behind('-p')),
  mapfile: unseen('-C'),
  readarray: unseen('-C'),
  compgen: (call, walker) => {
    unseen('-C', '-F')(call, walker);
    const words = flagValue(call.parsed, '-W');
    if (words !== undefined && /\$\(|`/.test(showWord(words))) unseen('-W')(call, walker);
    return undefined;
  },
  hash: unseen('-p'),
  fc: history,
};

/** Builtins that expand or run what is in their arguments, with the variables that stand before them. */
export const EVALUATED_ARGUMENT_READERS: Readonly<Record<string, ProgramReader>> = Object.fromEntries(
  Object.entries(READERS).map(([name, read]) => [
    name,
    (call: Call, walker: Walker) => read({ ...call, place: withVariables(call.place) }, walker),
  ]),
);
