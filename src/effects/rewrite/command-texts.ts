import { atPath, withAtPath } from '../../lib/json-path.ts';
import { checkTime } from '../../lib/time-limit.ts';
import type { Subject } from '../../model/event.ts';
import type { GapReason, Reading } from '../../reading/reading.ts';
import type { RewriteInput } from '../effect.ts';
import { mapStrings } from './map-strings.ts';
import { RewriteError } from './rewrite-error.ts';
import { withRoot } from './root.ts';

/** Reads a command where it would run. */
export type Reader = (text: string) => Reading;

/**
 * The subject with each command text of the call changed, under the host's own name and under the portable one: where
 * both are there, matchers look at both. The same object if none changed.
 */
export function mapCommandTexts(
  subject: Subject,
  { kind, aliases, place }: RewriteInput,
  change: (text: string, read: Reader) => string,
): Subject {
  const own = Object.hasOwn(aliases, 'command') ? aliases['command'] : undefined;
  const read: Reader = (text) => {
    checkTime();
    return loadReader().readCommand(text, place());
  };
  return withRoot(subject, kind, (root) => {
    let changed = root;
    for (const name of new Set(['command', own ?? 'command'])) {
      const value = atPath(changed, [name]);
      if (value !== undefined)
        changed = withAtPath(
          changed,
          [name],
          mapStrings(value, (text) => change(text, read)),
        );
    }
    return changed;
  });
}

const UNREAD: readonly GapReason[] = ['syntax', 'too_long', 'too_deep', 'too_many_steps'];

/** True if the commands of a text are known, as far as it says itself what they are. */
export function isRead({ gaps }: Reading): boolean {
  return gaps.every(({ reason }) => !UNREAD.includes(reason));
}

/**
 * Refuses a text that cannot be read to its end where it mentions one of the programs. `*` in a name stands for any
 * characters.
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
function loadReader(): typeof import('../../reading/read-command.ts') {
  return require('../../reading/read-command.ts') as typeof import('../../reading/read-command.ts');
}
