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

/** A matching key, as a plain const object; `registry.ts` lists them. `schema` and `check` see a spec first. */
export interface Matcher {
  readonly key: string;
  /** One sentence, shown in the reference, the schema and editors. */
  readonly summary: string;
  /** JSON Schema 2020-12 of the spec. */
  readonly schema: JsonObject;
  /** Schemas that `schema` refers to as `#/$defs/<name>`; several matchers may share one. */
  readonly definitions?: Readonly<Record<string, JsonObject>>;
  /** True if the host, the event kind and the tool's name and classes decide: the rule index then asks once for each. */
  readonly constantPerTool?: true;
  /** True if exceptions may use the key. `command`, `path` and `url` hold if one of many fits, so the rest would pass as well. */
  readonly exempts?: true;
  /** True if it selects some of the calls of a tool. */
  readonly narrows?: true;
  /** True if equal calls with equal results get the same answer, whoever asks and whatever came before. */
  readonly steady?: true;
  /** True if its spec holds other matching keys, which give the answer, as that of `any` does. */
  readonly joins?: true;
  /** The events with the values that the key reads; by default all. */
  readonly events?: readonly EventKind[];
  /** The parts of an event that it reads, of those that some events of a call lack. */
  readonly reads?: (spec: Json) => readonly EventPart[];
  readonly check?: (spec: Json) => readonly SpecProblem[];
  /** Strings of which the event must contain one to match; undefined if there are none. */
  readonly literals?: (spec: Json) => Literals | undefined;
  /** Needs of which one must be met for a match, if all commands of the event can be read; undefined if there are none. */
  readonly needs?: (spec: Json) => readonly CallNeeds[] | undefined;
  /** Called once per policy and process, when first needed. */
  readonly compile: (spec: Json) => Predicate;
  /** The values of the event that the key read, for people. */
  readonly seen: (facts: Facts, spec: Json) => readonly string[];
  /** Capture groups of the pattern that matched (index 0 is the whole match), for `{{match.N}}`. */
  readonly captures?: (spec: Json, facts: Facts) => readonly string[] | undefined;
}
