import { type TextWithPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import { unknownWord, type Word, withoutWildcards } from '../../reading/word.ts';
import { evaluate, followNames } from '../expand/arithmetic.ts';
import { noteUncovered } from '../expand/cover.ts';
import { expandHereDocument, expansionAt } from '../expand/expand.ts';
import { runRest } from '../expand/expand-parts.ts';
import type { Expansion } from '../expand/expansion.ts';
import type { Source } from '../parse/source.ts';
import { parseShell } from '../parse/syntax.ts';
import type { Arg, Place, Walker } from '../scope/walker.ts';

/** What a text costs that is parsed once more, beside its length, as characters that are read. */
const CHARS_PER_TEXT = 500;

/** No text has a line like this one. */
const DELIMITER = '\u{F8FF}';

/** A text that the shell expands once more, as inside double quotes: a prompt, a subscript that a variable holds. */
export function expandAgain(text: Arg, place: Place, walker: Walker): Word {
  const written = withPlaceholders(withoutWildcards(text.word));
  if (!/[$`]/.test(written.text)) return text.word;
  if (written.text.includes(DELIMITER)) {
    walker.gap('syntax', text.span, 'Cannot read a text that is expanded once more');
    return unknownWord('a text that is expanded once more');
  }
  const script = `: <<${DELIMITER}\n${written.text}\n${DELIMITER}\n`;
  const expansion = enter(text, script, written.placeholders, place, walker);
  if (expansion === undefined) return unknownWord('a text that is expanded once more');
  const { script: parsed, error } = parseShell(script);
  const command = parsed?.commands[0]?.command;
  const document = command?.type === 'Command' ? command.redirects[0] : undefined;
  if (parsed === undefined || error !== undefined || document?.type !== 'HereDoc') {
    walker.gap('syntax', text.span, 'Cannot read a text that is expanded once more');
    return unknownWord('a text that is expanded once more');
  }
  const expanded = expandHereDocument(document.body, expansion);
  noteUncovered(parsed, expansion.source, walker);
  return expanded;
}

/** A text that the shell takes for a sum. What does not parse as one is an error there: what is substituted runs first. */
export function evaluateText(text: Arg, place: Place, walker: Walker): number | undefined {
  const written = withPlaceholders(withoutWildcards(text.word));
  // A variable whose value names itself comes to nothing more.
  // Inside a substitution the variable may have another value.
  const key = `${place.substitutions} ${written.text}`;
  if (walker.evaluating.has(key)) return undefined;
  walker.evaluating.add(key);
  try {
    return evaluateWritten(text, written, place, walker);
  } finally {
    walker.evaluating.delete(key);
  }
}

function evaluateWritten(
  text: Arg,
  written: TextWithPlaceholders,
  place: Place,
  walker: Walker,
): number | undefined {
  const script = `((${written.text}))`;
  const expansion = enter(text, script, written.placeholders, place, walker);
  if (expansion === undefined) return undefined;
  const { script: parsed, error } = parseShell(script);
  const command = parsed?.commands[0]?.command;
  const expression = command?.type === 'ArithmeticCommand' ? command.expression : undefined;
  if (parsed === undefined || error !== undefined || expression === undefined) {
    expandAgain(text, place, walker);
    followNames(written.text, expansion);
    return undefined;
  }
  const value = evaluate(expression, expansion);
  runRest(expression, expansion);
  noteUncovered(parsed, expansion.source, walker);
  return value;
}

function enter(
  { span }: Arg,
  text: string,
  placeholders: Source['placeholders'],
  place: Place,
  walker: Walker,
): Expansion | undefined {
  if (!walker.enter(place, span, CHARS_PER_TEXT + text.length)) return undefined;
  const inner = { ...place, depth: place.depth + 1, scriptDepth: place.scriptDepth + 1 };
  return expansionAt({ text, placeholders, offset: undefined, span }, inner, walker);
}
