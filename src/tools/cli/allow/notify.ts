import type { RefusedCall } from '../../../model/grant.ts';
import { callText } from '../../report/allow.ts';
import { findOnPath } from '../install/machine.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';

const MAX_CALL_CHARS = 120;
/** What it says comes as arguments: nothing of a call becomes script. */
const APPLE_SCRIPT =
  'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';

/**
 * Shows a refused call on the desktop.
 *
 * @throws UsageError if nothing here can
 */
export function desktopNotifier(env: Io['env']): (refused: RefusedCall) => void {
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
