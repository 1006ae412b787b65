import { flagRole } from '../../../reader/programs/spec/row-table.ts';
import { shippedFile } from '../../../reader/programs/spec/rows.ts';
import type { NetworkEffect, ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { isSameWord, showWord, type Word } from '../../../reader/reading/word.ts';

/** The part that a sent word plays for its receiver: `login` proves who asks; `code` may hold a proof anywhere. */
export type SentWordRole = 'login' | 'text' | 'code';

/** A word that a command sends, or that names the thing that it sends. */
export interface SentWord {
  readonly word: Word;
  readonly as: SentWordRole;
}

/** Programs that send their words as they are, by the files that describe them: to others, words mean something. */
const SENDERS = /^programs\/(?:network|transfers|shell|text|windows)\.yaml$/;
const OTHER_SCHEMES: readonly string[] = ['ssh', 'rsync', 'rcp', 'docker', 'kubernetes', 'rclone', 'nfs'];
const LOGIN_FLAG =
  /^(?:-H|--(?:proxy-)?header|-u|--user|--http-(?:user|password)|--password|--cookie|-b|-a|--auth)$/;
const SIGNING_FLAG = /^(?:-u|--user)$/;
const GIT_HEADER = /^http\..*extraheader=/i;
/** Commands that print the token of a service, by their first words, each with a variable that holds a token of that kind. */
const TOKEN_PRINTERS: readonly (readonly [words: RegExp, variable: string])[] = [
  [/^gh auth token\b/, 'GITHUB_TOKEN'],
  [/^gcloud auth (?:application-default )?print-access-token\b/, 'GOOGLE_TOKEN'],
  [/^npm config get \S*_auth/, 'NPM_TOKEN'],
  [/^fly(?:ctl)? (?:auth|tokens) \w+\b/, 'FLY_TOKEN'],
  [/^heroku auth:token\b/, 'HEROKU_TOKEN'],
  [/^vault print token\b/, 'VAULT_TOKEN'],
];
/** A text with a place for a token: `{"password": "%s"}`, `{token: $token}`. */
const TOKEN_TEMPLATE =
  /\b(?=\w*(?:pass|auth)|\w*(?:secret|token|key)\b)\w+\\?["']?\s*[:=]\s*\\?["']?(?:%s|\$\w)/i;
/** Programs that print their own words, with any input. */
const PRINTERS = /^(?:echo|printf|print|jq|sed|awk|gawk)$/;
/** Programs whose output hides their input. */
const DIGESTS = /^(?:\w+sum|wc|shasum|md5|true|false|test)$/;

/** True for an interpreter, to which its words may be code. */
export function isInlineCode(command: ReadCommand): boolean {
  return fileOf(command) === 'programs/interpreters.yaml';
}

function fileOf({ name }: ReadCommand): string | undefined {
  return shippedFile(name === '' ? 'echo' : (name ?? ''));
}

/** The words that a command sends to a place, the place among them. */
export function wordsSentTo(
  effect: NetworkEffect,
  command: ReadCommand,
  reading: Reading,
): readonly SentWord[] {
  const target: SentWord = { word: effect.target, as: 'text' };
  if (isInlineCode(command)) return [target, ...codeOf(command)];
  const file = fileOf(command);
  const places = command.effects.flatMap((each) => (each.type === 'network' ? [each] : []));
  // A proxy on the way is not the destination.
  const isOnTheWay =
    effect.use === 'connect' && places.some(({ use }) => use === 'upload' || use === 'download');
  if (command.name === 'git')
    return [target, ...wordsOf(command).filter(({ word }) => GIT_HEADER.test(showWord(word)))];
  if (isOnTheWay || OTHER_SCHEMES.includes(effect.scheme) || !SENDERS.test(file ?? '')) return [target];
  const words = wordsOf(command).filter(
    ({ word }) => !places.some((place) => isSameWord(place.target, word)),
  );
  return [target, ...words, ...fedTo(command, [target, ...words], reading)];
}

/** The words of the command that printed a part of a word, as they went in. */
export function wordsPrintedBy(index: number, reading: Reading): readonly SentWord[] {
  const words: SentWord[] = [];
  for (const command of reachedFrom([index], reading, isPassedOn)) {
    const { name = '', input } = command;
    const variable = printedToken(command);
    if (variable !== undefined) words.push(variableNamed(variable));
    else if (PRINTERS.test(name)) words.push(...printedBy(command));
    if (input !== undefined && command.fedBy.length === 0) words.push({ word: input, as: 'text' });
  }
  return words;
}

/** The words that a command gets on its input, or in files, from other commands. */
function fedTo(command: ReadCommand, words: readonly SentWord[], reading: Reading): readonly SentWord[] {
  const printers = words.flatMap(({ word }) =>
    word.flatMap((part) => (part.type === 'unknown' && part.printer !== undefined ? [part.printer] : [])),
  );
  const elsewhere = new Set(reachedFrom(printers, reading, () => true));
  const feeders = command.fedBy.filter((index) => {
    const feeder = reading.commands[index];
    return feeder !== undefined && !elsewhere.has(feeder);
  });
  return feeders.flatMap((index) => wordsPrintedBy(index, reading));
}

function reachedFrom(
  start: readonly number[],
  { commands }: Reading,
  goesOn: (command: ReadCommand) => boolean,
): readonly ReadCommand[] {
  const reached = new Set<ReadCommand>();
  const open = [...start];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const command = commands[index];
    if (command === undefined || reached.has(command) || !goesOn(command)) continue;
    reached.add(command);
    open.push(...command.fedBy);
  }
  return [...reached];
}

/** True if the output of a command holds its input. Output from the network is something else. */
function isPassedOn(command: ReadCommand): boolean {
  const { name = '', operands, effects } = command;
  if (effects.some(({ type }) => type === 'network')) return printedToken(command) !== undefined;
  return (
    !DIGESTS.test(name) &&
    !(name === 'openssl' && /^(?:dgst|mac|md5|sha\d+)$/.test(showWord(operands[0] ?? [])))
  );
}

/** The variable that usually holds the output of a command. */
function printedToken({ name, args }: ReadCommand): string | undefined {
  const words = [name, ...args.map(showWord)].join(' ');
  return TOKEN_PRINTERS.find(([pattern]) => pattern.test(words))?.[1];
}

function printedBy(command: ReadCommand): readonly SentWord[] {
  const words = wordsOf(command);
  return words.some(({ word }) => TOKEN_TEMPLATE.test(showWord(word)))
    ? words.map(({ word }) => ({ word, as: 'login' }))
    : words;
}

function variableNamed(variable: string): SentWord {
  return {
    word: [{ type: 'unknown', source: `$${variable}`, variable, splits: false, origins: [] }],
    as: 'text',
  };
}

function wordsOf({ flags, operands, rows, input }: ReadCommand): readonly SentWord[] {
  // A secret that only signs a request is not sent.
  const signs = flags.some(({ name }) => name === '--aws-sigv4');
  const given = flags.flatMap(({ name, value }): SentWord[] => {
    if (value === undefined || (signs && SIGNING_FLAG.test(name))) return [];
    const role = flagRole(rows, name);
    const isLogin = role === 'secret' || role === 'login' || LOGIN_FLAG.test(name);
    return [{ word: value, as: isLogin ? 'login' : 'text' }];
  });
  const read = input === undefined ? [] : [input];
  return [...given, ...[...operands, ...read].map((word): SentWord => ({ word, as: 'text' }))];
}

function codeOf({ args, input }: ReadCommand): readonly SentWord[] {
  return [...args, ...(input === undefined ? [] : [input])].map((word) => ({ word, as: 'code' }));
}
