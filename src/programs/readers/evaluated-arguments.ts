import { joinAll, knownText, leadingText, textWord, withoutWildcards } from '../../reading/word.ts';
import { withVariables } from '../../shell/expand/assign.ts';
import { expandAgain } from '../../shell/expand/expand-again.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import { variableOf } from '../../shell/scope/scope.ts';
import type { Arg, Call, Place, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag, valueAsArgument } from '../interpret/arguments.ts';

/** What stands in the subscript of a name that a builtin is given runs: `unset 'a[$(date)]'`. */
function names(of: (call: Call) => readonly Arg[]): ProgramReader {
  return (call, walker) => {
    for (const arg of of(call)) {
      const lead = leadingText(withoutWildcards(arg.word));
      if (!lead.includes('[')) continue;
      expandAgain(arg, call.place, walker);
      const subscript = /^\w+\[(\w+)\]$/.exec(lead)?.[1];
      if (subscript !== undefined) walker.evaluateText({ ...arg, word: textWord(subscript) }, call.place);
    }
    return undefined;
  };
}

const operands = ({ args, parsed }: Call): readonly Arg[] =>
  parsed.operands.flatMap(({ arg }) => args[arg] ?? []);

/** The value of a flag. */
const valuesOf =
  (...flags: readonly string[]) =>
  ({ args, parsed, span }: Call): readonly Arg[] =>
    parsed.flags.flatMap((flag) => (flags.includes(flag.name) ? [valueAsArgument(args, flag, span)] : []));

/** The word behind an operator of `test`. */
const behind =
  (operator: string) =>
  ({ args }: Call): readonly Arg[] =>
    args.filter((_, index) => knownText(args[index - 1]?.word ?? []) === operator);

const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `[[ x -eq 1 ]]`: both sides are sums. */
const compare: ProgramReader = ({ args, place }, walker) => {
  args.forEach(({ word }, index) => {
    if (!COMPARES_NUMBERS.test(knownText(word) ?? '')) return;
    for (const side of [args[index - 1], args[index + 1]]) {
      if (side !== undefined && !/^-?[0-9]*$/.test(knownText(side.word) ?? '?'))
        walker.evaluateText(side, place);
    }
  });
  return undefined;
};

const sums: ProgramReader = ({ args, place }, walker) => {
  for (const arg of args) walker.evaluateText(arg, place);
  return undefined;
};

/**
 * `declare 'a[$(date)]=1'`, `declare -i x=y`, `declare -a 'x=($(date))'`: names, sums and lists in texts that were in
 * quotes.
 */
const declaration: ProgramReader = (call, walker) => {
  const { place, parsed } = call;
  for (const arg of operands(call)) {
    const lead = leadingText(arg.word);
    const [name = ''] = /^[^=[]*(?:\[.*\]\+?(?==))?/s.exec(lead) ?? [];
    const value = { ...arg, word: joinAll([textWord(lead.slice(name.length + 1)), arg.word.slice(1)]) };
    if (name.includes('[')) expandAgain({ ...arg, word: textWord(name) }, place, walker);
    if (hasFlag(parsed, '-i')) {
      walker.integers.add(name);
      const elements = variableOf(place.scope, name)?.elements ?? [];
      for (const word of [value.word, ...elements]) walker.evaluateText({ ...arg, word }, place);
    } else if (lead.startsWith('(', name.length + 1)) expandAgain(value, place, walker);
    if (hasFlag(parsed, '-n') && name.length < lead.length) expandAgain(value, place, walker);
  }
  return undefined;
};

function runTexts(call: Call, texts: readonly Arg[], walker: Walker): void {
  const via: Place['via'] = [...call.place.via, { kind: 'eval', name: call.command.name ?? '' }];
  const place: Place = { ...call.place, via, parent: call.index, captured: false };
  for (const text of texts) runShellText(call, text, place, `what ${call.command.name} runs`, walker);
}

/** `mapfile -C 'date' x`. */
const callback: ProgramReader = (call, walker) => {
  runTexts(call, valuesOf('-C')(call), walker);
  return undefined;
};

/** `compgen -C 'date'`, `compgen -W '$(date)'`, `compgen -F f`. */
const completion: ProgramReader = (call, walker) => {
  const isNow = call.command.name === 'compgen';
  runTexts(call, [...valuesOf('-C')(call), ...(isNow ? valuesOf('-F')(call) : [])], walker);
  for (const words of valuesOf('-W', '-X')(call)) expandAgain(words, call.place, walker);
  return undefined;
};

/** `hash -p /bin/rm foo`: from here on `foo` is that program, whatever runs it. */
const remember: ProgramReader = (call, walker) => {
  if (flagValue(call.parsed, '-p') !== undefined)
    walker.gap(
      'unknown_script',
      call.span,
      'Cannot tell which programs the names stand for that hash is given',
    );
  return undefined;
};

/** `fc -s` runs what the history holds. */
const history: ProgramReader = (call, walker) => {
  if (!hasFlag(call.parsed, '-l'))
    walker.gap('unknown_script', call.span, 'Cannot tell which command of the history runs');
  return undefined;
};

const DECLARATIONS = 'declare typeset local readonly export'.split(' ');

const READERS: Readonly<Record<string, ProgramReader>> = {
  ...Object.fromEntries(DECLARATIONS.map((name) => [name, declaration])),
  let: sums,
  '[[': (call, walker) => {
    compare(call, walker);
    return names(behind('-v'))(call, walker);
  },
  '[': names(behind('-v')),
  test: names(behind('-v')),
  printf: names(valuesOf('-v')),
  wait: names(valuesOf('-p')),
  unset: names(operands),
  read: names((call) => [...operands(call), ...valuesOf('-a')(call)]),
  getopts: names(operands),
  mapfile: callback,
  readarray: callback,
  compgen: completion,
  complete: completion,
  hash: remember,
  fc: history,
};

/** Builtins that expand or run what is in their arguments, with the variables that stand before them. */
export const EVALUATED_ARGUMENT_READERS: Readonly<Record<string, ProgramReader>> = Object.fromEntries(
  Object.entries(READERS).map(([name, read]) => [
    name,
    (call: Call, walker: Walker) => read({ ...call, place: withVariables(call.place) }, walker),
  ]),
);
