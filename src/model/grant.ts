import type { JsonObject } from '../lib/json.ts';
import type { Layer } from './policy.ts';

/** A policy that refused a call. */
export interface RefusingPolicy {
  readonly id: string;
  readonly layer: Layer;
  readonly locked: boolean;
  /** True if it asks a person. */
  readonly asks: boolean;
}

/** A tool call as a grant identifies it: the same call in the same folder has the same digest. */
export interface CallToAllow {
  readonly host: string;
  readonly tool: string;
  /** The session's directory, to which relative paths are relative. */
  readonly directory: string;
  /** Without the description that models write for people. */
  readonly arguments: JsonObject;
  readonly session: string | undefined;
}

/** Calls that a pattern covers: one argument fits it, and the others are the same or do not matter. */
export interface LikePattern {
  readonly argument: string;
  /** A string in which `*` matches one plain word, or the rest of one. */
  readonly pattern: string;
  /** True if the other arguments must be the same. */
  readonly exact: boolean;
}

/** A call that policies refused, kept for a day so that a person can let it pass. */
export interface RefusedCall {
  /** A person types these six characters. */
  readonly code: string;
  readonly call: CallToAllow;
  /** Digest of the call. */
  readonly digest: string;
  /** True if the arguments were too long to keep or held secrets, and are not those that the digest is of. */
  readonly isShortened: boolean;
  readonly policies: readonly RefusingPolicy[];
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly refusedMs: number;
  /** The id of the grant that was made for it. */
  readonly grant?: string;
}

export type GrantScope = 'once' | 'for' | 'session';

/** A person's permission: calls, past certain policies, until a given time. */
export interface Grant {
  readonly id: string;
  readonly code: string;
  /** Digest of the machine for which it is valid. */
  readonly machine: string;
  /** The policies that it lets the calls past. */
  readonly policies: readonly string[];
  readonly call: CallToAllow;
  /** Of the one call that it is for; of the arguments beside the pattern, where there is one. */
  readonly digest: string;
  readonly like?: LikePattern;
  readonly scope: GrantScope;
  readonly madeMs: number;
  readonly endsMs: number;
}

/**
 * Policies that a person may let a call past: none that is locked, and none that is above the user. One that asks
 * wants an answer, whoever wrote it.
 */
export function canBeAllowed({ locked, layer, asks }: RefusingPolicy): boolean {
  return asks || (!locked && layer !== 'organisation');
}
