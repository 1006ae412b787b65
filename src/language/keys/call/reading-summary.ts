import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { knownText, type Word } from '../../../reader/reading/word.ts';
import { causesOf } from '../command/causes.ts';
import { sameOperands } from '../command/same-subcommand.ts';
import { mayBeToken } from './may-be-token.ts';
import { TRAITS } from './traits.ts';

/** The contents of a reading, in a form that answers most tests without a look at its commands. */
export interface ReadingSummary {
  /** The programs' names, each once. */
  readonly names: readonly string[];
  /** True if a program's name is not known: then nothing else here rules anything out. */
  readonly hasUnknownName: boolean;
  /** Their first operands, which may be subcommands, each once. */
  readonly words: readonly string[];
  /** True if one of those is not known. */
  readonly hasUnknownWord: boolean;
  /** The consequences that they may have, as `causeNamed` spells them. */
  readonly causes: readonly string[];
  /** The parts of the script that run them: wrappers, shells, settings. */
  readonly wrappers: readonly string[];
  /** The traits of the commands, as bits of `TRAITS`. */
  readonly traits: number;
  /** True if some part could run anything; a program that is not known is listed and does not count. */
  readonly hasGaps: boolean;
}

const summaries = new WeakMap<Reading, ReadingSummary>();

export function summaryOf(reading: Reading): ReadingSummary {
  let summary = summaries.get(reading);
  if (summary === undefined) {
    summary = sumUp(reading);
    summaries.set(reading, summary);
  }
  return summary;
}

function sumUp({ commands, gaps }: Reading): ReadingSummary {
  const names = new Set<string>();
  const words = new Set<string>();
  const causes = new Set<string>();
  const wrappers = new Set<string>();
  let hasUnknownName = false;
  let hasUnknownWord = false;
  let traits = 0;
  for (const command of commands) {
    const { name, operands, uncertain, openEnded, effects } = command;
    if (name === undefined) hasUnknownName = true;
    else names.add(name);
    const [first] = operands;
    for (const {
      operands: [each],
    } of sameOperands(command))
      if (each !== undefined) words.add(knownText(each) ?? '');
    const word = first === undefined ? undefined : knownText(first);
    if (word !== undefined) words.add(word);
    else if (first !== undefined || openEnded) hasUnknownWord = true;
    if (uncertain.includes(0)) hasUnknownWord = true;
    if (command.assignments.length > 0) traits |= TRAITS.assignment;
    if (command.via.length > 0) traits |= TRAITS.via;
    if (command.privileged) traits |= TRAITS.privileged;
    if (command.remote) traits |= TRAITS.remote;
    if (command.mayGoUnseen) traits |= TRAITS.network;
    for (const { name: by } of command.via) wrappers.add(by);
    for (const [kind, cause] of causesOf(command)) {
      traits |= TRAITS[kind];
      causes.add(cause);
    }
    for (const effect of effects) traits |= TRAITS[effect.type === 'path' ? effect.use : effect.type];
  }
  if ((traits & TRAITS.network) !== 0 && senders(commands).some(mayHoldToken)) traits |= TRAITS.sends_token;
  const hasGaps = gaps.some(({ reason }) => reason !== 'unknown_program');
  return {
    names: [...names],
    hasUnknownName,
    words: [...words],
    hasUnknownWord,
    causes: [...causes],
    wrappers: [...wrappers],
    traits,
    hasGaps,
  };
}

/** The commands that use the network, with all that is piped to them: a word from elsewhere has an unknown part. */
function senders(commands: readonly ReadCommand[]): readonly ReadCommand[] {
  const found = new Set(
    commands.filter(
      ({ effects, mayGoUnseen }) => mayGoUnseen || effects.some(({ type }) => type === 'network'),
    ),
  );
  for (const { fedBy } of found)
    for (const index of fedBy) {
      const feeder = commands[index];
      if (feeder !== undefined) found.add(feeder);
    }
  return [...found];
}

/** False if no word of a command, and nothing that it prints, can be a token. */
function mayHoldToken(command: ReadCommand): boolean {
  const { args, operands, flags, input, effects, openEnded } = command;
  if (openEnded) return true;
  const values = flags.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const targets = effects.flatMap((effect) => (effect.type === 'network' ? [effect.target] : []));
  const words = [...args, ...operands, ...values, ...targets, ...(input === undefined ? [] : [input])];
  return words.some(wordMay);
}

function wordMay(word: Word): boolean {
  return word.some((part) => {
    if (part.type === 'unknown') return true;
    if (part.type !== 'text') return false;
    return mayBeToken(part.text);
  });
}
