import { type Code, isSign, nameAt } from './code.ts';
import { elementOf, textValue, UNKNOWN_VALUE, type Value } from './values.ts';

/** Calls that give each value of a list to a function. */
const ITERATORS = new Set(['forEach', 'map', 'flatMap', 'filter', 'some', 'every', 'find']);
const MAX_PARAMETERS = 4;

/** A call of which the arguments have not been looked at. */
interface Callee {
  readonly code: Code;
  readonly names: readonly string[];
  readonly value: Value | undefined;
}

/**
 * Sets the parameters of a function that is written as an argument: `list.forEach(f => …)`. Returns where its body starts
 * if the call gives back what the function gives.
 */
export function setCallback({ code, names, value }: Callee, open: number): number | undefined {
  if (code.language !== 'javascript') return undefined;
  const last = names.at(-1) ?? '';
  const isList = ITERATORS.has(last);
  if (!isList && last !== 'then' && last !== 'readdir') return undefined;
  const start = last === 'readdir' ? afterFirst(code, open + 1) : open + 1;
  const written = functionAt(code, start);
  if (written === undefined) return undefined;
  const [first, second] = written.parameters;
  if (last === 'readdir') {
    if (second !== undefined) code.variables.set(second, ANY_NAME);
  } else if (first !== undefined && !isSign(code, start + 1, '{')) {
    const given: Value = value ?? { type: 'function', names: names.slice(0, -1), method: false };
    code.variables.set(first, isList ? elementOf(value) : given);
  }
  return written.body !== undefined && (last === 'map' || last === 'flatMap') ? written.body : undefined;
}

const ANY_NAME: Value = textValue([{ type: 'glob', pattern: '*' }]);

function afterFirst(code: Code, from: number): number {
  let at = from;
  while (at < from + 16 && at < code.tokens.length && !isSign(code, at, ',')) at++;
  return at + 1;
}

interface WrittenFunction {
  readonly parameters: readonly string[];
  /** Where the expression of an arrow function starts. */
  readonly body: number | undefined;
}

/** `f => …`, `(f, i) => …`, `async f => …`, `function (f) {…}` */
function functionAt(code: Code, from: number): WrittenFunction | undefined {
  let at = nameAt(code, from) === 'async' ? from + 1 : from;
  const isKeyword = nameAt(code, at) === 'function';
  if (isKeyword) at = nameAt(code, at + 1) === undefined ? at + 1 : at + 2;
  const single = nameAt(code, at);
  if (single !== undefined)
    return isSign(code, at + 1, '=>') ? { parameters: [single], body: at + 2 } : undefined;
  const close = code.partners[at];
  if (!isSign(code, at, '(') || close === undefined) return undefined;
  if (!isKeyword && !isSign(code, close + 1, '=>')) return undefined;
  const parameters = namesBetween(code, at + 1, close);
  return { parameters, body: isKeyword || isSign(code, close + 2, '{') ? undefined : close + 2 };
}

function namesBetween(code: Code, from: number, to: number): readonly string[] {
  const names: string[] = [];
  for (let at = from; at < to && names.length < MAX_PARAMETERS; at++) {
    const name = nameAt(code, at);
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** Sets the parameters of a block, which end at a bar, to what a loop goes through. */
export function setParameters(code: Code, from: number, element: Value): void {
  let end = from;
  while (end < from + 2 * MAX_PARAMETERS && !isSign(code, end, '|')) end++;
  const names = namesBetween(code, from, end);
  setNames(code, names, element);
}

/** Sets the variables of a loop: one, or one for each part of what it goes through. */
export function setNames(code: Code, names: readonly string[], element: Value): void {
  const [first] = names;
  if (names.length === 1 && first !== undefined) {
    code.variables.set(first, element);
    return;
  }
  names.forEach((name, index) => {
    const part =
      element.type === 'list'
        ? (element.items[index] ?? UNKNOWN_VALUE)
        : index === 0
          ? element
          : UNKNOWN_VALUE;
    code.variables.set(name, part);
  });
}
