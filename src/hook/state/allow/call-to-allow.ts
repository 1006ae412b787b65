import { canonicalJson } from '../../../lib/canonical-json.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import { type JsonObject, ownString } from '../../../lib/json.ts';
import type { Event } from '../../../model/event.ts';
import type { CallToAllow, Grant, LikePattern } from '../../../model/grant.ts';

/** A model writes it anew each time, and no shell does anything with it. */
const DESCRIPTION = 'description';

/**
 * The call of an event as a grant names it; undefined for events that are no calls yet to be run.
 *
 * @param directory the session's
 */
export function callToAllow(
  { kind, host, tool, session }: Event,
  directory: string,
): CallToAllow | undefined {
  if (kind !== 'before_tool' && kind !== 'approve_tool') return undefined;
  if (tool?.arguments === undefined) return undefined;
  const isShell = tool.classes.includes('shell') && ownString(tool.arguments, 'command') !== undefined;
  const kept = isShell ? without(tool.arguments, DESCRIPTION) : tool.arguments;
  return { host, tool: tool.name, directory, arguments: kept, session };
}

/** The same for the same call in the same folder. */
export function digestOf({ host, tool, directory, arguments: args }: CallToAllow): string {
  return sha256Hex([host, tool, directory, canonicalJson(args)]);
}

/** The digest that a grant for calls like one is bound to. */
export function digestBeside(call: CallToAllow, { argument, exact }: LikePattern): string {
  return digestOf({ ...call, arguments: exact ? without(call.arguments, argument) : {} });
}

export function isAbout(grant: Grant, call: CallToAllow, digest: string): boolean {
  if (grant.scope === 'session' && grant.call.session !== call.session) return false;
  if (grant.like === undefined) return grant.digest === digest;
  const text = ownString(call.arguments, grant.like.argument);
  return (
    text !== undefined &&
    digestBeside(call, grant.like) === grant.digest &&
    fitsLike(grant.like.pattern, text)
  );
}

/** A pattern for similar calls: the last operand, or the end of a path or URL, may differ. Undefined if that is not plain. */
export function likePatternOf({ arguments: args }: CallToAllow): LikePattern | undefined {
  const command = ownString(args, 'command');
  if (command !== undefined) {
    const words = command.split(' ');
    const at = words.findLastIndex(
      (word, index) => index > 0 && !word.startsWith('-') && PLAIN_END.test(word),
    );
    if (at === -1 || !words.every((word) => PLAIN_WORD.test(word))) return undefined;
    const open = words.with(at, (words[at] ?? '').replace(PLAIN_END, '*'));
    return { argument: 'command', pattern: open.join(' '), exact: true };
  }
  for (const argument of ['path', 'file_path', 'url']) {
    const text = ownString(args, argument);
    if (text === undefined || text.includes('*') || !PLAIN_END.test(text)) continue;
    return { argument, pattern: text.replace(PLAIN_END, '*'), exact: argument === 'url' };
  }
  return undefined;
}

/** `*` matches no flag, nothing hidden, nothing above, nothing below, and nothing that a shell expands. */
const STAR = '[A-Za-z0-9_@%+=:,][A-Za-z0-9_.@%+=:,-]*';
const PLAIN_END = new RegExp(`(?<=^|/)${STAR}$`);
/** Words of one simple command: nothing that a shell would take for more than the word. */
const PLAIN_WORD = /^[A-Za-z0-9_.@%+=:,/-]+$/;

export function fitsLike(pattern: string, text: string): boolean {
  return new RegExp(`^${likeRegex(pattern)}$`).test(text);
}

/** The same as a regex, for matching keys too. */
export function likeRegex(pattern: string): string {
  return pattern
    .split('*')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join(STAR);
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
