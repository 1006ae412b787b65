import { checkTime } from '../../lib/time-limit.ts';
import type { ProgramRow } from '../../model/program-row.ts';
import type { Role } from '../../model/roles.ts';
import { parseArguments } from '../programs/interpret/arguments.ts';
import { keyHolds } from '../programs/interpret/flags.ts';
import { flagRole, rowTable } from '../programs/spec/row-table.ts';
import { programRow, rowLevels } from '../programs/spec/rows.ts';
import { knownText, textWord } from '../reading/word.ts';
import type { Arg } from '../shell/scope/interpreter.ts';
import { type LexedCommand, type LexedWord, lexCommand } from './lex-command.ts';
import { isSecretHeader, isSecretOption } from './secret-name.ts';
import { mayTakeSecrets, secretProgramFrom } from './secret-programs.ts';
import { isPlaceholder, type SecretSpan } from './secret-span.ts';

/** Words instead of a password in documentation. */
const STAND_IN =
  /^(?:pass(?:word|wd|phrase)?|pwd|pw|change[-_]?me|my[-_]?(?:password|secret|token)|api[-_]?key|-)$/i;
/** Other places that a password may come from: `openssl -passin env:NAME`. */
const ELSEWHERE = /^(?:env|file|fd|stdin|prompt|aws|keychain|op):|^(?:stdin|prompt)$/;
/** Flags of any program with which a secret comes on its standard input. */
const INPUT_FLAG = /^--(?:[a-z-]*stdin|with-token)$/;
/** The greatest distance between a command and the one before it that prints its input. */
const MAX_PRINTED = 1_024;

/** Finds the passwords that commands in a text are given, as the rows of their programs tell. */
export function findCommandSecrets(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  // Text that was searched for one command is not searched again for the same program: the whole stays linear.
  const lookedAt = new Map<string, number>();
  for (
    let found = secretProgramFrom(text, 0);
    found !== undefined;
    found = secretProgramFrom(text, found.end)
  ) {
    checkTime();
    const { name, start, end } = found;
    if (
      /[ \t]--?(?:i?name|i?path|host|hostname|image|label|tag|service|network)[ =]$/.test(
        text.slice(Math.max(0, start - 16), start),
      )
    )
      continue;
    if (start < (lookedAt.get(name) ?? 0)) continue;
    const command = lexCommand(text, end);
    lookedAt.set(name, command.end);
    if (!mayTakeSecrets(name, text.slice(end, command.end))) continue;
    spans.push(...secretsOf(name, command.words), ...inputSecrets(name, command, text, start));
  }
  return spans;
}

/** The same for a command as a list of words: for each of its words, the place of the secret in it. */
export function findSecretsInWords(words: readonly string[]): readonly (SecretSpan | undefined)[] {
  const lexed: readonly LexedWord[] = words.map((text) => ({
    text,
    places: Array.from(text, (_, at) => at),
  }));
  const found: (SecretSpan | undefined)[] = words.map(() => undefined);
  words.forEach((word, index) => {
    const name = secretProgramFrom(word, 0)?.name;
    if (name === undefined || !word.endsWith(name)) return;
    const behind = lexed.slice(index + 1);
    for (const { word: secret, from, to } of partsOf(name, behind))
      found[lexed.indexOf(secret)] = { start: from, end: to };
  });
  return found;
}

function secretsOf(name: string, words: readonly LexedWord[]): readonly SecretSpan[] {
  return partsOf(name, words).map(({ word, from, to }) => spanOf(word, from, to));
}

function spanOf({ places }: LexedWord, from: number, to: number): SecretSpan {
  return { start: places[from] ?? 0, end: (places[to - 1] ?? 0) + 1 };
}

interface SecretPart {
  readonly word: LexedWord;
  readonly from: number;
  readonly to: number;
}

function partsOf(name: string, words: readonly LexedWord[]): readonly SecretPart[] {
  const row = programRow(name);
  if (row === undefined) return [];
  const args = argsOf(words);
  const parsed = parseArguments(args, row);
  const levels = rowLevels(row, parsed);
  const parts: SecretPart[] = [];
  const add = (role: Role | undefined, arg: number, value: string) => {
    const word = words[arg];
    if (role === undefined || word === undefined) return;
    for (const [from, to] of rangesOf(role, value)) {
      const before = word.text.length - value.length;
      parts.push({ word, from: before + from, to: before + to });
    }
  };
  for (const flag of parsed.flags) {
    if (flag.value === undefined) continue;
    const next = [flag.arg + 1, flag.arg + 2].find((arg) => args[arg]?.word === flag.value);
    add(flagRole(levels, flag.name), next ?? flag.arg, knownText(flag.value) ?? '');
  }
  const level = levels.at(-1) ?? row;
  const { first, rest, last } = rowTable(level).operands;
  const operands = parsed.operands.slice(parsed.subcommands);
  const isLast = (index: number) => index === operands.length - 1 && index > 0;
  for (const word of words) {
    const prefix = row.secret_prefix?.find((each) => word.text.startsWith(each));
    if (prefix === undefined) continue;
    for (const [from, to] of rangeFrom(word.text.slice(prefix.length), 0))
      parts.push({ word, from: prefix.length + from, to: prefix.length + to });
  }
  const takesLast = keyHolds(parsed, level.secret_last ?? row.secret_last);
  operands.forEach(({ word, arg }, index) => {
    const role =
      takesLast && isLast(index)
        ? 'secret'
        : (first[index] ?? (last !== undefined && isLast(index) ? last : rest));
    add(role, arg, knownText(word) ?? '');
  });
  return parts;
}

function argsOf(words: readonly LexedWord[]): readonly Arg[] {
  return words.map(({ text }) => ({ word: textWord(text), span: { start: 0, end: 0 } }));
}

/** The places of the secrets in a value, by its role in the row. */
function rangesOf(role: Role, value: string): readonly (readonly [number, number])[] {
  switch (role) {
    case 'secret':
      return rangeFrom(value, value.startsWith('pass:') ? 5 : 0);
    case 'login': {
      // `scott/tiger@database`.
      const slashed = /^[\w.-]+\/([^/@\s]+)@/.exec(value);
      if (slashed !== null)
        return [[slashed[0].length - 1 - (slashed[1] ?? '').length, slashed[0].length - 1]];
      const at = value.search(/[:%=,]/);
      return at < 0 ? [] : rangeFrom(value, at + 1);
    }
    case 'settings':
    case 'at-file':
    case 'conninfo':
      return settingsIn(value);
    default:
      return [];
  }
}

function rangeFrom(value: string, from: number): readonly (readonly [number, number])[] {
  const secret = value.slice(from);
  const isNone =
    secret === '' ||
    secret.startsWith('--') ||
    secret.includes('://') ||
    /^\/[a-z]+(?::|$)/i.test(secret) ||
    isPlaceholder(secret) ||
    STAND_IN.test(secret);
  return isNone || (from === 0 && ELSEWHERE.test(secret)) ? [] : [[from, value.length]];
}

/** `a=b,password=c`, `host=h password=p`, `Authorization: Bearer x`. */
function settingsIn(value: string): readonly (readonly [number, number])[] {
  const header =
    /^([A-Za-z][\w-]*) ?:(?!\/) {0,4}(?:(?:Bearer|Basic|Token|token|Bot|SSWS|Digest|ApiKey) +)?(?=\S)/.exec(
      value,
    );
  if (header !== null) return isSecretHeader(header[1] ?? '') ? rangeFrom(value, header[0].length) : [];
  const found: (readonly [number, number])[] = [];
  for (const match of value.matchAll(/(?:^|[\s,;&{"'.])([\w-]{1,64})["']?[=:] ?["']?([^\s,;&"'}]+)/g)) {
    const [whole, name = '', secret = ''] = match;
    const from = match.index + whole.length - secret.length;
    if (isSecretOption(name) && !isPlaceholder(secret) && !STAND_IN.test(secret))
      found.push([from, from + secret.length]);
  }
  return found;
}

/** The passwords on the standard input of a command: `echo x | program`, `program <<< x`. */
function inputSecrets(
  name: string,
  { words, input }: LexedCommand,
  text: string,
  start: number,
): readonly SecretSpan[] {
  const row = programRow(name);
  if (row === undefined || !takesInput(row, words)) return [];
  if (input !== undefined) return wholeOf(input);
  const before = text.slice(Math.max(0, start - MAX_PRINTED), start);
  const printer =
    /(?:^|[\s;&|({`"'])(?:echo|printf)[ \t]+(?:-[neE]+[ \t]+)*([^\n|]*)\|[ \t]*(?:[\w./-]+[ \t]+){0,4}$/.exec(
      before,
    );
  if (printer === null) return [];
  const printed = lexCommand(
    text,
    start - before.length + printer.index + printer[0].indexOf(printer[1] ?? ''),
  );
  const said = printed.words.filter(({ text: word }) => !/^%s(?:\\n)?$/.test(word));
  return said.length === 1 ? said.flatMap(wholeOf) : [];
}

function takesInput(row: ProgramRow, words: readonly LexedWord[]): boolean {
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => INPUT_FLAG.test(text))) return true;
  return rowLevels(row, parseArguments(argsOf(words), row)).some(
    ({ secret_input: input }) => input === true || input?.some((flag) => texts.includes(flag)),
  );
}

/** All of a word, or the part behind the name in `name:password`. */
function wholeOf(word: LexedWord): readonly SecretSpan[] {
  const value = word.text;
  // A text with blanks or line breaks may be commands for a program behind the reader of a password.
  if (value === '' || /\s|\\n./.test(value) || isPlaceholder(value) || STAND_IN.test(value)) return [];
  return [spanOf(word, 0, value.length)];
}
