import { takeChars } from '../bounds.ts';
import { punchHoles } from '../holes.ts';
import type { Span, Via } from '../reading.ts';
import { newScope } from '../scope.ts';
import { runShellText } from '../shell-text.ts';
import type { Call, Walker } from '../walker.ts';
import { joinWords, unknownWord, type Word } from '../word.ts';
import { bracketPartners, type Code, filled } from './expressions.ts';
import { tokenize } from './tokens.ts';

/** Looks at an awk program: `system()`, pipes to and from commands, files that are read and written. */
export function readAwk(source: Word, call: Call, span: Span, walker: Walker): void {
  const { text, holes } = punchHoles(source);
  const tokens = takeChars(walker.budget, text.length) ? tokenize(text, 'awk') : undefined;
  if (tokens === undefined) {
    walker.gap('unknown_code', span, 'Cannot read the awk program: it is too large');
    return;
  }
  const code: Code = {
    language: 'awk',
    tokens,
    partners: bracketPartners(tokens),
    holes,
    variables: new Map(),
    aliases: new Map(),
  };
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token.text === 'system' && token.type === 'name' && next?.text === '(') {
      run(concatenation(code, at + 2, code.partners[at + 1] ?? tokens.length, call), call, span, walker);
    }
    if (token.type !== 'sign') return;
    if (token.text === '|' && next?.text === 'getline') run(before(code, at, call), call, span, walker);
    else if (token.text === '|' && next !== undefined)
      run(concatenation(code, at + 1, statementEnd(code, at + 1), call), call, span, walker);
    else if (
      token.text === '<' &&
      tokens.slice(Math.max(0, at - 2), at).some(({ text: name }) => name === 'getline')
    ) {
      walker.path(call.command, 'read', concatenation(code, at + 1, at + 2, call), { span });
    } else if (token.text === '>' && next?.type === 'string' && isAfterPrint(code, at)) {
      walker.path(call.command, 'write', concatenation(code, at + 1, at + 2, call), { span });
    }
  });
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

function isAfterPrint(code: Code, at: number): boolean {
  for (let back = at - 1; back >= 0 && back > at - 64; back--) {
    const { text, type } = code.tokens[back] ?? { text: ';', type: 'sign' };
    if (type === 'name' && (text === 'print' || text === 'printf')) return true;
    if (type === 'sign' && /^[;{}]$/.test(text)) return false;
  }
  return false;
}

/** Values next to each other are one text in awk. `$0` is the input where that is known. */
function concatenation(code: Code, from: number, to: number, call: Call): Word {
  let word: Word = [];
  for (let at = from; at < Math.min(to, from + MAX_PIECES); at++) {
    const token = code.tokens[at];
    if (token?.type === 'string') word = joinWords(word, filled(code, token.word));
    else if (token?.text === '$' && code.tokens[at + 1]?.text === '0' && call.command.input !== undefined) {
      word = joinWords(word, call.command.input);
      at++;
    } else if (token !== undefined && token.text !== '(' && token.text !== ')')
      word = joinWords(word, unknownWord(token.text));
  }
  return word;
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

function run(script: Word, call: Call, span: Span, walker: Walker): void {
  const via: readonly Via[] = [...call.place.via, { kind: 'interpreter', name: call.command.name ?? 'awk' }];
  const place = {
    ...call.place,
    scope: newScope('process', call.place.scope),
    via,
    parent: call.index,
    input: undefined,
  };
  runShellText(call, { word: script, span, at: undefined }, place, 'a command that awk runs', walker);
}
