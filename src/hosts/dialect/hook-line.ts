import { cleanLine, type HookStart, isOfWindows, plainLine, startText } from '../clean-start.ts';

/** How a host starts a line. */
export interface LineShell {
  /** Variables that keep the value that they have in the host, beside HOME. */
  readonly kept?: readonly string[];
  /** The host's shell on Windows: that of Git if given, else PowerShell and its kin. */
  readonly onWindows?: 'sh';
  /** A failed hook's answer on stdout, for hosts that hear no exit code. */
  readonly failed?: string;
  /** Given if the host hears no exit code: then there is none but 0. */
  readonly heard?: 'words';
}

/**
 * The line for the shell of a host that takes exit code 2 for a refusal. A whole answer is passed on with its exit code,
 * which is 0 or 2; everything else is a hook that has failed: a program that is not there, is killed or says nothing.
 * Settings may have their variables replaced before a shell sees them, so there is none but HOME.
 */
export function hookLine(
  host: string,
  start: HookStart,
  { kept = [], onWindows, failed, heard }: LineShell = {},
): string {
  if (isOfWindows(start) && onWindows !== 'sh') return plainLine(start, host);
  const cases = [
    '{*}0) printf %s "${1%0}";;',
    '{*}2) printf %s "${1%2}"; exit 2;;',
    `*) echo the policy hook has failed >&2; ${failed === undefined ? '' : `printf %s "${failed}"; `}${heard === 'words' ? '' : 'exit 2'};;`,
  ];
  const script = `set -- "$(${startText(start, host)}; echo $?)"; case "$1" in ${cases.join(' ')} esac`;
  return cleanLine(script, start.variables, kept);
}
