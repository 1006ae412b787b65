import type { JsonObject } from '../../lib/json.ts';

/**
 * A place in a policy's matching keys at which something can be taken away: coverage counts these, and mutants lack one each.
 * `drop` is the whole of the keys without it.
 */
export type Site = Place &
  (
    | {
        /** One of the keys that must all hold. */
        readonly type: 'key';
        /** True if the key names values that do not count: `except`, `not`, `none`. */
        readonly excepts: boolean;
        readonly drop: JsonObject;
      }
    | {
        /** One of several alternatives. */
        readonly type: 'alternative';
        /** The keys with no other alternative here nor around. */
        readonly only: JsonObject;
        readonly drop: JsonObject;
      }
    | {
        /** One of several things in a list that must all hold. */
        readonly type: 'item';
        readonly drop: JsonObject;
      }
    | {
        /** A pattern that could be wider. */
        readonly type: 'pattern';
        readonly drop: JsonObject;
      }
  );

interface Place {
  /** Leads from the policy to it. */
  readonly path: readonly (string | number)[];
  /** It as people read it. */
  readonly label: string;
  /** True if the policy matches less because of it: it is in an exception. */
  readonly negative: boolean;
}
