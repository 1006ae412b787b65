import type { ArithmeticExpression, SyntaxNode } from 'unbash';
import { takeStep } from '../../reading/bounds.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import { unknownWord, type Word, withoutWildcards } from '../../reading/word.ts';
import { spanIn } from '../parse/source.ts';
import { childrenOf } from '../parse/syntax.ts';
import type { Frame } from '../scope/interpreter.ts';
import { positionalOf, setVariable, single, variableOf } from '../scope/scope.ts';
import type { Expansion } from './expansion.ts';
import { substitute } from './substitution.ts';

/** A variable, or one of the positional parameters. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*|(?<=\$)[0-9@*]+/g;
/** The start of a substitution in a text. */
const SUBSTITUTED = /\$[({[]|`/;
/** A text that sets a variable if it is a sum. */
const SETS = /(?:^|[^=!<>]|<<|>>)=(?!=)|\+\+|--/;

/** Runs the substitutions in a sum, and sets its variables. Its result is not computed. */
export function runSum(expression: ArithmeticExpression | undefined, expansion: Expansion): void {
  const pending: SyntaxNode[] = expression === undefined ? [] : [expression];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === 'ArithmeticCommandExpansion') followSum(substitute(node, expansion), expansion);
    else if (node.type === 'ArithmeticWord') followSum(operand(node, expansion), expansion);
    else {
      if (node.type === 'ArithmeticUnary' && /^(?:\+\+|--)$/.test(node.operator))
        set(node.operand, expansion);
      if (node.type === 'ArithmeticBinary' && /^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator))
        set(node.left, expansion);
      pending.push(...childrenOf(node).toReversed());
    }
  }
}

function operand(
  { value, parts }: Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>,
  expansion: Expansion,
): Word {
  // To the shell apostrophes are no quotes here, to the parser they are.
  return parts === undefined || parts.some(({ type }) => type === 'SingleQuoted')
    ? fillPlaceholders(value.replaceAll('\\\n', ''), expansion.source.placeholders)
    : expansion.quoted(parts, expansion);
}

function set(target: ArithmeticExpression, expansion: Expansion): void {
  const { source, scope, interpreter } = expansion;
  const isWord = target.type === 'ArithmeticWord';
  // The value that it had before is a sum as well.
  if (isWord) followSum(operand(target, expansion), expansion);
  const name = isWord ? /^([A-Za-z_]\w*)(?:\[.*)?$/s.exec(target.value)?.[1] : undefined;
  if (name !== undefined) setVariable(scope, name, single(unknownWord(`$${name}`)));
  else {
    const span = spanIn(source, target.pos, target.end);
    interpreter.gap('unknown_script', span, 'Cannot tell which variable a sum sets');
  }
}

/** Evaluates a text as a sum. A substitution in one of its variables would run, so that is a gap. */
export function followSum(sum: Word, { scope, interpreter }: Frame): void {
  const seen = new Set<string>();
  const pending = [sum];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { text } = withPlaceholders(withoutWildcards(next));
    if (SUBSTITUTED.test(text))
      interpreter.gap('unknown_script', interpreter.whole, 'Cannot tell what runs in a sum');
    const sets = SETS.test(text);
    for (const [name] of text.matchAll(NAME)) {
      if (seen.has(name) || !takeStep(interpreter.budget)) continue;
      seen.add(name);
      const variable = variableOf(scope, name);
      if (variable !== undefined) pending.push(...(variable.elements ?? variable.values));
      else if (/^[0-9@*]/.test(name)) pending.push(...(positionalOf(scope) ?? []));
      if (sets) setVariable(scope, name, single(unknownWord(`$${name}`)));
    }
  }
}
