import type { Json, JsonObject } from '../../lib/json.ts';
import type { SpecProblem } from '../../model/diagnostic.ts';
import type { EventKind } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { OnMiss } from '../../model/miss.ts';
import type { CallNeeds, EventPart, Literals } from '../../model/policy.ts';
import type { Truth } from '../../model/truth.ts';

/**
 * Tests whether an event matches. Pure, total and linear in the size of the event.
 *
 * @param missed receives the parts of the spec that did not hold, if the key has parts
 */
export type Predicate = (facts: Facts, missed?: OnMiss) => Truth;

/**
 * A matching key of a policy. A plain const object; `registry.ts` is the only list of them.
 * No other member sees a spec that has not passed `schema` and `check`.
 */
export interface Matcher {
  readonly key: string;
  /** One sentence, shown in the reference, the schema and editors. */
  readonly summary: string;
  /** JSON Schema 2020-12 of the spec. */
  readonly schema: JsonObject;
  /** Schemas that `schema` refers to as `#/$defs/<name>`; several matchers may share one. */
  readonly definitions?: Readonly<Record<string, JsonObject>>;
  /**
   * True if the answer depends only on the host, the event kind and the tool's name and classes. The rule index then
   * asks once per combination instead of once per call.
   */
  readonly constantPerTool?: true;
  /**
   * True if exceptions may have the key: it speaks of the call as a whole. `command`, `path` and `url` hold if one of many fits,
   * and the rest of a script would pass with it.
   */
  readonly exempts?: true;
  /** True if it picks single calls out of all that a tool is for. */
  readonly narrows?: true;
  /** True if it says the same of each equal call with the same result, for any asker and any earlier calls. */
  readonly steady?: true;
  /** True if its spec holds matching keys, as that of `any` does, and these give the answer. */
  readonly joins?: true;
  /** The events that carry the values that the key looks at; absent means all. */
  readonly events?: readonly EventKind[];
  /** The parts of an event that it reads and that not every event of a call carries. */
  readonly reads?: (spec: Json) => readonly EventPart[];
  readonly check?: (spec: Json) => readonly SpecProblem[];
  /** Strings without which the answer can only be no; undefined if it has none. */
  readonly literals?: (spec: Json) => Literals | undefined;
  /**
   * If all commands of an event can be read and the event meets none of these needs, the answer can only be no. Undefined if it
   * has none.
   */
  readonly needs?: (spec: Json) => readonly CallNeeds[] | undefined;
  /** Called once per policy and process, when first needed. */
  readonly compile: (spec: Json) => Predicate;
  /** The values that the key looked at in the event, for people; empty if there are none. */
  readonly seen: (facts: Facts, spec: Json) => readonly string[];
  /** Capture groups of the pattern that matched (index 0 is the whole match), for `{{match.N}}`. */
  readonly captures?: (spec: Json, facts: Facts) => readonly string[] | undefined;
}
