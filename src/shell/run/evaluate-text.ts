import { withPlaceholders } from '../../reading/placeholders.ts';
import { withoutWildcards } from '../../reading/word.ts';
import { evaluate, followNames } from '../expand/arithmetic.ts';
import { noteUncovered } from '../expand/cover.ts';
import { expansionAt } from '../expand/expand.ts';
import { expandAgain } from '../expand/expand-again.ts';
import { runRest } from '../expand/expand-parts.ts';
import { parseShell } from '../parse/syntax.ts';
import type { Arg, Place, Walker } from '../scope/walker.ts';

/** What a text costs that is parsed once more, beside its length, as characters that are read. */
const CHARS_PER_TEXT = 500;

/** A text that the shell takes for a sum. What does not parse as one is an error there: what is substituted runs first. */
export function evaluateText(text: Arg, place: Place, walker: Walker): number | undefined {
  const { span } = text;
  const { text: written, placeholders } = withPlaceholders(withoutWildcards(text.word));
  const script = `((${written}))`;
  if (!walker.enter(place, span, CHARS_PER_TEXT + script.length)) return undefined;
  const inner = { ...place, depth: place.depth + 1, scriptDepth: place.scriptDepth + 1 };
  const expansion = expansionAt({ text: script, placeholders, offset: undefined, span }, inner, walker);
  const { script: parsed, error } = parseShell(script);
  const command = parsed?.commands[0]?.command;
  const expression = command?.type === 'ArithmeticCommand' ? command.expression : undefined;
  if (parsed === undefined || error !== undefined || expression === undefined) {
    expandAgain(text, place, walker);
    followNames(written, expansion);
    return undefined;
  }
  const value = evaluate(expression, expansion);
  runRest(expression, expansion);
  noteUncovered(parsed, expansion.source, walker);
  return value;
}
