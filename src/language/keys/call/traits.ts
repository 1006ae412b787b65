import type { ConsequenceKind } from '../../../model/consequences.ts';
import type { Effect, PathUse } from '../../../reader/reading/reading.ts';

/** The things that a call or one of its commands does or has, one bit each. */
export const TRAITS = {
  read: 1,
  write: 2,
  delete: 4,
  list: 8,
  execute: 16,
  mention: 32,
  network: 64,
  remote_code: 128,
  assignment: 256,
  /** It is run by something else of the script: a wrapper, a shell, a function. */
  via: 512,
  privileged: 1024,
  remote: 2048,
  empty: 4096,
  /** The call has a path, a URL, a glob or a patch in arguments of its own. */
  argument: 8192,
  /** Its command, paths or URLs have characters other than printable ASCII ones. */
  odd: 16384,
  /** It uses the network, and words of it may hold a token, be made by a command that prints one, or not be known. */
  sends_token: 2_097_152,
  destroys: 32_768,
  reveals: 65_536,
  stops: 131_072,
  persists: 262_144,
  grants: 524_288,
  unguards: 1_048_576,
  changes: 4_194_304,
} as const satisfies Readonly<
  Record<
    | PathUse
    | ConsequenceKind
    | Exclude<Effect['type'], 'path'>
    | 'assignment'
    | 'via'
    | 'privileged'
    | 'remote'
    | 'argument'
    | 'odd'
    | 'sends_token',
    number
  >
>;
