import { flagRole } from '../programs/interpret/arguments.ts';
import { shippedFile } from '../programs/spec/rows.ts';
import type { NetworkEffect, ReadCommand, Reading } from '../reading/reading.ts';
import { isSameWord, showWord, textWord, type Word } from '../reading/word.ts';

/** What a word that is sent is to the one who gets it: `login` proves who asks; `code` may hold it anywhere. */
export type SentAs = 'login' | 'text' | 'code';

/** A word that a command sends, or that tells what it sends. */
export interface SentWord {
  readonly word: Word;
  readonly as: SentAs;
}

/** Programs that send their words as they are, by the files that describe them: to others, words mean something. */
const SENDERS = /^programs\/(?:network|transfers|shell|text)\.yaml$/;
const OTHER_SCHEMES: readonly string[] = ['ssh', 'rsync', 'rcp', 'docker', 'kubernetes', 'rclone', 'nfs'];
const LOGIN_FLAG =
  /^(?:-H|--(?:proxy-)?header|-u|--user|--http-(?:user|password)|--password|--cookie|-b|-a|--auth)$/;
/** Programs that print their own words, whatever else they read. */
const PRINTERS = /^(?:echo|printf|print|jq|sed|awk|gawk)$/;
/** Programs of whose output nobody can tell what went in. */
const DIGESTS = /^(?:\w+sum|wc|shasum|md5|true|false|test)$/;

/** The words that a command sends to a place, the place among them. */
export function wordsSentTo(
  effect: NetworkEffect,
  command: ReadCommand,
  reading: Reading,
): readonly SentWord[] {
  const target: SentWord = { word: effect.target, as: 'text' };
  const file = shippedFile(command.name === '' ? 'echo' : (command.name ?? ''));
  if (file === 'programs/interpreters.yaml') return [target, ...codeOf(command)];
  const places = command.effects.flatMap((each) => (each.type === 'network' ? [each] : []));
  // What lies on the way is not where it goes.
  const isOnTheWay =
    effect.use === 'connect' && places.some(({ use }) => use === 'upload' || use === 'download');
  if (isOnTheWay || OTHER_SCHEMES.includes(effect.scheme) || !SENDERS.test(file ?? '')) return [target];
  const words = wordsOf(command).filter(
    ({ word }) => !places.some((place) => isSameWord(place.target, word)),
  );
  return [target, ...words, ...fedTo(command, [target, ...words], reading)];
}

/** The words of what printed a part of a word, as they went in. */
export function wordsPrintedBy(index: number, reading: Reading): readonly SentWord[] {
  const words: SentWord[] = [];
  for (const command of reachedFrom([index], reading, isPassedOn)) {
    const { name = '', input, operands } = command;
    if (name === 'gh' && showWord(operands[0] ?? []) === 'auth')
      words.push(variableNamed(textWord('GITHUB_TOKEN')));
    else if (PRINTERS.test(name)) words.push(...wordsOf(command));
    if (input !== undefined && command.fedBy.length === 0) words.push({ word: input, as: 'text' });
  }
  return words;
}

/** What a command is given on its input, or in files, by others. */
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

/** Does what a command puts out hold what it was given? What comes from the network is something else. */
function isPassedOn({ name = '', operands, effects }: ReadCommand): boolean {
  if (effects.some(({ type }) => type === 'network')) return name === 'gh';
  return (
    !DIGESTS.test(name) &&
    !(name === 'openssl' && /^(?:dgst|mac|md5|sha\d+)$/.test(showWord(operands[0] ?? [])))
  );
}

function variableNamed(name: Word): SentWord {
  const variable = showWord(name);
  return {
    word: [{ type: 'unknown', source: `$${variable}`, variable, splits: false, origins: [] }],
    as: 'text',
  };
}

function wordsOf({ flags, operands, rows, input }: ReadCommand): readonly SentWord[] {
  const given = flags.flatMap(({ name, value }): SentWord[] => {
    if (value === undefined) return [];
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
