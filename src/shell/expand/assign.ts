import type { Assignment as SyntaxAssignment, Word as SyntaxWord } from 'unbash';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  NO_ORIGINS,
  type Word,
  withoutWildcards,
  wordFrom,
} from '../../reading/word.ts';
import { spanIn } from '../parse/source.ts';
import type { AssignedVariable, Choices } from '../scope/choices.ts';
import { layerFor, newScope, setLocal, single, type Variable, variableOf } from '../scope/scope.ts';
import type { Arg, Place, Walker } from '../scope/walker.ts';
import { followSum } from './arithmetic.ts';
import { expandArguments, expandWhole } from './expand.ts';
import { expandAgain } from './expand-again.ts';
import type { Expansion } from './expansion.ts';

/** Where a variable is set and what is said about it beside. */
export interface AssignOptions {
  readonly local?: boolean;
  readonly exported?: boolean;
}

/**
 * Sets a variable as the command at a place does. A command that stands for several combinations of values leaves the
 * variable with all of its values.
 */
export function assign(
  place: Place,
  walker: Walker,
  name: string,
  value: Word,
  elements?: readonly Word[],
  options: AssignOptions = {},
): void {
  const [whole = name, element] = name.split('[', 2);
  // Which element it is that a text names is not followed.
  if (element !== undefined) {
    name = whole;
    elements = anyElements(name);
  }
  for (const each of elements ?? [value]) noteEvaluated(name, each, place, walker);
  const before = variableOf(place.scope, name);
  const exported = options.exported ?? before?.exported ?? walker.exportsAll;
  if (exported) walker.exported.add(name);
  const { choices } = place;
  const layer = options.local === true ? place.scope : layerFor(place.scope, name);
  const earlier = choices?.assigned.get(name);
  const others = othersOf(earlier, choices);
  const own = earlier === undefined ? layer.variables.get(name) : earlier.before;
  if (choices !== undefined) {
    choices.assigned.set(name, { layer, before: own, others, value, combination: choices.combination });
  }
  const values = [...others, value];
  setLocal(layer, name, { values, elements, exported });
}

/**
 * Prompts are expanded when they are shown, PS4 with each command under `set -x`; integers are set to sums; two tables say
 * what a command's name stands for.
 */
export function noteEvaluated(name: string, value: Word, place: Place, walker: Walker): void {
  const text = { word: value, span: walker.whole, at: undefined };
  if (/^PS[0124]$/.test(name)) expandAgain(text, place, walker);
  else if (walker.integers.has(name)) followSum(value, { place, walker });
  else if (/^BASH_(?:ALIASES|CMDS)\b/.test(name))
    walker.gap('unknown_script', walker.whole, `Cannot tell what the names in "${name}" stand for`);
}

/** `X=1 eval script`: the variables hold in it and are gone behind it, while what it sets itself stays. */
export function withVariables(place: Place): Place {
  if (place.environment.length === 0) return place;
  const scope = newScope('function', place.scope);
  for (const { name, value } of place.environment) setLocal(scope, name, single(value, true));
  return { ...place, scope };
}

/** What other combinations of the same command set a variable to. */
function othersOf(earlier: AssignedVariable | undefined, choices: Choices | undefined): readonly Word[] {
  if (earlier === undefined) return [];
  return earlier.combination === choices?.combination ? earlier.others : [...earlier.others, earlier.value];
}

/** Puts variables back to what they were, so that the next combination of a command does not see what this one set. */
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
): { readonly value: Word; readonly elements: readonly Word[] | undefined } {
  const { value, append, index, name } = assignment;
  const before = variableOf(expansion.place.scope, name);
  if (value.type === 'ArrayValue') {
    const earlier = append === true ? (before?.elements ?? []) : [];
    const elements =
      arrayElements(value.elements as readonly SyntaxWord[], earlier, expansion) ?? anyElements(name);
    return { value: elements[0] ?? EMPTY_WORD, elements };
  }
  // The parser takes an array that a continued line follows for text.
  if (value.text.startsWith('(')) {
    const { source, walker } = expansion;
    const span = spanIn(source, assignment.pos, assignment.end);
    walker.gap('syntax', span, `Cannot read the array "${name}": something is attached to it`);
  }
  const word = expandWhole(value, expansion, true);
  if (index !== undefined) {
    const at = expandWhole(index, expansion);
    followSum(at, expansion);
    return withElement(before, Number(knownText(at)), word);
  }
  if (append !== true) return { value: word, elements: undefined };
  if (expansion.walker.integers.has(name)) followSum(word, expansion);
  return { value: joinWords(before?.values.at(-1) ?? EMPTY_WORD, word), elements: undefined };
}

/** The elements of `(a b)` and `([0]=a [1]=b)` behind earlier ones; undefined where their places cannot be told. */
function arrayElements(
  written: readonly SyntaxWord[],
  earlier: readonly Word[],
  expansion: Expansion,
): readonly Word[] | undefined {
  const elements = [...earlier];
  let at = elements.length;
  let isKnown = true;
  for (const element of written) {
    if (!SUBSCRIPT.test(element.text)) {
      const args: Arg[] = [];
      expandArguments([element], expansion, args);
      for (const { word } of args) elements[at++] = word;
      continue;
    }
    const word = withoutWildcards(expandWhole(element, expansion));
    const lead = leadingText(word);
    const [plain = '', digits] = /^\[(\d{1,4})\]=/.exec(lead) ?? [];
    if (digits === undefined) {
      // The subscript is a sum: `([x]=1)`.
      const { text, placeholders } = withPlaceholders(word);
      followSum(fillPlaceholders(SUBSCRIPT.exec(text)?.[1] ?? '', placeholders), expansion);
    }
    isKnown &&= Number(digits) <= elements.length;
    if (!isKnown) continue;
    at = Number(digits);
    elements[at++] = wordFrom(word, plain.length);
  }
  return isKnown ? elements : undefined;
}

const SUBSCRIPT = /^\[(.*)\]\+?=/s;

/** Any words at all. */
function anyElements(name: string): readonly Word[] {
  const source = `${name}[@]`;
  return [[{ type: 'unknown', source, variable: undefined, splits: true, origins: NO_ORIGINS }]];
}

/** How many elements may be left out in front of one. */
const MAX_EMPTY_ELEMENTS = 256;

/** `a[3]=x`: those before it that are not set are empty. */
function withElement(
  before: Variable | undefined,
  at: number,
  value: Word,
): ReturnType<typeof assignedValue> {
  const elements = [...(before?.elements ?? [])];
  if (!Number.isInteger(at) || at < 0 || at > elements.length + MAX_EMPTY_ELEMENTS)
    return { value, elements: [...elements, value] };
  while (elements.length < at) elements.push(EMPTY_WORD);
  elements[at] = value;
  return { value: elements[0] ?? value, elements };
}
