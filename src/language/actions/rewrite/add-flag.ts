import type { Flag, ReadCommand } from '../../../reader/reading/reading.ts';
import { knownText } from '../../../reader/reading/word.ts';
import { flagsByWord, flagTest, flagWord, isOwnWord, spellingsOf } from './flag-word.ts';
import { RewriteError } from './rewrite-error.ts';
import type { TextEdit } from './text-edits.ts';
import { whyNotThere } from './why-not-there.ts';

/** A flag that has to be there. */
export interface AddedFlag {
  /** As it is written: `--depth=1`. */
  readonly text: string;
  readonly name: string;
  readonly value: string | undefined;
}

export function addedFlag(text: string): AddedFlag {
  const equals = text.indexOf('=');
  return equals < 0
    ? { text, name: text, value: undefined }
    : { text, name: text.slice(0, equals), value: text.slice(equals + 1) };
}

/** Tells whether a flag is the one that has to be there, with its value. */
export function addedFlagTest(command: ReadCommand, { name, value }: AddedFlag): (found: Flag) => boolean {
  const fits = flagTest(spellingsOf(command, name));
  return (found) => {
    const known = found.value === undefined ? undefined : (knownText(found.value) ?? null);
    return known === value && fits(found);
  };
}

/**
 * The edit that puts a flag into a command, none if it is there. Where it is given with another value or is undone
 * (`--no-x`), it goes after that: the last one counts.
 *
 * @param after how many words after the program belong to the subcommand, behind which it goes otherwise
 * @throws RewriteError if the place does not stand in the text as it is
 */
export function addFlag(
  text: string,
  command: ReadCommand,
  added: AddedFlag,
  after: number,
): readonly TextEdit[] {
  const names = spellingsOf(command, added.name).flatMap((each) => [each, opposite(each)]);
  const last = command.flags.findLast(flagTest(names.flatMap((each) => spellingsOf(command, each))));
  if (last !== undefined && addedFlagTest(command, added)(last)) return [];
  const at = last === undefined ? endOfName(text, command, after) : endOfFlag(text, command, last);
  if (at === undefined)
    throw new RewriteError(
      `Cannot add flag "${added.text}" to "${command.name ?? ''}": ${whyNotThere(command, after > 0 ? 'the subcommand' : 'the program')}; write it plainly`,
    );
  return [{ start: at, end: at, text: ` ${added.text}` }];
}

function opposite(name: string): string {
  return name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${name.replace(/^-+/, '')}`;
}

function endOfFlag(text: string, command: ReadCommand, flag: Flag): number {
  const { span, next } = flagWord(text, command, flagsByWord(command).get(flag.arg) ?? [flag], flag);
  return next?.end ?? span.end;
}

/** Where the last word of the program and its subcommand ends, a closing quote included. */
function endOfName(text: string, command: ReadCommand, after: number): number | undefined {
  let arg = -1;
  for (const word of command.operands.slice(0, after)) arg = command.args.indexOf(word, arg + 1);
  const isProgram = after === 0;
  const word = knownText((isProgram ? command.program : command.args[arg]) ?? []);
  const place = isProgram ? command.programPlace : command.argPlaces[arg];
  const isOwn = isProgram ? command.argPlaces[0]?.span.start !== place?.span.start : isOwnWord(command, arg);
  if (word === undefined || place?.at === undefined || !isOwn) return undefined;
  return text.startsWith(word, place.at) ? place.span.end : undefined;
}
