import type { JsonObject } from '../../lib/json.ts';

/** A removable part of a policy's keys, for coverage and mutants. `drop` holds the keys without it. */
export type Site = Place &
  (
    | {
        /** One of the keys that must all hold. */
        readonly type: 'key';
        /** True if the key names values that do not count, as `except`, `not` and `none` do. */
        readonly excepts: boolean;
        readonly drop: JsonObject;
      }
    | {
        /** One of several alternatives. */
        readonly type: 'alternative';
        /** The keys with this alternative only, here and around it. */
        readonly only: JsonObject;
        readonly drop: JsonObject;
      }
    | {
        /** One of several list items that must all hold. */
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
  /** The path from the policy to it. */
  readonly path: readonly (string | number)[];
  /** Its text for people. */
  readonly label: string;
  /** True if it narrows the policy, because it is in an exception. */
  readonly negative: boolean;
}
