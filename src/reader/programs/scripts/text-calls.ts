import { joinWords, knownText, textWord, type Word } from '../../reading/word.ts';
import {
  addition,
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

const FIELDS = {
  percent: /%(?:\((\w+)\))?[-+ #0]*(?:[1-9][0-9]*)?(?:\.[0-9]+)?[sdifrqu%]/g,
  braces: /\{\{|\}\}|\{(\w*)(?:![rsa])?(?::[^{}]*)?\}/g,
};
const LITERALS: Readonly<Record<string, string | undefined>> = { '%%': '%', '{{': '{', '}}': '}' };

/** A text with values put in: `%s`, `%(name)s`, `{}`, `{0}`, `{name}`. */
export function formatted(
  template: Word,
  style: 'percent' | 'braces',
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Value {
  let word: Word = [];
  let next = 0;
  const valueFor = (name: string) => {
    if (name === '') return args[next++];
    return /^[0-9]+$/.test(name) ? args[Number(name)] : named.get(name);
  };
  for (const part of template) {
    let start = 0;
    const text = part.type === 'text' ? part.text : '';
    for (const match of text.matchAll(FIELDS[style])) {
      if (word.length > MAX_PARTS) return UNKNOWN_VALUE;
      const [whole, name = ''] = match;
      const literal = LITERALS[whole];
      const value = literal === undefined ? wordOf(valueFor(name)) : textWord(literal);
      word = joinWords(joinWords(word, textWord(text.slice(start, match.index))), value);
      start = match.index + whole.length;
    }
    word = joinWords(word, part.type === 'text' ? textWord(text.slice(start)) : [part]);
  }
  return textValue(word);
}

/** Two values with an operator between them. */
export function operated(operator: string, left: Value, right: Value): Value {
  if (operator === '/') return joinedPath([left, right]);
  if (operator === '%') return percent(left, right);
  if (operator === '*') return UNKNOWN_VALUE;
  return operator === '+' ? addition(left, right) : concatenated(left, right);
}

/** `'%s/%s' % (a, b)` */
function percent(template: Value, given: Value): Value {
  if (template.type !== 'text') return UNKNOWN_VALUE;
  const args = given.type === 'list' ? given.items : [given];
  return formatted(template.word, 'percent', args, given.type === 'object' ? given.entries : new Map());
}
