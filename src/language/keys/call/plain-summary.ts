import { child } from '../../../lib/child.ts';
import { driveAt } from '../../../lib/path/drive-path.ts';
import { kindOfCause } from '../../../model/consequences.ts';
import type { Facts } from '../../../model/facts.ts';
import type { ProgramRows } from '../../../model/policy.ts';
import type { PlainUse } from '../../../reader/commands/plain-program.ts';
import { type PlainScript, plainScript } from '../../../reader/commands/plain-script.ts';
import { textWord } from '../../../reader/reading/word.ts';
import { sameWords } from '../command/same-subcommand.ts';
import { mayBeToken } from './may-be-token.ts';
import type { ReadingSummary } from './reading-summary.ts';
import { languageOf } from './shell-language.ts';
import { TRAITS } from './traits.ts';
import type { UsedPath } from './used-path.ts';

/** A command of a call, if it need not be read. A backslash is part of a path in other shells, and on Windows. */
export function plainCommand(
  text: string,
  folders: readonly (string | undefined)[],
  facts: Facts,
): PlainScript | undefined {
  const { home } = facts.surroundings;
  const isPlain =
    facts.programs?.knownToo === undefined &&
    languageOf(facts) === 'sh' &&
    folders.every((folder) => driveAt(folder, home) === undefined);
  const plain = isPlain ? plainScript(text, folders, home) : undefined;
  return plain?.names.some((name) => hasRow(facts.programs, name)) === true ? undefined : plain;
}

/** True if a policy file has a row for a program that is not known otherwise. */
function hasRow(programs: ProgramRows | undefined, name: string): boolean {
  const line = `\n${name}\t`;
  return programs !== undefined && (programs.own.includes(line) || programs.added.includes(line));
}

const TRAITS_OF_USE: Readonly<Record<PlainUse, number>> = {
  list: TRAITS.list,
  read: TRAITS.list | TRAITS.read,
  write: TRAITS.list | TRAITS.read | TRAITS.write,
  mention: TRAITS.mention,
};

/** Scripts repeat, and then come as the same object. */
const summaries = new WeakMap<PlainScript, ReadingSummary>();

/** The summary of a script whose strongest effects are known without reading it. */
export function summaryOfPlain(plain: PlainScript): ReadingSummary {
  return child(summaries, plain, () => summarise(plain));
}

function summarise({ names, wrappers, words, uses, causes, network }: PlainScript): ReadingSummary {
  let traits = 0;
  // A stronger use includes the weaker ones.
  for (const use of uses) traits |= TRAITS_OF_USE[use];
  if (wrappers.length > 0) traits |= TRAITS.via;
  for (const cause of causes) traits |= TRAITS[kindOfCause(cause)];
  if (network) traits |= words.some(mayBeToken) ? TRAITS.network | TRAITS.sends_token : TRAITS.network;
  return {
    names,
    hasUnknownName: false,
    words: sameWords(names, words),
    hasUnknownWord: false,
    causes,
    wrappers,
    traits,
    hasGaps: false,
  };
}

export function pathsOfPlain({ paths, uses, reachesBelow }: PlainScript): readonly UsedPath[] {
  const use = uses.length > 1 ? undefined : uses[0];
  return paths.map((path) => ({
    use,
    path: textWord(path),
    recursive: reachesBelow,
    name: undefined,
    bars: false,
    only: undefined,
    chosen: false,
  }));
}
