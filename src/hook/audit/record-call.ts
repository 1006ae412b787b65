import { canonicalJson } from '../../lib/canonical-json.ts';
import { atPath } from '../../lib/json-path.ts';
import type { ToolCall } from '../../model/event.ts';
import { redactValue } from '../../reader/secrets/redact-value.ts';
import { isWithin } from './redact.ts';

/** Arguments that are longer have no digest: making it would hold up the answer. */
const MAX_DIGESTED_CHARS = 4 * 1024 * 1024;

/** How the log tells calls apart without keeping them. */
export interface CallNotes {
  /** A digest that only this machine can make. May throw. */
  readonly keyed: (text: string) => string;
  /** False to leave commands out, and the targets of other calls. */
  readonly command: boolean;
}

/** A keyed digest: equal calls have the same one, and only this machine's key makes it. Undefined if nothing can be digested. */
export function callDigest({ name, arguments: args }: ToolCall, { keyed }: CallNotes): string | undefined {
  if (args === undefined || !isWithin(args, MAX_DIGESTED_CHARS)) return undefined;
  try {
    return keyed(canonicalJson([name, args]));
  } catch {
    // A key that cannot be read must not keep the line from the log.
    return undefined;
  }
}

/** The command of a call, its words as one text, without secrets that only its words tell; undefined if it has none. */
export function commandOf({
  arguments: args,
  aliases,
  classes,
  commands = [],
}: ToolCall): string | undefined {
  if (args === undefined) return undefined;
  const [first] = commands;
  const own = classes.includes('shell') ? args[aliases['command'] ?? 'command'] : undefined;
  const value = own ?? (first === undefined ? undefined : atPath(args, first.at));
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return undefined;
  return (redactValue(value) as readonly string[]).join(' ');
}

/** Portable arguments that show best which thing a call is about. */
const TARGETS: readonly string[] = ['path', 'url'];
const MAX_TARGET_CHARS = 256;

/** The target of a call without a command: its path or address, else its first short text. Secrets are removed; undefined if it has none. */
export function targetOf({ arguments: args, aliases }: ToolCall): string | undefined {
  if (args === undefined) return undefined;
  const named = TARGETS.map((name) => aliases[name] ?? name);
  for (const key of [...named, ...Object.keys(args)]) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value !== 'string' || value === '' || value.length > MAX_TARGET_CHARS) continue;
    // Its name may say that it is a secret.
    const [redacted] = Object.values(redactValue({ [key]: value }) as Readonly<Record<string, string>>);
    return redacted;
  }
  return undefined;
}
