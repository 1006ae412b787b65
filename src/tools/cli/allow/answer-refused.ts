import type { AllowStore } from '../../../hook/state/allow/allow-store.ts';
import type { RefusedCall } from '../../../model/grant.ts';
import { callText } from '../../report/allow.ts';
import { printable } from '../../report/layout/printable.ts';
import { findOnPath } from '../install/machine.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { paintFor } from '../print.ts';
import { findRefused } from './find-refused.ts';
import { draftException, makeGrant, ONCE_WITHIN_MS } from './make-grant.ts';
import { personOnly } from './person-only.ts';

/** The terminal's second screen: the first one comes back with its text. */
const OTHER_SCREEN = '\u001b[?1049h\u001b[H';
const FIRST_SCREEN = '\u001b[?1049l';
const USUAL_ROWS = 24;
const USUAL_COLUMNS = 80;

/** The calls refused in the last day and those that wait for an answer, live, on a screen of their own. */
export async function answerRefused(store: AllowStore, notifies: boolean, io: Io): Promise<number> {
  personOnly('answer refused calls', io);
  const notify = notifies ? desktopNotifier(io.env) : undefined;
  const known = new Set(store.refused().map(({ code }) => code));
  const load = (): readonly RefusedCall[] => {
    const open = store.refused().filter(({ grant }) => grant === undefined);
    for (const refused of open) {
      if (known.has(refused.code)) continue;
      known.add(refused.code);
      notify?.(refused);
    }
    return open;
  };
  const problem = ({ code }: RefusedCall): string | undefined => {
    const found = findRefused(store, code, Date.now());
    return 'problem' in found ? found.problem : undefined;
  };
  const { approvalsScreen } = await import('./approvals-screen.ts');
  io.stdout.write(OTHER_SCREEN);
  try {
    await approvalsScreen({
      load,
      problem,
      once: (refused) => {
        // Something may have changed while the question was there.
        personOnly('answer refused calls', io);
        const changed = problem(refused);
        if (changed !== undefined) return changed;
        makeGrant(store, refused, undefined, { scope: 'once', endsAfterMs: ONCE_WITHIN_MS });
        return `Allowed ${refused.code}: let the agent try again`;
      },
      draft: (refused) => {
        const { path, text, expires, write } = draftException(store, refused, undefined, undefined, io.env);
        return {
          text: `\n${printable(path)} would be\n\n${text.split('\n').map(printable).join('\n')}`,
          write: () => {
            personOnly('answer refused calls', io);
            const changed = problem(refused);
            if (changed !== undefined) return changed;
            write();
            return `Allowed until ${expires}: let the agent try again`;
          },
        };
      },
      paint: paintFor(io.stdout, io.env),
      rows: process.stdout.rows ?? USUAL_ROWS,
      columns: process.stdout.columns ?? USUAL_COLUMNS,
    });
  } catch (error) {
    // Ctrl-C leaves it as q does.
    if (!(error instanceof Error && error.name === 'ExitPromptError')) throw error;
  } finally {
    io.stdout.write(FIRST_SCREEN);
  }
  return EXIT_CODE.ok;
}

const MAX_CALL_CHARS = 120;
/** It gets its texts as arguments: nothing of a call becomes script. */
const APPLE_SCRIPT =
  'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';

/**
 * Shows a refused call on the desktop.
 *
 * @throws UsageError if nothing here can
 */
function desktopNotifier(env: Io['env']): (refused: RefusedCall) => void {
  const send = findOnPath('notify-send', env);
  const script = findOnPath('osascript', env);
  if (send === undefined && script === undefined)
    throw new UsageError('Cannot notify: there is neither notify-send nor osascript on the path');
  return ({ code, call }) => {
    const texts = [`${call.host}: refused call ${code} of ${call.tool}`, callText(call, MAX_CALL_CHARS)];
    const argv = send === undefined ? [script ?? '', '-e', APPLE_SCRIPT, ...texts] : [send, '--', ...texts];
    Bun.spawn(argv, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore', env: { ...env } });
  };
}
