import { takeChars } from '../../reading/bounds.ts';
import { withPlaceholders } from '../../reading/placeholders.ts';
import type { Span, Via } from '../../reading/reading.ts';
import { joinWords, leadingText, textWord, unknownWord, type Word } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import { newScope } from '../../shell/scope/scope.ts';
import type { Call, Walker } from '../../shell/scope/walker.ts';
import { afterComma, type Code, isSign, nameAt, newCode } from './code.ts';
import { filled } from './expressions.ts';
import { tokenize } from './tokens.ts';
import { textValue, wordOf } from './values.ts';

/** Looks at an awk program: `system()`, pipes to and from commands, files that are read and written. */
export function readAwk(source: Word, call: Call, span: Span, walker: Walker): void {
  const { text, placeholders } = withPlaceholders(source);
  const tokens = takeChars(walker.budget, text.length) ? tokenize(text, 'awk') : undefined;
  if (tokens === undefined) {
    walker.gap('unknown_code', span, 'Cannot read the awk program: it is too large');
    return;
  }
  const code = newCode('awk', tokens, placeholders);
  noteVariables(code, call);
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token.text === 'system' && token.type === 'name' && next?.text === '(')
      run(concatenation(code, at + 2, code.partners[at + 1] ?? tokens.length, call), call, span, walker);
    if (token.type !== 'sign') return;
    const back = token.text === '|' && next?.text === '&' ? 2 : 1;
    if (token.text === '|' && tokens[at + back]?.text === 'getline')
      run(before(code, at, call), call, span, walker);
    else if (token.text === '|' && tokens[at + back] !== undefined) {
      const command = concatenation(code, at + back, statementEnd(code, at + back), call);
      run(command, call, span, walker, printed(code, at, call));
    } else if (token.text === '<' && hasGetline(code, at))
      walker.path(call.command, 'read', concatenation(code, at + 1, at + 2, call), { span });
    else if (token.text === '>' && next !== undefined && isFileName(code, at + 1) && printAt(code, at) >= 0)
      walker.path(call.command, 'write', concatenation(code, at + 1, at + 2, call), { span });
  });
}

/** `name = "text"`, and `-v name=text`. */
function noteVariables(code: Code, call: Call): void {
  for (const { name, value } of call.parsed.flags) {
    const lead = leadingText(value ?? []);
    const sign = lead.indexOf('=');
    if ((name !== '-v' && name !== '--assign') || value === undefined || sign < 1) continue;
    const rest = joinWords(textWord(lead.slice(sign + 1)), value.slice(1));
    code.variables.set(lead.slice(0, sign), textValue(rest));
  }
  for (let at = 0; at < code.tokens.length; at++) {
    const name = nameAt(code, at);
    if (name === undefined || !isSign(code, at + 1, '=')) continue;
    const value = concatenation(code, at + 2, statementEnd(code, at + 2), call);
    if (value.some((part) => part.type === 'text')) code.variables.set(name, textValue(value));
  }
}

function hasGetline({ tokens }: Code, at: number): boolean {
  return tokens.slice(Math.max(0, at - 2), at).some(({ text }) => text === 'getline');
}

/** A text, or a variable that holds one: anything else may be compared. */
function isFileName(code: Code, at: number): boolean {
  return code.tokens[at]?.type === 'string' || code.variables.has(nameAt(code, at) ?? '');
}

/** What a print puts into a pipe: the whole line if it names nothing. */
function printed(code: Code, at: number, call: Call): Word | undefined {
  const print = printAt(code, at);
  if (print < 0) return undefined;
  if (print === at - 1) return call.command.input;
  const first = code.tokens[print]?.text === 'printf' ? afterComma(code, print + 1, at) : at;
  const isFormat = first < at;
  return isFormat ? unknownWord('printf') : concatenation(code, print + 1, at, call);
}

/** How many tokens make up one text at most. */
const MAX_PIECES = 24;

function statementEnd(code: Code, from: number): number {
  for (let at = from; at < from + MAX_PIECES; at++) {
    const token = code.tokens[at];
    if (token === undefined || (token.type === 'sign' && /^[;})]$/.test(token.text))) return at;
  }
  return from + MAX_PIECES;
}

/** The index of the print that a pipe or a file belongs to; negative if there is none. */
function printAt(code: Code, at: number): number {
  for (let back = at - 1; back >= 0 && back > at - 64; back--) {
    const { text, type } = code.tokens[back] ?? { text: ';', type: 'sign' };
    if (type === 'name' && (text === 'print' || text === 'printf')) return back;
    if (type === 'sign' && /^[;{}]$/.test(text)) return -1;
  }
  return -1;
}

/** Values next to each other are one text in awk. `$0` is the input where that is known. */
function concatenation(code: Code, from: number, to: number, call: Call): Word {
  let word: Word = [];
  for (let at = from; at < Math.min(to, from + MAX_PIECES); at++) {
    const token = code.tokens[at];
    const known = token?.type === 'name' ? code.variables.get(token.text) : undefined;
    if (token?.type === 'string') word = joinWords(word, wordOf(filled(code, token.word)));
    else if (known !== undefined) word = joinWords(word, wordOf(known));
    else if (token?.text === ',') word = joinWords(word, textWord(' '));
    else if (token?.text === '$' && code.tokens[at + 1]?.text === '0' && call.command.input !== undefined) {
      word = joinWords(word, call.command.input);
      at++;
    } else if (token !== undefined && token.text !== '(' && token.text !== ')')
      word = joinWords(word, unknownWord(token.text));
  }
  return to > from + MAX_PIECES ? joinWords(word, unknownWord('more')) : word;
}

/** The text before a pipe. */
function before(code: Code, at: number, call: Call): Word {
  let from = at;
  while (
    from > 0 &&
    from > at - MAX_PIECES &&
    !(code.tokens[from - 1]?.type === 'sign' && /^[;{}()]$/.test(code.tokens[from - 1]?.text ?? ''))
  )
    from--;
  return concatenation(code, from, at, call);
}

function run(script: Word, call: Call, span: Span, walker: Walker, input?: Word): void {
  const via: readonly Via[] = [...call.place.via, { kind: 'interpreter', name: call.command.name ?? 'awk' }];
  const place = {
    ...call.place,
    scope: newScope('process', call.place.scope),
    via,
    parent: call.index,
    input,
  };
  runShellText(call, { word: script, span, at: undefined }, place, 'a command that awk runs', walker);
}
