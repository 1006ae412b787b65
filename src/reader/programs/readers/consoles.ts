import { checkTime } from '../../../lib/time-limit.ts';
import { CONSOLE_COMMANDS, CONSOLE_PROGRAMS } from '../../generated/console-rows.ts';
import { isExhausted, LIMITS, takeChars } from '../../reading/bounds.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Span } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  joinAll,
  joinWords,
  knownText,
  leadingText,
  outsideVariable,
  showWord,
  textWord,
  unknownWord,
  type Word,
  type WordPart,
} from '../../reading/word.ts';
import { MAX_LINKS } from '../../shell/run/links.ts';
import { addPlace, sendText } from '../../shell/run/network-effects.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { writtenContent } from '../interpret/input-text.ts';
import { runInner } from '../interpret/run-inner.ts';
import { loadReadCode } from '../scripts/load-code.ts';
import type { Language } from '../scripts/rows.ts';
import { programRow } from '../spec/rows.ts';
import { spelled, typeKeys, withoutBackslashes } from './type-keys.ts';

/**
 * The use that a program makes of a text in its commands. `edit`: reads and writes a file; `connect`, `send`, `fetch`: goes to a
 * host, sends a file there, saves one from there; `type`, `press`: types it into a terminal; `again`, `commands`: takes it, or a file,
 * for commands of its own; `unknown`: takes unknown text for code.
 */
export type ConsoleUse =
  | 'shell'
  | 'delete'
  | 'delete-tree'
  | 'read'
  | 'write'
  | 'edit'
  | 'execute'
  | 'connect'
  | 'send'
  | 'fetch'
  | 'again'
  | 'commands'
  | 'type'
  | 'type-line'
  | 'press'
  | 'rows'
  | 'database'
  | 'unknown'
  | Language;

/** A command of a program; the first group of the pattern is its operand. See scripts/console-rows.ts. */
export interface ConsoleCommand {
  readonly does: ConsoleUse;
  readonly pattern: string;
  readonly quoted?: true;
  readonly list?: true;
  readonly any_case?: true;
  readonly sql?: true;
  readonly needs?: string;
  readonly computed?: true;
}

/** The places in which a program has its commands. See scripts/console-rows.ts. */
export interface ConsoleProgram {
  readonly flags?: readonly string[];
  readonly from?: number;
  readonly subcommands?: readonly string[];
  readonly plus?: true;
  readonly input?: true | 'always';
  readonly files?: true;
  readonly variables?: readonly string[];
}

interface ConsoleRule extends ConsoleCommand {
  readonly regex: RegExp;
  readonly needed: RegExp | undefined;
}

type ConsoleName = keyof typeof CONSOLE_COMMANDS;
const known = new Map<ConsoleName, readonly ConsoleRule[]>();

/** Made when a program of theirs is met: most commands are none of these. */
function rulesOf(console: ConsoleName): readonly ConsoleRule[] {
  const rules =
    known.get(console) ??
    (JSON.parse(CONSOLE_COMMANDS[console]()) as ConsoleCommand[]).map((command) => ({
      ...command,
      regex: new RegExp(command.pattern, command.any_case === true ? 'gim' : 'gm'),
      needed: command.needs === undefined ? undefined : new RegExp(command.needs, 'im'),
    }));
  known.set(console, rules);
  return rules;
}

function consoleReader({
  console,
  ...spec
}: ConsoleProgram & { readonly console: ConsoleName }): ProgramReader {
  return (call) => {
    const rules = rulesOf(console);
    const { operands, flags } = call.parsed;
    const isSubcommand =
      spec.subcommands?.includes(knownText(operands[0]?.word ?? EMPTY_WORD) ?? '') !== false;
    const isFrom = (index: number, word: Word) =>
      (spec.from !== undefined && index >= spec.from && isSubcommand) ||
      (spec.plus === true && leadingText(word).startsWith('+'));
    const given = [
      ...flags.flatMap(({ name, value, arg }) =>
        value !== undefined && spec.flags?.includes(name) === true ? [{ word: value, arg }] : [],
      ),
      ...operands.filter(({ word }, index) => isFrom(index, word)),
    ];
    for (const { word, arg } of given) readConsole(word, argumentSpan(call, arg), rules, call);
    for (const { name, value } of call.command.assignments)
      if (spec.variables?.some((each) => each === name || each === '*') === true)
        readConsole(value, call.span, rules, call);
    const { input } = call.command;
    const isRead = spec.input === 'always' || (spec.input === true && given.length === 0);
    if (isRead && input !== undefined) readConsole(input, call.span, rules, call);
    const dropping = rules.filter(
      ({ does, needed }) => (does === 'database' || does === 'rows') && needed !== undefined,
    );
    const made = dropping.map((rule) => ({ ...rule, needed: undefined }));
    for (const word of made.length > 0
      ? makersOf([...given.map((each) => each.word), input ?? EMPTY_WORD], call)
      : [])
      readConsole(word, call.span, made, call);
    // A file of commands that the script itself has written.
    const executed = call.command.effects.flatMap((effect) =>
      effect.type === 'path' && effect.use === 'execute' ? [{ word: effect.path, span: effect.span }] : [],
    );
    const words = [
      ...flags.flatMap(({ value }) => (value === undefined ? [] : [value])),
      ...operands.map(({ word }) => word),
    ];
    const named = spec.files === true ? words.map((word) => ({ word, span: call.span })) : [];
    for (const { word, span = call.span } of [...executed, ...named]) {
      const content = writtenContent(word, call);
      if (content !== undefined) readConsole(content, span, rules, call);
    }
    return undefined;
  };
}

/** The words of some programs that have made a text: `psql -Atc "select 'drop database ' || …" | psql`. */
function makersOf(texts: readonly Word[], { interpreter: { commands } }: Call): readonly Word[] {
  const parts = texts.flatMap(withTexts);
  const printers = parts.flatMap((part) => (part.type === 'unknown' ? (part.printer ?? []) : []));
  const indexes = new Set(printers.slice(-MAX_LINKS));
  const words: Word[] = [];
  for (const index of indexes) {
    const { name, args = [], input = EMPTY_WORD, fedBy = [] } = commands[index] ?? {};
    // A pattern need not be in the text.
    words.push(...(/grep$|^rg$/.test(name ?? '') ? [] : args), input);
    for (const feeder of fedBy) if (indexes.size < MAX_LINKS) indexes.add(feeder);
  }
  return words;
}

const LINE_END: WordPart = { type: 'text', text: '\n' };

/** The word with the texts that its unknown parts may be, on lines of their own, as far as these are not too long. */
function withTexts(word: Word): Word {
  const seen = new Set<readonly Word[]>();
  const found: WordPart[] = [];
  const pending = [...word].reverse();
  let left: number = LIMITS.wordChars;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    found.push(part);
    if (part.type === 'text') left -= part.text.length;
    if (left < 0 || part.type !== 'unknown' || part.texts === undefined || seen.has(part.texts)) continue;
    seen.add(part.texts);
    for (const text of part.texts.toReversed()) pending.push(LINE_END, ...text.toReversed());
    pending.push(LINE_END);
  }
  return seen.size === 0 ? word : joinAll(found.map((part) => [part]));
}

/** Finds the commands of a program that run others or use files. */
function readConsole(source: Word, span: Span, rules: readonly ConsoleRule[], call: Call): void {
  const { interpreter } = call;
  checkTime();
  const { text, placeholders } = withPlaceholders(withTexts(source));
  if (!takeChars(interpreter.budget, text.length)) {
    interpreter.gap(
      'unknown_code',
      span,
      `Cannot read the commands of ${call.command.name ?? 'a program'}: too long`,
    );
    return;
  }
  for (const rule of rules) {
    if (rule.needed?.test(text) === false) continue;
    for (const [, found = ''] of (rule.sql === true ? sqlCode(text) : text).matchAll(rule.regex)) {
      if (isExhausted(interpreter.budget)) return;
      const word =
        rule.computed === true
          ? computedText(found, placeholders)
          : fillPlaceholders(plainText(rule, found, call), placeholders);
      if (rule.does === 'again') readConsole(word, span, rules, call);
      else if (rule.does === 'commands') readFile(word, span, rules, call);
      else use(rule.does, word, span, call);
    }
  }
}

/** Reads a file of commands, if the script itself has written it. */
function readFile(file: Word, span: Span, rules: readonly ConsoleRule[], call: Call): void {
  const { interpreter, command } = call;
  const path = showWord(interpreter.resolve(file, command));
  interpreter.path(command, 'read', file, { span });
  const content = writtenContent(file, call);
  if (content === undefined || interpreter.running.has(path)) return;
  interpreter.running.add(path);
  readConsole(content, span, rules, call);
  interpreter.running.delete(path);
}

/** SQL without its quoted texts and comments. Where these are not certain they stay: more is found then, never less. */
function sqlCode(text: string): string {
  // Some clients run what is in `/*! … */`, some close a comment within another, some begin one with `//`. Some lines are no SQL.
  const isCertain =
    !/[\\#$]|\S\/\*|\/\*M?!|\/\*(?:(?!\*\/)[\s\S])*?\/\*|\/\/|--\S|\[[^\][]*(?:["']|\/\*)|(?:^|;)[ \t]*(?:system|source|tee|pager|prompt|[.:]|!!)/im.test(
      text,
    );
  // A certain text has one comment at most that does not end, which would be sought from each other one.
  const code = isCertain
    ? text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|`[^`]*`/g, (part) =>
        /^[-/]/.test(part) ? ' ' : "''",
      )
    : text;
  return code.replace(/\s+/g, (blank) => (blank.includes('\n') ? '\n' : ' '));
}

/** Texts in quotes put together with unknown parts between them. */
function computedText(found: string, placeholders: readonly WordPart[]): Word {
  const pieces = [...found.matchAll(/"((?:[^"\\]|\\.)*)"|[^"\s]+(?:\s+[^"\s]+)*/g)];
  return joinAll(
    pieces.map(([whole, text]) =>
      text === undefined ? unknownWord(whole) : fillPlaceholders(withoutEscapes(text), placeholders),
    ),
  );
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** A text with its escapes as characters: `rm\x20-rf`, `\040`, `\"`. */
function withoutEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))/g,
    (_, hex?: string, octal?: string, other = '') => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return octal === undefined ? (LETTERS[other] ?? other) : String.fromCharCode(Number.parseInt(octal, 8));
    },
  );
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

function use(use: Exclude<ConsoleUse, 'again' | 'commands'>, word: Word, span: Span, call: Call): void {
  const { interpreter } = call;
  switch (use) {
    case 'shell':
      runInner(call, word, span);
      return;
    case 'delete':
    case 'delete-tree':
      interpreter.path(call.command, 'delete', withVariables(word), {
        recursive: use === 'delete-tree',
        span,
      });
      return;
    case 'read':
    case 'write':
    case 'execute':
      interpreter.path(call.command, use, withVariables(word), { span });
      return;
    case 'edit':
      interpreter.path(call.command, 'read', withVariables(word), { span });
      interpreter.path(call.command, 'write', withVariables(word), { span });
      return;
    case 'connect':
      addPlace(call.command, 'connect', word, programRow(call.command.name)?.scheme ?? 'http', span);
      return;
    case 'send':
      interpreter.path(call.command, 'read', word, { recursive: true, span });
      sendText(call.command, word);
      return;
    case 'fetch': {
      const source = call.command.effects.find((effect) => effect.type === 'network')?.target ?? EMPTY_WORD;
      interpreter.path(call.command, 'write', word, { span });
      interpreter.keepFile(call, word, unknownWord('what is fetched', [{ type: 'network', source }]));
      return;
    }
    case 'type':
    case 'type-line':
    case 'press': {
      const line = [
        { text: spelled(word, withoutBackslashes) },
        ...(use === 'type' ? [] : [{ key: 'Enter' }]),
      ];
      typeKeys(call, '', use === 'press' ? [{ key: 'Enter' }] : line);
      return;
    }
    case 'rows':
    case 'database':
      if (!call.command.caused.some(({ value }) => value === use))
        call.command.caused.push({ kind: 'destroys', value: use });
      return;
    case 'unknown':
      interpreter.gap(
        'unknown_code',
        span,
        `Cannot tell what ${call.command.name ?? 'a program'} does there`,
      );
      return;
    default:
      loadReadCode().readCode(word, { call, span, language: use, interpreter });
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
  Object.entries(CONSOLE_PROGRAMS).map(([name, spec]) => [name, consoleReader(spec)]),
);
