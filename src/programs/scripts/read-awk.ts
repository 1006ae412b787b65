import { takeChars } from '../../reading/bounds.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Span } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  joinWords,
  leadingText,
  textWord,
  unknownWord,
  type Word,
  type WordPart,
} from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import type { Call, Walker } from '../../shell/scope/walker.ts';
import { innerPlace } from './run-from-code.ts';
import { type Token, tokenize } from './tokens.ts';

/** An awk program while it is read. */
interface Program {
  readonly tokens: readonly Token[];
  readonly placeholders: readonly WordPart[];
  readonly variables: Map<string, Word>;
  /** What `$0` stands for, if it is known. */
  readonly input: Word | undefined;
}

/** Looks at an awk program: `system()`, pipes to and from commands, files that are read and written. */
export function readAwk(source: Word, call: Call, span: Span, walker: Walker): void {
  const { text, placeholders } = withPlaceholders(source);
  const tokens = takeChars(walker.budget, text.length) ? tokenize(text, 'awk') : undefined;
  if (tokens === undefined) {
    walker.gap('unknown_code', span, 'Cannot read the awk program: it is too large');
    return;
  }
  const program = { tokens, placeholders, variables: new Map(), input: call.command.input };
  noteVariables(program, call);
  const run = (script: Word, input?: Word) =>
    runShellText(
      call,
      { word: script, span, at: undefined },
      { ...innerPlace(call), input },
      'a command that awk runs',
      walker,
    );
  tokens.forEach(({ type, text: sign }, at) => {
    const next = tokens[at + 1];
    if (type === 'name' && sign === 'system' && next?.text === '(') run(textFrom(program, at + 2));
    if (type !== 'sign' || next === undefined) return;
    const behind = sign === '|' && next.text === '&' ? at + 2 : at + 1;
    const print = printBefore(program, at);
    const file = textBetween(program, at + 1, at + 2);
    if (sign === '|' && tokens[behind]?.text === 'getline')
      run(textBetween(program, startBefore(program, at, /^[;{}()]$/), at));
    else if (sign === '|') run(textFrom(program, behind), printed(program, print, at));
    else if (sign === '<' && tokens.slice(Math.max(0, at - 2), at).some(({ text }) => text === 'getline'))
      walker.path(call.command, 'read', file, { span });
    else if (
      sign === '>' &&
      print !== undefined &&
      (next.type === 'string' || program.variables.has(next.text))
    )
      walker.path(call.command, 'write', file, { span });
  });
}

/** `name = "text"`, and `-v name=text`. */
function noteVariables(program: Program, call: Call): void {
  const { tokens, variables } = program;
  for (const { name, value = EMPTY_WORD } of call.parsed.flags) {
    const [, variable, rest = ''] = /^(\w+)=(.*)$/s.exec(leadingText(value)) ?? [];
    if ((name === '-v' || name === '--assign') && variable !== undefined)
      variables.set(variable, joinWords(textWord(rest), value.slice(1)));
  }
  tokens.forEach(({ type, text }, at) => {
    if (type !== 'name' || tokens[at + 1]?.text !== '=') return;
    const value = textFrom(program, at + 2);
    if (value.some((part) => part.type === 'text')) variables.set(text, value);
  });
}

/** How many tokens make up one text at most. */
const MAX_PIECES = 24;

/** The text from a token to the end of its statement, or to the bracket that closes behind it. */
function textFrom(program: Program, from: number): Word {
  let depth = 0;
  for (let at = from; at < from + MAX_PIECES; at++) {
    const { type, text } = program.tokens[at] ?? { type: 'sign', text: ';' };
    if (type !== 'sign') continue;
    if (text === '(') depth++;
    if (/^[;}]$/.test(text) || (text === ')' && --depth < 0)) return textBetween(program, from, at);
  }
  return joinWords(textBetween(program, from, from + MAX_PIECES), unknownWord('more'));
}

/** Values next to each other are one text in awk. */
function textBetween({ tokens, variables, placeholders, input }: Program, from: number, to: number): Word {
  let word: Word = EMPTY_WORD;
  for (let at = from; at < to; at++) {
    const { type, text, word: known } = tokens[at] ?? { type: 'sign', text: '(', word: EMPTY_WORD };
    const isLine = text === '$' && tokens[at + 1]?.text === '0' && input !== undefined;
    const variable = type === 'name' ? variables.get(text) : undefined;
    if (type === 'string')
      word = joinWords(
        word,
        known.flatMap((part) => (part.type === 'text' ? fillPlaceholders(part.text, placeholders) : [part])),
      );
    else if (isLine) word = joinWords(word, input);
    else if (type !== 'sign' || !/^[(),]$/.test(text)) word = joinWords(word, variable ?? unknownWord(text));
    else if (text === ',') word = joinWords(word, textWord(' '));
    if (isLine) at++;
  }
  return word;
}

/** Where the statement starts that goes up to a token. */
function startBefore({ tokens }: Program, at: number, stops: RegExp): number {
  let from = at;
  for (; from > Math.max(0, at - MAX_PIECES); from--) {
    const { type, text } = tokens[from - 1] ?? { type: 'sign', text: ';' };
    if (type === 'sign' && stops.test(text)) break;
  }
  return from;
}

/** The index of the print that a pipe or a file belongs to. */
function printBefore(program: Program, at: number): number | undefined {
  const from = startBefore(program, at, /^[;{}]$/);
  const index = program.tokens
    .slice(from, at)
    .findLastIndex(({ type, text }) => type === 'name' && /^printf?$/.test(text));
  return index < 0 ? undefined : from + index;
}

/** What a print puts into a pipe: the whole line if it names nothing. */
function printed(program: Program, print: number | undefined, at: number): Word | undefined {
  if (print === undefined) return undefined;
  if (print === at - 1) return program.input;
  // With values to put into its text nobody knows what it prints.
  const { tokens } = program;
  const isFormat =
    tokens[print]?.text === 'printf' && tokens.slice(print, at).some(({ text }) => text === ',');
  return isFormat ? unknownWord('printf') : textBetween(program, print + 1, at);
}
