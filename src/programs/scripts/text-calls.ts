import { joinWords, knownText, leadingText, textWord, unknownWord } from '../../reading/word.ts';
import {
  added,
  concatenated,
  joinedPath,
  listValue,
  MAX_PARTS,
  textValue,
  UNKNOWN_VALUE,
  type Value,
  wordOf,
} from './values.ts';

/** A text taken apart, if it is known; otherwise the text itself. */
export function splitText(subject: Value | undefined, separator: Value | undefined): Value {
  const known = subject?.type === 'text' ? knownText(subject.word) : undefined;
  const sign = separator === undefined ? ' ' : knownText(wordOf(separator));
  if (known === undefined || sign === undefined || /["'\\]/.test(known)) return subject ?? UNKNOWN_VALUE;
  const parts = sign.trim() === '' && sign !== '' ? known.trim().split(/\s+/) : known.split(sign);
  return listValue(parts.slice(0, MAX_PARTS + 1).map((part) => textValue(textWord(part))));
}

/** A text with values put in: it is known up to the first of them. */
export function formatted(template: Value | undefined): Value {
  if (template?.type !== 'text') return UNKNOWN_VALUE;
  const lead = leadingText(template.word);
  const field = lead.search(/[%{}]/);
  if (field < 0 && knownText(template.word) !== undefined) return template;
  const known = textWord(field < 0 ? lead : lead.slice(0, field));
  return textValue(joinWords(known, unknownWord('a text that is put together')));
}

/** Two values with an operator between them. */
export function operated(operator: string, left: Value, right: Value): Value {
  if (operator === '/') return joinedPath([left, right]);
  if (operator === '%') return formatted(left);
  if (operator === '*') return UNKNOWN_VALUE;
  return operator === '+' ? added(left, right) : concatenated(left, right);
}
