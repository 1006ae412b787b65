import { EMPTY_WORD, joinAll, knownText, textWord, type Word } from '../../reading/word.ts';
import type { Call, Interpreter } from '../../shell/scope/interpreter.ts';
import { runInner } from '../interpret/run-inner.ts';
import { loadReadCode } from '../scripts/load-code.ts';

/** A piece of the input that a program types into a terminal: text, or a key by its name. */
export type Keystroke = { readonly text: Word } | { readonly key: string };

/** A line while it is typed. */
interface Line {
  word: Word;
  /** True if a command has typed some of it before: that was read there. */
  wasRead: boolean;
  /** The key before the text. */
  pressed: 'escape' | 'interrupt' | undefined;
}

/** A line that answers a question: no shell has a use for it. */
const ANSWER =
  /^(?:[ynaop]|\d{1,2}|yes|no|ok|okay|always|approve|allow|accept|confirm|proceed|continue|deny|reject)[.!]?$/i;
const ENTER = /^(?:enter|return|kpenter|kp_enter|c-m|c-j|ctrl[+ ][mj])$/i;
const ESCAPE = /^(?:escape|esc|c-\[)$/i;
const INTERRUPT = /^(?:c-[cu]|ctrl[+ ][cu])$/i;
/** Keys that choose, or switch an agent to doing without questions. */
const CHOOSES = /^(?:btab|s-tab|shift[+ ]tab|c-y|ctrl[+ ]y)$/i;
const SPACE = /^space$/i;
const ERASE = /^(?:bspace|backspace|c-h)$/i;
/** A line without Enter is remembered up to so many characters. */
const MAX_OPEN_CHARS = 200;

/** A line of code or SQL, which no shell accepts; its parts that a shell would replace or run are still searched. */
const CODE =
  /^(?:[a-z_][\w.]*\s*=\s*)?(?:await\s+|new\s+)?[a-z_][\w.]*\((?!\)\s*[^\s.,;)\]])|^(?:select|insert|update|delete|create|alter|with)\s[^()]*\(/i;
const FOR_SHELLS = /[<>]\(|[;&|](?!\s*$)/;
/** A bracket behind a word, as in prose: no shell takes that either, but some run the text inside. */
const PROSE =
  /(?:^|[^;&|(){}!\s]\s+)(?!(?:case|do|elif|else|function|if|in|not|or|and|select|then|time|until|while)\s)[\w.,:]+\s+\((?!\s*\))/;
const JAVASCRIPT = /\b(?:require|console|process|await|new)\b|=>/;

/** Lines without Enter by the program and its pane: another command of the script may end them. */
const openLines = new WeakMap<Interpreter, Map<string, Line>>();

/** Reads what a program types into an open terminal: lines run there, and a person must answer questions. */
export function typeKeys(call: Call, pane: string, pieces: readonly Keystroke[]): void {
  const open = openLines.get(call.interpreter) ?? new Map<string, Line>();
  openLines.set(call.interpreter, open);
  const place = `${call.command.name} ${pane}`;
  let line = open.get(place) ?? newLine();
  const entered: Word[] = [];
  const submit = () => {
    entered.push(forShell(line.word));
    endLine(line, true, call);
    line = newLine();
  };
  for (const piece of pieces.flatMap((each) => ('key' in each ? [each] : keysIn(each.text)))) {
    if ('text' in piece) {
      line = { ...line, word: joinAll([line.word, piece.text]), wasRead: false };
    } else if (ENTER.test(piece.key)) submit();
    else if (ESCAPE.test(piece.key)) {
      if (line.pressed === 'escape') answer(call);
      line = { ...newLine(), pressed: line.word.length > 0 ? undefined : 'escape' };
    } else if (INTERRUPT.test(piece.key)) line = { ...newLine(), pressed: 'interrupt' };
    else if (CHOOSES.test(piece.key)) answer(call);
    else if (SPACE.test(piece.key)) line.word = joinAll([line.word, textWord(' ')]);
    else if (ERASE.test(piece.key)) line.word = withoutLast(line.word);
  }
  endLine(line, false, call);
  // One line may use a name that another defines.
  if (entered.filter((word) => word.length > 0).length > 1)
    runInner(call, joinAll(entered.flatMap((word) => [word, textWord('\n')])), call.span);
  const isShort = (knownText(line.word) ?? '').length <= MAX_OPEN_CHARS;
  open.set(place, {
    word: isShort ? line.word : textWord('…'),
    wasRead: line.word.length > 0,
    pressed: line.pressed === 'interrupt' ? 'interrupt' : undefined,
  });
}

function newLine(): Line {
  return { word: EMPTY_WORD, wasRead: false, pressed: undefined };
}

function endLine({ word, wasRead, pressed }: Line, isEntered: boolean, call: Call): void {
  const text = knownText(word)?.trim() ?? (word.length === 0 ? '' : undefined);
  if (text === '') {
    // Enter takes the offered answer, blanks choose; after an interrupt nobody asks any more.
    const isAnswer = isEntered ? pressed !== 'interrupt' : pressed === 'escape' || word.length > 0;
    if (isAnswer) answer(call);
  } else if (text !== undefined && ANSWER.test(text)) answer(call);
  else if (!wasRead) {
    call.command.wrapper = true;
    if (text !== undefined && isCode(text)) readAsCode(text, call);
    else runInner(call, forShell(word), call.span);
  }
}

function isCode(text: string): boolean {
  return CODE.test(text) && !/`|\$\(/.test(text) && !FOR_SHELLS.test(text.replace(/"[^"]*"|'[^']*'/g, ''));
}

/** The commands that a shell may find in a line: none in code, the parts of prose. */
function forShell(word: Word): Word {
  const text = knownText(word);
  if (text === undefined) return word;
  if (isCode(text)) return EMPTY_WORD;
  return PROSE.test(text) ? textWord(text.replace(/[()]/g, '\n')) : word;
}

function readAsCode(text: string, call: Call): void {
  const language = JAVASCRIPT.test(text) ? 'javascript' : 'python';
  loadReadCode().readCode(textWord(text), {
    call,
    span: call.span,
    language,
    given: [],
    interpreter: call.interpreter,
  });
}

function answer({ command }: Call): void {
  command.caused.push({ kind: 'unguards', value: 'questions' });
}

function withoutLast(word: Word): Word {
  const known = knownText(word);
  return known === undefined ? word : textWord(known.slice(0, -1));
}

/** A text as it is typed: its control characters are keys. Unknown parts have none. */
function keysIn(word: Word): readonly Keystroke[] {
  const text = knownText(word);
  if (text === undefined) return word.length === 0 ? [] : [{ text: word }];
  const pieces = text.match(/\u001b\[[A-D]|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g) ?? [];
  return pieces.map((piece) => (CONTROL.test(piece) ? { key: keyOf(piece) } : { text: textWord(piece) }));
}

const CONTROL = /^[\u0000-\u001f\u007f]/;

function keyOf(control: string): string {
  if (control.length > 1) return 'Arrow';
  if (control === '\r' || control === '\n') return 'Enter';
  if (control === '\u001b') return 'Escape';
  if (control === '\u007f') return 'BSpace';
  return `C-${String.fromCharCode(control.charCodeAt(0) + 96)}`;
}

/** A text with its escapes undone, where it is known. */
export function spelled(word: Word, escapes: (text: string) => string): Word {
  const text = knownText(word);
  return text === undefined ? word : textWord(escapes(text));
}

/** The character with a number that is written out. */
export function character(code: string, base: number): string {
  const number = Number.parseInt(code.replace(/^0x/i, ''), base);
  return number >= 0 && number < 0x110000 ? String.fromCodePoint(number) : '';
}

/** Replaces `\n`, `\r`, `\e`, `\015`, `\x0d` by their characters. */
export function withoutBackslashes(text: string): string {
  return text.replace(
    /\\(?:([nretb])|x([0-9a-f]{1,2})|u([0-9a-f]{4})|([0-7]{1,3})|(.))/gi,
    (_, name, hex, wide, octal, other) => {
      if (name !== undefined)
        return { n: '\n', r: '\r', e: '\u001b', t: '\t', b: '\b' }[String(name).toLowerCase()] ?? '';
      if (octal !== undefined) return character(octal, 8);
      return hex !== undefined || wide !== undefined ? character(hex ?? wide, 16) : other;
    },
  );
}

/** The same with carets: `^M`. */
export function withoutCarets(text: string): string {
  return withoutBackslashes(
    text.replace(/\^([@-_])/g, (_, letter) => String.fromCharCode(letter.charCodeAt(0) - 64)),
  );
}
