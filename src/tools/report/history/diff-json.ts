import type { JsonObject } from '../../../lib/json.ts';
import type { Comparison, Difference } from '../../compare/comparison.ts';
import { changedParts, type Verdict } from '../../compare/verdict.ts';
import { JSON_VERSION } from '../layout/json-version.ts';

/** A comparison as data: `policy diff --json`. */
export function diffJson({ differences, judged }: Comparison, more: JsonObject = {}): JsonObject {
  const count = (wanted: string) => differences.filter(({ change }) => change === wanted).length;
  return {
    version: JSON_VERSION,
    calls: judged,
    loosened: count('loosened'),
    changed: count('changed'),
    tightened: count('tightened'),
    ...more,
    differences: differences.map(differenceJson),
  };
}

function differenceJson({ change, policy, label, place, before, after }: Difference): JsonObject {
  return {
    change,
    policy,
    call: label,
    place,
    before: verdictJson(before),
    after: verdictJson(after),
    ...(change === 'changed' ? { parts: changedParts(before, after) } : {}),
  };
}

function verdictJson({ action, policy }: Verdict): JsonObject {
  return { action, policy: policy ?? null };
}
