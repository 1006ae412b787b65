import type { ArithmeticExpression } from 'unbash';
import { LIMITS, takeStep } from '../../reading/bounds.ts';
import { fillPlaceholders } from '../../reading/placeholders.ts';
import { knownText, textWord, unknownWord, type Word, withoutWildcards } from '../../reading/word.ts';
import { spanIn } from '../parse/source.ts';
import { setVariable, single } from '../scope/scope.ts';
import type { Expansion } from './expansion.ts';
import { substitute } from './substitution.ts';
import { lookUp } from './variable-value.ts';

/** The value of an arithmetic expression, undefined if it is not known. Runs what is substituted, sets what is set. */
export function evaluate(
  expression: ArithmeticExpression | undefined,
  expansion: Expansion,
  depth = expansion.place.depth,
): number | undefined {
  if (expression === undefined) return undefined;
  if (depth > LIMITS.depth) {
    const { walker, source } = expansion;
    walker.gap('too_deep', spanIn(source, expression.pos, expression.end), 'The sum is too long to be read');
    return undefined;
  }
  const value = (inner: ArithmeticExpression) => evaluate(inner, expansion, depth + 1);
  switch (expression.type) {
    case 'ArithmeticWord':
      return evaluateWord(expression, expansion, depth);
    case 'ArithmeticCommandExpansion':
      return computed(substitute(expression, expansion), expansion, depth);
    case 'ArithmeticGroup':
      return value(expression.expression);
    case 'ArithmeticTernary': {
      const test = value(expression.test);
      const yes = value(expression.consequent);
      const no = value(expression.alternate);
      return test === undefined ? undefined : test !== 0 ? yes : no;
    }
    case 'ArithmeticUnary': {
      const inner = value(expression.operand);
      if (expression.operator === '++' || expression.operator === '--')
        assign(expression.operand, undefined, expansion);
      return unary(expression.operator, inner);
    }
    case 'ArithmeticBinary': {
      const left = value(expression.left);
      const right = value(expression.right);
      if (!/^(?:[-+*/%&|^]|<<|>>)?=$/.test(expression.operator))
        return binary(expression.operator, left, right);
      const result =
        expression.operator === '=' ? right : binary(expression.operator.slice(0, -1), left, right);
      assign(expression.left, result, expansion);
      return result;
    }
    default:
      return expression satisfies never;
  }
}

function evaluateWord(
  { value, parts }: Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>,
  expansion: Expansion,
  depth: number,
): number | undefined {
  if (parts === undefined) return written(value, expansion, depth);
  // To the shell apostrophes are no quotes here, to the parser they are.
  const isQuoted = parts.some(({ type }) => type === 'SingleQuoted');
  const text = isQuoted
    ? fillPlaceholders(value, expansion.source.placeholders)
    : expansion.quoted(parts, expansion);
  return computed(text, expansion, depth);
}

const NUMBER = /^-?(?:0|[1-9][0-9]{0,14})$/;

/** An operand that stands in the sum itself: a number, or a variable, whose value is a sum in turn. */
function written(text: string, expansion: Expansion, depth = expansion.place.depth): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  text = text.replaceAll('\\\n', '');
  const [, name, subscript] = /^\$?([A-Za-z_][A-Za-z0-9_]*|[0-9]+)(?:\[(.*)\])?$/s.exec(text) ?? [];
  if (name === undefined) {
    followNames(text, expansion);
    return undefined;
  }
  if (subscript !== undefined)
    computed(fillPlaceholders(subscript, expansion.source.placeholders), expansion, depth);
  const found = lookUp(name, expansion, `$${name}`);
  const values = found.type === 'list' ? found.words : found.type === 'set' ? [found.word] : [];
  const [value] = values.map((word) => computed(word, expansion, depth));
  return subscript === undefined ? value : undefined;
}

/** A text that is no sum as a whole: the shell may look at any variable that it names before it finds that out. */
export function followNames(text: string, expansion: Expansion): void {
  for (const [name] of text.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g))
    if (takeStep(expansion.walker.budget)) written(name, expansion);
}

/** The value of a text that the shell takes for a sum: what is substituted in it runs. */
export function computed(
  expanded: Word,
  { walker, place, source }: Expansion,
  depth = place.depth,
): number | undefined {
  const word = withoutWildcards(expanded);
  const known = knownText(word)?.trim();
  if (known !== undefined && NUMBER.test(known)) return Number(known);
  if (word.every((part) => part.type !== 'text' || !/[A-Za-z_$`]/.test(part.text))) return undefined;
  return walker.evaluateText({ word, span: source.span, at: undefined }, { ...place, depth });
}

function assign(target: ArithmeticExpression, value: number | undefined, expansion: Expansion): void {
  const [, name, subscript] =
    (target.type === 'ArithmeticWord' && /^([A-Za-z_][A-Za-z0-9_]*)(\[.*)?$/s.exec(target.value)) || [];
  if (name === undefined) {
    const span = spanIn(expansion.source, target.pos, target.end);
    expansion.walker.gap('unknown_script', span, 'Cannot tell which variable a sum sets');
    return;
  }
  const isKnown = value !== undefined && subscript === undefined;
  const word = isKnown ? textWord(String(value)) : unknownWord(`$${name}`);
  setVariable(expansion.place.scope, name, single(word));
}

function unary(operator: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (operator === '-') return -value;
  if (operator === '+') return value;
  return operator === '!' ? Number(value === 0) : undefined;
}

function binary(operator: string, left: number | undefined, right: number | undefined): number | undefined {
  if (operator === ',') return right;
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : Math.trunc(left / right);
    case '%':
      return right === 0 ? undefined : left % right;
    default:
      return undefined;
  }
}
