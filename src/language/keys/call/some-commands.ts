import type { Facts } from '../../../model/facts.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { EMPTY_WORD } from '../../../reader/reading/word.ts';
import { changedFacts } from './changed-facts.ts';
import { setShellTexts, shellReadings, shellTexts } from './shell-reading.ts';

/** True if a command counts. */
export type CommandPredicate = (command: ReadCommand, index: number) => boolean;

/** The commands of a call, of all texts and directories; undefined if it is no call of a shell. */
export function commandsOf(facts: Facts): readonly ReadCommand[] | undefined {
  return shellReadings(facts)?.flatMap(({ commands }) => commands);
}

/** The same call as if it had no other commands than those that pass a test. */
export function withCommands(facts: Facts, test: CommandPredicate): Facts {
  const found = shellTexts(facts);
  const readings = found?.texts.map(({ reading }) => reading());
  if (found === undefined || readings?.every(({ commands }) => commands.every(test)) !== false) return facts;
  const event = facts.event.with({ ...facts.event.subject });
  const some = readings.map((reading) => onlySome(reading, test));
  setShellTexts(event, some, found.complete);
  return changedFacts(facts, { event, surroundings: facts.surroundings });
}

/** Commands keep their places: others name them by their index. */
function onlySome(reading: Reading, test: CommandPredicate): Reading {
  return {
    ...reading,
    commands: reading.commands.map((command, index) => (test(command, index) ? command : silent(command))),
  };
}

/** The fields of a command that come from its place in the script. */
type Place =
  | 'programSpan'
  | 'programPlace'
  | 'span'
  | 'via'
  | 'parent'
  | 'cwd'
  | 'privileged'
  | 'remote'
  | 'added'
  | 'certainty'
  | 'behind';

/** A command that does nothing, but for its place. */
const NOTHING: Omit<ReadCommand, Place> = {
  name: '',
  program: EMPTY_WORD,
  args: [],
  argPlaces: [],
  flags: [],
  operands: [],
  subcommands: 0,
  rows: [],
  caused: [],
  idle: true,
  uncertain: [],
  openEnded: false,
  assignments: [],
  redirections: [],
  input: undefined,
  output: undefined,
  feeds: [],
  fedBy: [],
  wrapper: true,
  mayGoUnseen: false,
  effects: [],
};

/** One that does nothing instead of another. */
function silent(command: ReadCommand): ReadCommand {
  return { ...command, ...NOTHING };
}
