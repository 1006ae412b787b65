import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import type { EventKind, Subject } from '../../../model/event.ts';
import { RewriteError } from './rewrite-error.ts';

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
