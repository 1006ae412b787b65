import type { Diagnostic } from '../model/diagnostic.ts';
import { DIAGNOSTIC_KINDS } from '../model/diagnostic-kinds.ts';

const MAX_NAMED = 3;
const MAX_PATH_LENGTH = 200;

/** Tells an agent of broken policies: the places and kinds of problems, never the contents of the files. */
export function hookMessage(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .sort((a, b) => Number(b.code === 'limit') - Number(a.code === 'limit'));
  const named = errors
    .slice(0, MAX_NAMED)
    .map(
      ({ position: { file, line, column }, ...error }) =>
        `${printable(file)}:${line}:${column} ${whatIsWrong(error)}`,
    );
  const rest = errors.length - named.length;
  const more = rest === 0 ? '' : `; and ${rest} more`;
  return `Cannot load the policies: ${named.join('; ')}${more}. Run policy check`;
}

/** Nothing that is said of a limit comes from a file, and no hint about a source or a managed bundle does. */
function whatIsWrong({ code, message, hint }: Pick<Diagnostic, 'code' | 'message' | 'hint'>): string {
  const kind = DIAGNOSTIC_KINDS[code];
  if (code === 'limit') return `${message.slice(message.indexOf(':') + 2)}: ${hint}`;
  return code === 'source' || code === 'stale' ? `${kind}: ${hint}` : kind;
}

/** File names come from repositories too, so they must not write lines of their own. */
function printable(path: string): string {
  const plain = path.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');
  return plain.length > MAX_PATH_LENGTH ? `…${plain.slice(-MAX_PATH_LENGTH)}` : plain;
}
