import type { Assignment as SyntaxAssignment, Word as SyntaxWord } from 'unbash';
import { COMMAND_VARIABLE } from '../../reading/command-variable.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import {
  EMPTY_WORD,
  joinWords,
  originsOf,
  splittingWord,
  unknownWord,
  type Word,
  withoutWildcards,
} from '../../reading/word.ts';
import { spanIn } from '../parse/source.ts';
import type { AssignedVariable, Choices } from '../scope/choices.ts';
import type { Arg, Frame } from '../scope/interpreter.ts';
import { fromEnvironment, layerFor, newScope, setLocal, type Variable, variableOf } from '../scope/scope.ts';
import { followSum } from './arithmetic.ts';
import { expandTwice } from './cover.ts';
import { expandArgument, expandToOneWord } from './expand.ts';
import type { Expansion } from './expansion.ts';

/** The kind of an assignment. */
export interface AssignOptions {
  readonly local?: boolean;
  readonly exported?: Variable['exported'];
  /** The elements that it may have, if there are several possibilities. */
  readonly arrays?: readonly (readonly Word[])[] | undefined;
}

/** Sets a variable; after a command with several combinations it has all of their values. */
export function assign(
  frame: Frame,
  name: string,
  value: Word,
  elements?: readonly Word[],
  options: AssignOptions = {},
): void {
  const { choices, interpreter } = frame;
  const [whole = name, element] = name.split('[', 2);
  // The index of the element in a text is not followed.
  if (element !== undefined) {
    name = whole;
    elements = anyElements(name, [value]);
  }
  for (const each of elements ?? [value]) noteEvaluated(name, each, frame);
  const cased = interpreter.cased.get(name);
  if (cased !== undefined) {
    value = inCase(value, cased);
    elements = elements?.map((each) => inCase(each, cased));
  }
  const before = variableOf(frame.scope, name);
  // They are in the environment of most people already.
  const exported =
    options.exported ??
    before?.exported ??
    (name === 'HOME' || interpreter.exportsAll || COMMAND_VARIABLE.test(name));
  if (exported) interpreter.exported.add(name);
  const layer = options.local === true ? frame.scope : layerFor(frame.scope, name);
  const earlier = choices?.assigned.get(name);
  const others = otherValues(earlier, choices);
  const own = earlier === undefined ? layer.variables.get(name) : earlier.before;
  if (choices !== undefined) {
    choices.assigned.set(name, { layer, before: own, others, value, combination: choices.combination });
  }
  const values = [...others, value];
  setLocal(layer, name, { values, elements, arrays: options.arrays, exported });
}

/** `declare -l x`: a value in the letters that a variable has been given. An unknown part is a name that the script makes. */
function inCase(value: Word, cased: 'lower' | 'upper'): Word {
  return value.map((part) => {
    if (part.type === 'text')
      return { ...part, text: cased === 'lower' ? part.text.toLowerCase() : part.text.toUpperCase() };
    if (part.type !== 'unknown') return part;
    const source = /^\$\{/.test(part.source) ? part.source : `\${${part.source.replace(/^\$/, '')},,}`;
    return { ...part, source, variable: undefined };
  });
}

/** Records variables that run code: prompts, PS4 under `set -x`, integers, and two tables of command names. */
export function noteEvaluated(name: string, value: Word, frame: Frame): void {
  const { interpreter } = frame;
  const text = { word: value, span: interpreter.whole };
  if (/^PS[0124]$/.test(name)) expandTwice(text, frame);
  else if (interpreter.integers.has(name)) followSum(value, frame);
  else if (/^BASH_(?:ALIASES|CMDS)\b/.test(name))
    interpreter.gap('unknown_script', interpreter.whole, `Cannot tell what the names in "${name}" stand for`);
}

/** `X=1 eval script`: the variables hold in it and are gone behind it, while those that it sets itself stay. */
export function withVariables<P extends Frame>(frame: P): P {
  if (frame.environment.length === 0) return frame;
  const scope = newScope('function', frame.scope);
  for (const each of frame.environment) setLocal(scope, each.name, fromEnvironment(each));
  return { ...frame, scope };
}

/** The values that other combinations of the same command give a variable. */
function otherValues(earlier: AssignedVariable | undefined, choices: Choices | undefined): readonly Word[] {
  if (earlier === undefined) return [];
  return earlier.combination === choices?.combination ? earlier.others : [...earlier.others, earlier.value];
}

/** Puts variables back to their old values, so that the next combination of a command does not see those that this one set. */
export function undoAssignments(choices: Choices): void {
  for (const [name, { layer, before }] of choices.assigned) {
    if (before === undefined) layer.variables.delete(name);
    else layer.variables.set(name, before);
  }
}

/** The value that an assignment written in the script gives, and the elements if it is an array. */
export function assignedValue(
  assignment: SyntaxAssignment,
  expansion: Expansion,
): { readonly value: Word; readonly elements: readonly Word[] | undefined } & Pick<AssignOptions, 'arrays'> {
  const { value, append, index, name } = assignment;
  const before = variableOf(expansion.scope, name);
  if (value.type === 'ArrayValue') {
    if (append === true && before?.arrays !== undefined) {
      const added = arrayElements(name, value.elements, [], expansion);
      const arrays = before.arrays.map((earlier) => [...earlier, ...added]);
      return { value: arrays[0]?.[0] ?? EMPTY_WORD, elements: undefined, arrays };
    }
    const earlier = append === true ? (before?.elements ?? []) : [];
    const elements = arrayElements(name, value.elements, earlier, expansion);
    return { value: elements[0] ?? EMPTY_WORD, elements };
  }
  // The parser takes an array that a continued line follows for text.
  if (value.text.startsWith('(')) {
    const { source, interpreter } = expansion;
    const span = spanIn(source, assignment.pos, assignment.end);
    interpreter.gap('syntax', span, `Cannot read the array "${name}": something is attached to it`);
  }
  const word = expandToOneWord(value, expansion, true);
  if (index !== undefined) {
    followSum(expandToOneWord(index, expansion), expansion);
    return { value: word, elements: anyElements(name, [...(before?.elements ?? []), word]) };
  }
  if (append !== true) return { value: word, elements: undefined };
  if (expansion.interpreter.integers.has(name)) followSum(word, expansion);
  return { value: joinWords(before?.values.at(-1) ?? EMPTY_WORD, word), elements: undefined };
}

/** The elements of `(a b)` behind earlier ones; any words where some name their own places: `([0]=a [1]=b)`. */
function arrayElements(
  name: string,
  written: readonly SyntaxWord[],
  earlier: readonly Word[],
  expansion: Expansion,
): readonly Word[] {
  const args: Arg[] = [];
  const placed: Word[] = [];
  for (const element of written) {
    const word = SUBSCRIPT.test(element.text) ? expandToOneWord(element, expansion) : undefined;
    if (word === undefined) expandArgument(element, expansion, args);
    else {
      placed.push(word);
      // The subscript is a sum: `([x]=1)`.
      const { text, placeholders } = withPlaceholders(withoutWildcards(word));
      followSum(fillPlaceholders(SUBSCRIPT.exec(text)?.[1] ?? '', placeholders), expansion);
    }
  }
  const elements = [...earlier, ...args.map(({ word }) => word)];
  return placed.length === 0 ? elements : anyElements(name, [...elements, ...placed]);
}

const SUBSCRIPT = /^\[(.*)\]\+?=/s;

/** Any words at all, with the origins of some words. */
function anyElements(name: string, words: readonly Word[]): readonly Word[] {
  return [splittingWord(unknownWord(`${name}[@]`, words.flatMap(originsOf)))];
}
