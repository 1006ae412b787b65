import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { parseRegex, programSizeBound } from '../../../lib/regex/regex-syntax.ts';

/** The limit for compiling the patterns of one policy, about 250 ms: compiling cannot be interrupted. */
export const MAX_POLICY_COST = 250_000;

const SCHEMA_KEYS = ['arguments_match', 'arguments_violate', 'parameters'] as const;
const COST_PER_SCHEMA = 2_000;
const COST_PER_SCHEMA_VALUE = 100;
/** Unicode classes and folding make an instruction that much dearer. */
const COST_PER_UNICODE_CLASS = 25;

/** An upper bound of the cost of a policy or tool, about one for a microsecond. Stops counting above the maximum. */
export function policyCost(policy: JsonObject): number {
  let cost = 0;
  for (const key of SCHEMA_KEYS) {
    const schema = own(policy, key);
    if (schema !== undefined) cost += COST_PER_SCHEMA + COST_PER_SCHEMA_VALUE * countValues(schema);
  }
  for (const value of valuesIn(policy)) {
    cost += typeof value === 'string' ? patternCost(value) : 1;
    if (cost > MAX_POLICY_COST) break;
  }
  return cost;
}

/** Only repetition makes a pattern's program much longer than the pattern. */
function patternCost(text: string): number {
  let size = 2 * text.length + 1;
  if (text.includes('{')) {
    const tree = parseRegex(text);
    if ('type' in tree) size = Math.max(size, programSizeBound(tree));
  }
  const unicode = text.match(/\\[pP]|\(\?[a-z]*i/g)?.length ?? 0;
  return size + unicode * COST_PER_UNICODE_CLASS;
}

function countValues(value: Json): number {
  let count = 0;
  for (const _ of valuesIn(value)) if (++count > MAX_POLICY_COST) break;
  return count;
}

/** Every value inside a value, itself included. */
function* valuesIn(root: Json): Generator<Json> {
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    yield value;
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isJsonObject(value)) for (const item of Object.values(value)) open.push(item);
  }
}
