import { userInfo } from 'node:os';
import type { AllowStore } from '../../../hook/state/allow/allow-store.ts';
import { digestBeside } from '../../../hook/state/allow/call-to-allow.ts';
import type { GrantScope, LikePattern, RefusedCall } from '../../../model/grant.ts';
import { type Io, UsageError } from '../io.ts';
import { exceptionsFor, fileWithExceptions, writeExceptions } from './user-exceptions.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long an exception lasts that `policy allow` writes. */
export const EXCEPTION_DAYS = 90;
/** An agent that was refused tries again soon, or not at all. */
export const ONCE_WITHIN_MS = 60 * 60_000;

export function makeGrant(
  store: AllowStore,
  refused: RefusedCall,
  like: LikePattern | undefined,
  until: { readonly scope: GrantScope; readonly endsAfterMs: number },
): void {
  store.allow(refused, {
    policies: refused.policies.map(({ id }) => id),
    call: refused.call,
    digest: like === undefined ? refused.digest : digestBeside(refused.call, like),
    ...(like === undefined ? {} : { like }),
    scope: until.scope,
    endsMs: Date.now() + until.endsAfterMs,
  });
}

/** An exception that a person may agree to. */
export interface DraftedException {
  readonly path: string;
  /** The whole file as it would be. */
  readonly text: string;
  /** Its last day. */
  readonly expires: string;
  readonly write: () => void;
}

/**
 * Drafts the user's file with an exception for a refused call, or calls like it.
 *
 * @throws UsageError if the call cannot be written as one, or the file cannot take it
 */
export function draftException(
  store: AllowStore,
  refused: RefusedCall,
  like: LikePattern | undefined,
  reason: string | undefined,
  env: Io['env'],
): DraftedException {
  if (refused.isShortened)
    throw new UsageError(
      'Cannot write an exception for this call: parts of it are too long or secret to be kept',
    );
  const expires = new Date(Date.now() + EXCEPTION_DAYS * DAY_MS).toISOString().slice(0, 10);
  const by = { owner: userInfo().username, reason: reason ?? 'let pass with policy allow', expires };
  const { path, text } = fileWithExceptions(env, exceptionsFor(refused, like, by));
  const write = () => {
    writeExceptions(path, text);
    store.settle(refused);
  };
  return { path, text, expires, write };
}
