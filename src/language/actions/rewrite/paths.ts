import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import { parsePath } from '../../../lib/json-path.ts';
import type { EventKind, Subject } from '../../../model/event.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import type { ParamProblem } from '../action-spec.ts';

/** The key of the subject that paths start from; undefined where they start from the subject itself. */
export function rootKey(kind: EventKind): 'arguments' | 'result' | 'response' | undefined {
  switch (kind) {
    case 'before_tool':
    case 'approve_tool':
      return 'arguments';
    case 'after_tool':
    case 'tool_failure':
      return 'result';
    case 'after_llm':
      return 'response';
    default:
      return undefined;
  }
}

/** The subject with another value where paths start; the same object if nothing changed. */
export function withRoot(subject: Subject, kind: EventKind, change: (root: Json) => Json): Subject {
  const key = rootKey(kind);
  if (key === undefined) {
    const changed = change(subject);
    return isJsonObject(changed) ? changed : subject;
  }
  const root = own(subject, key);
  if (root === undefined) throw new RewriteError(`Cannot rewrite the ${key}: the event has none`);
  const changed = change(root);
  return changed === root ? subject : { ...subject, [key]: changed };
}

/** The problem of a path that names nothing, as in `a..b`. */
export function checkPath(path: string, at: readonly (string | number)[]): readonly ParamProblem[] {
  if (path !== '' && !parsePath(path).includes('')) return [];
  return [
    {
      code: 'bad-value',
      path: at,
      message: `Cannot follow path "${path}": it has an empty name`,
      hint: 'write names with dots between them, such as edits.0.path',
    },
  ];
}

/**
 * A policy's path in the host's names. The host's name counts if the call has it, so that an extra argument cannot redirect the
 * rewrite.
 */
export function hostPath(
  path: string,
  aliases: Readonly<Record<string, string>>,
  root: Json,
): readonly string[] {
  const [first, ...rest] = parsePath(path);
  if (first === undefined || !Object.hasOwn(aliases, first)) return parsePath(path);
  const hostName = aliases[first] ?? first;
  const has = (key: string) => isJsonObject(root) && Object.hasOwn(root, key);
  return [has(first) && !has(hostName) ? first : hostName, ...rest];
}

const MADE = new Set(['shell', 'eval', 'trap', 'remote', 'configuration', 'decoder', 'alias', 'source']);

/** The reason why a word of a command cannot be changed in its place: the value that `what` names is not written there as it is. */
export function unwritableReason({ via }: ReadCommand, what: string): string {
  const kind = via.at(-1)?.kind;
  if (kind === 'interpreter') return `${what} is in code of another language`;
  return kind !== undefined && MADE.has(kind)
    ? `${what} is in a text that is joined from parts before it runs`
    : `${what} is not in the command word for word`;
}

/** A rewrite that cannot be carried out. The caller refuses the event; the message says which part and why. */
export class RewriteError extends Error {
  override readonly name = 'RewriteError';
}
