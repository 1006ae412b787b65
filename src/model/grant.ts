import type { JsonObject } from '../lib/json.ts';
import type { Layer } from './policy.ts';

export interface RefusingPolicy {
  readonly id: string;
  readonly layer: Layer;
  readonly locked: boolean;
  /** True if its action is to ask a person. */
  readonly asks: boolean;
}

/** A tool call with the parts that identify it for a grant: equal calls in the same folder have the same digest. */
export interface CallToAllow {
  readonly host: string;
  readonly tool: string;
  /** The session's directory; relative paths start there. */
  readonly directory: string;
  /** Without the description that models write for people. */
  readonly arguments: JsonObject;
  readonly session: string | undefined;
}

/** Calls that a pattern covers: one argument fits it, and the others are equal or do not matter. */
export interface LikePattern {
  readonly argument: string;
  /** A string in which `*` matches one plain word, or the end of one. */
  readonly pattern: string;
  /** True if the other arguments must be equal. */
  readonly exact: boolean;
}

/** A call that policies refused, kept for a day so that a person can let it pass. */
export interface RefusedCall {
  /** The six characters that a person types. */
  readonly code: string;
  readonly call: CallToAllow;
  readonly digest: string;
  /** True if the arguments are not those of the digest, because they were too long or held secrets. */
  readonly isShortened: boolean;
  readonly policies: readonly RefusingPolicy[];
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly refusedMs: number;
  readonly grant?: string;
}

export type GrantScope = 'once' | 'for' | 'session';

/** A person's permission: calls, past certain policies, until a given time. */
export interface Grant {
  readonly id: string;
  readonly code: string;
  /** Digest of the machine where it is valid. */
  readonly machine: string;
  readonly policies: readonly string[];
  readonly call: CallToAllow;
  /** Digest of the one call, or of the arguments beside the pattern. */
  readonly digest: string;
  readonly like?: LikePattern;
  readonly scope: GrantScope;
  readonly madeMs: number;
  readonly endsMs: number;
}

/** True for a policy that a person may override: one that asks, or is neither locked nor the organisation's. */
export function canBeAllowed({ locked, layer, asks }: RefusingPolicy): boolean {
  return asks || (!locked && layer !== 'organisation');
}
