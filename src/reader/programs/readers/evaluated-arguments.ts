import { knownText, showWord } from '../../reading/word.ts';
import { followSum } from '../../shell/expand/arithmetic.ts';
import { withVariables } from '../../shell/expand/assign.ts';
import { expandTwice } from '../../shell/expand/cover.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';

/** A subscript or a list in quotes that runs something once it is expanded: `a[$(date)]`, `x=($(date))`. */
const EXPANDS = /^\w*(?:\[|=\().*(?:\$\(|`)/s;

/** Builtins take the names that they are given apart once more: `unset 'a[$(date)]'`. */
const names: ProgramReader = ({ args, command, parsed, span, interpreter }) => {
  // The output of printf may look like anything.
  if (command.name === 'printf' && !hasFlag(parsed, '-v')) return undefined;
  const texts = args.map(({ word }) => showWord(word.filter(({ type }) => type === 'text')));
  if (texts.some((text) => EXPANDS.test(text)))
    interpreter.gap('unknown_script', span, 'Cannot tell which command runs in the name that a builtin gets');
  return undefined;
};

const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `[[ x -eq 1 ]]`: both sides are sums. */
const compare: ProgramReader = ({ args, frame }) => {
  args.forEach(({ word }, index) => {
    if (!COMPARES_NUMBERS.test(knownText(word) ?? '')) return;
    for (const side of [args[index - 1], args[index + 1]]) {
      if (side !== undefined && !/^-?[0-9]*$/.test(knownText(side.word) ?? '?')) followSum(side.word, frame);
    }
  });
  return undefined;
};

const sums: ProgramReader = ({ args, frame }) => {
  for (const arg of args) followSum(arg.word, frame);
  return undefined;
};

/** `compgen -W '$(date)'`: the words are expanded once more. */
const completions: ProgramReader = ({ frame, parsed, span }) => {
  const words = flagValue(parsed, '-W');
  if (words !== undefined) expandTwice({ word: words, span }, frame);
  return undefined;
};

const TAKE_NAMES = 'declare typeset local readonly export unset read getopts [ test printf wait'.split(' ');

const READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(TAKE_NAMES.map((name) => [name, names])),
  let: sums,
  compgen: completions,
  '[[': (call) => {
    compare(call);
    return names(call);
  },
};

/** Builtins that expand or run their arguments, with the variables that are before them. */
export const EVALUATED_ARGUMENT_READERS: Readonly<Record<string, ProgramReader>> = Object.fromEntries(
  Object.entries(READERS).map(([name, read]) => [
    name,
    (call: Call) => read({ ...call, frame: withVariables(call.frame) }),
  ]),
);
