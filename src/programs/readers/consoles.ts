import { checkTime } from '../../lib/time-limit.ts';
import { isExhausted, takeChars } from '../../reading/bounds.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Span } from '../../reading/reading.ts';
import { joinWords, leadingText, outsideVariable, textWord, type Word } from '../../reading/word.ts';
import type { Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { runInner } from '../interpret/run-inner.ts';
import { loadReadCode } from '../scripts/load-code.ts';
import { newCodePlace } from '../scripts/place.ts';
import { CONSOLES, type Console, type ConsoleRule } from './console-programs.ts';

function consoleReader(spec: Console): ProgramReader {
  const flags = new Set(spec.flags?.split(' '));
  let rules: readonly ConsoleRule[] | undefined;
  return (call, walker) => {
    rules ??= spec.rules();
    const known = rules;
    const { operands } = call.parsed;
    let given = false;
    const read = (word: Word, arg: number) => {
      given = true;
      readConsole(word, argumentSpan(call, arg), known, call, walker);
    };
    for (const { name, value, arg } of call.parsed.flags)
      if (value !== undefined && flags.has(name)) read(value, arg);
    for (const { word, arg } of spec.from === undefined ? [] : operands.slice(spec.from)) read(word, arg);
    for (const { word, arg } of spec.plus === undefined ? [] : operands)
      if (leadingText(word).startsWith('+')) read(word, arg);
    const { input } = call.command;
    const isRead = spec.input === 'always' || (spec.input === true && !given);
    if (isRead && input !== undefined) readConsole(input, call.span, known, call, walker);
    return undefined;
  };
}

/** Finds the commands of a program that run others or use files. */
function readConsole(
  source: Word,
  span: Span,
  rules: readonly ConsoleRule[],
  call: Call,
  walker: Walker,
): void {
  checkTime();
  const { text, placeholders } = withPlaceholders(source);
  if (!takeChars(walker.budget, text.length)) {
    walker.gap(
      'unknown_code',
      span,
      `Cannot read the commands of ${call.command.name ?? 'a program'}: too long`,
    );
    return;
  }
  for (const rule of rules) {
    for (const [, found = ''] of text.matchAll(rule.pattern)) {
      if (isExhausted(walker.budget)) return;
      const word = fillPlaceholders(plainText(rule, found, call), placeholders);
      if (rule.use === 'again') readConsole(word, span, rules, call, walker);
      else use(rule.use, word, span, call, walker);
    }
  }
}

/** The text without its quotes. */
function plainText({ quoted, list }: ConsoleRule, found: string, { command }: Call): string {
  if (list !== true) return quoted === true ? found.replace(/\\(.)/g, '$1') : found;
  const texts = [...found.matchAll(/"((?:[^"\\]|\\.)*)"|'([^'\n]*)'/g)].map(([, double, single]) =>
    (double ?? single ?? '').replace(/\\(.)/g, '$1'),
  );
  // AppleScript puts texts together by `&`; elsewhere each is a word.
  return texts.join(command.name === 'osascript' ? '' : ' ');
}

function use(
  use: Exclude<ConsoleRule['use'], 'again'>,
  word: Word,
  span: Span,
  call: Call,
  walker: Walker,
): void {
  switch (use) {
    case 'shell':
      runInner(call, word, span, walker);
      return;
    case 'delete':
    case 'delete-tree':
      walker.path(call.command, 'delete', word, { recursive: use === 'delete-tree', span });
      return;
    case 'read':
    case 'write':
    case 'execute':
      walker.path(call.command, use, withVariables(word), { span });
      return;
    case 'edit':
      walker.path(call.command, 'read', withVariables(word), { span });
      walker.path(call.command, 'write', withVariables(word), { span });
      return;
    case 'unknown':
      walker.gap('unknown_code', span, `Cannot tell what ${call.command.name ?? 'a program'} does there`);
      return;
    default:
      loadReadCode().readCode(word, newCodePlace(call, span, use, undefined, walker));
  }
}

/** A path in which the program itself fills in the home directory or a variable: `~/x`, `$HOME/x`. */
function withVariables(word: Word): Word {
  const [, home, name] = /^(~)(?=\/|$)|^\$(\w+)/.exec(leadingText(word)) ?? [];
  if (home === undefined && name === undefined) return word;
  const rest = textWord(leadingText(word).slice(home === undefined ? (name ?? '').length + 1 : 1));
  return joinWords(outsideVariable(name ?? 'HOME'), joinWords(rest, word.slice(1)));
}

/** Readers of programs with commands of their own. */
export const CONSOLE_READERS: Readonly<Record<string, ProgramReader>> = Object.fromEntries(
  Object.entries(CONSOLES).map(([name, spec]) => [name, consoleReader(spec)]),
);
