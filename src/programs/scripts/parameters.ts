import { type Code, isSign, nameAt } from './code.ts';
import { eitherOf, UNKNOWN_VALUE, type Value } from './values.ts';

const MAX_PARAMETERS = 4;

/** A function that is written where it is used. */
export interface WrittenFunction {
  readonly parameters: readonly string[];
  /** Where its expression starts, if it is nothing else. */
  readonly body: number | undefined;
}

/** `f => …`, `(f, i) => …`, `async f => …`, `function (f) {…}`, `lambda f: …` */
export function functionAt(code: Code, from: number): WrittenFunction | undefined {
  const word = nameAt(code, from);
  if (word === 'lambda') return lambdaAt(code, from + 1);
  let at = word === 'async' ? from + 1 : from;
  const isKeyword = nameAt(code, at) === 'function';
  if (isKeyword) at = nameAt(code, at + 1) === undefined ? at + 1 : at + 2;
  const single = nameAt(code, at);
  if (single !== undefined)
    return isSign(code, at + 1, '=>') ? { parameters: [single], body: at + 2 } : undefined;
  const close = code.partners[at];
  if (!isSign(code, at, '(') || close === undefined) return undefined;
  if (!isKeyword && !isSign(code, close + 1, '=>')) return undefined;
  const isBlock = isKeyword || isSign(code, close + 2, '{');
  return { parameters: namesBetween(code, at + 1, close), body: isBlock ? undefined : close + 2 };
}

function lambdaAt(code: Code, from: number): WrittenFunction | undefined {
  let end = from;
  while (end < from + 2 * MAX_PARAMETERS && !isSign(code, end, ':')) end++;
  return code.language === 'python'
    ? { parameters: namesBetween(code, from, end), body: end + 1 }
    : undefined;
}

/** The parameters of a block of Ruby, `|a, b|`, and where its body starts. */
export function blockAt(code: Code, bar: number): WrittenFunction {
  let end = bar + 1;
  while (end < bar + 2 * MAX_PARAMETERS && !isSign(code, end, '|')) end++;
  return { parameters: namesBetween(code, bar + 1, end), body: end + 1 };
}

function namesBetween(code: Code, from: number, to: number): readonly string[] {
  const names: string[] = [];
  for (let at = from; at < to && names.length < MAX_PARAMETERS; at++) {
    const name = nameAt(code, at);
    if (name !== undefined) names.push(name);
  }
  return names;
}

/** Nobody knows what the names between two tokens stand for from here on. */
export function setUnknown(code: Code, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const name = nameAt(code, at);
    if (name !== undefined) code.variables.set(name, UNKNOWN_VALUE);
  }
}

/** Sets the variables of a loop: one, or one for each part of what it goes through. */
export function setNames(code: Code, names: readonly string[], element: Value): void {
  names.forEach((name, index) => {
    const part = element.type === 'list' ? element.items[index] : index === 0 ? element : undefined;
    setParameter(code, name, names.length === 1 ? element : (part ?? UNKNOWN_VALUE));
  });
}

/** Sets a variable of a function, behind which its name stands for what it did before. */
export function setParameter({ variables, outer }: Code, name: string, value: Value): void {
  const before = outer.get(name);
  variables.set(name, before === undefined ? value : eitherOf(before, value));
}
