import { commandTextsOf, runnerText } from '../../../lib/command-argument.ts';
import { atPath, mapStrings, withAtPath } from '../../../lib/json-path.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { ArgumentCommand, Subject } from '../../../model/event.ts';
import type { GapReason, Reading } from '../../../reader/reading/reading.ts';
import type { RewriteInput } from '../action-spec.ts';
import { RewriteError, withRoot } from './paths.ts';

/** Reads a command where it would run. */
export type CommandReader = (text: string) => Reading;

/**
 * The subject with each command text of the call changed, under the host's own name and under the portable one: where
 * both are there, matchers look at both. The same object if none changed.
 *
 * @throws RewriteError if a command is to be changed whose words are not in one text
 */
export function mapCommandTexts(
  subject: Subject,
  { kind, aliases, commands, unwritten, place }: RewriteInput,
  change: (text: string, read: CommandReader) => string,
): Subject {
  const own = Object.hasOwn(aliases, 'command') ? aliases['command'] : undefined;
  const read: CommandReader = (text) => {
    checkTime();
    return loadReader().readCommand(text, place());
  };
  const declared: readonly Omit<ArgumentCommand, 'directories'>[] = [
    ...new Set(['command', own ?? 'command']),
  ].map((name) => ({
    at: [name],
    words: [['args']],
    uncertain: false,
  }));
  if (unwritten !== undefined && change(unwritten, read) !== unwritten)
    throw new RewriteError('Cannot rewrite the command: no argument holds it as it runs');
  return withRoot(subject, kind, (root) => {
    let changed = root;
    for (const { at, words, uncertain, runner } of commands ?? declared) {
      const value = atPath(changed, at);
      if (value === undefined) continue;
      if (runner !== undefined && runner !== '') {
        const code = typeof value === 'string' ? runnerText(runner, value) : '';
        if (isRead(read(code)) && change(code, read) !== code)
          throw new RewriteError('Cannot rewrite the command: it is in code of another language');
        continue;
      }
      const changeOne = (text: string) => (uncertain && !isRead(read(text)) ? text : change(text, read));
      const after = mapStrings(value, changeOne);
      const beside = words.map((path) => atPath(changed, path) ?? null);
      const texts = commandTextsOf(after, beside);
      if (texts === undefined || texts.some((text) => changeOne(text) !== text))
        throw new RewriteError('Cannot rewrite the command: its words come from several texts');
      changed = withAtPath(changed, at, after);
    }
    return changed;
  });
}

const UNREAD: readonly GapReason[] = ['syntax', 'too_long', 'too_deep', 'too_many_steps'];

/** True if the commands of a text are known, as far as it names them itself. */
export function isRead({ gaps }: Reading): boolean {
  return gaps.every(({ reason }) => !UNREAD.includes(reason));
}

/**
 * Refuses a text that cannot be read to its end if it mentions one of the programs. `*` in a name matches any characters.
 *
 * @throws RewriteError if it does
 */
export function refuseUnread(text: string, reading: Reading, programs: readonly string[]): void {
  if (isRead(reading)) return;
  const named = programs.find((name) => name.split('*').every((piece) => text.includes(piece)));
  if (named === undefined) return;
  throw new RewriteError(
    `Cannot look for program "${named}": the command cannot be read to its end; write it more simply`,
  );
}

/** The reader of commands is the largest part of the program, and few policies rewrite commands. */
function loadReader(): typeof import('../../../reader/commands/read-command.ts') {
  return require('../../../reader/commands/read-command.ts') as typeof import('../../../reader/commands/read-command.ts');
}
