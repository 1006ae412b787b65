import type { Json } from '../../lib/json.ts';
import type { Fix } from '../../model/diagnostic.ts';
import { WHEN } from '../keys/analyses.ts';
import { partsIn } from '../keys/shape.ts';
import { namesIn, patternCovers } from '../keys/types/name-pattern.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';
import { itemRemoval, nameRemoval } from './removal.ts';

/** Alternatives that are there twice, or that another alternative covers. */
export const repeated = {
  codes: ['duplicate'],
  check: () => findingsOf,
} as const satisfies LintRule;

function findingsOf(policy: LintedPolicy): readonly Finding[] {
  return partsIn(policy.rule.when, WHEN).flatMap(({ value, shape, path }) => {
    if (shape.type === 'names') return repeatedNames(String(value), path, policy);
    // Order matters in a sequence.
    if (!Array.isArray(value) || (shape.type !== 'choice' && shape.type !== 'every')) return [];
    return repeatedItems(value, shape.type === 'choice' ? shape.covers : undefined, path, policy);
  });
}

function repeatedItems(
  list: readonly Json[],
  covers: ((wide: Json, narrow: Json) => boolean) | undefined,
  path: YamlPath,
  policy: LintedPolicy,
): readonly Finding[] {
  const { source } = policy;
  return list.flatMap((item, index): readonly Finding[] => {
    if (typeof item === 'object') return [];
    const other = list.find(
      (each, at) => at !== index && (each === item ? at < index : covers?.(each, item) === true),
    );
    if (other === undefined) return [];
    const fix = itemRemoval(source, [...path, index]);
    return [repetition(String(item), String(other), [...path, index], fix)];
  });
}

function repeatedNames(spec: string, path: YamlPath, policy: LintedPolicy): readonly Finding[] {
  const { source } = policy;
  const names = namesIn(spec);
  const otherOf = (name: string, index: number) =>
    names.find((each, at) => at !== index && (each === name ? at < index : patternCovers(each, name)));
  const kept = names.filter((name, index) => otherOf(name, index) === undefined);
  if (kept.length === names.length) return [];
  // All of them are in one text, so one change takes all of them out.
  const fix = nameRemoval(source, path, kept);
  return names.flatMap((name, index): readonly Finding[] => {
    const other = otherOf(name, index);
    if (other === undefined) return [];
    return [repetition(name, other, path, fix)];
  });
}

function repetition(value: string, other: string, path: YamlPath, fix: Fix | undefined): Finding {
  const key = path.findLast((step) => typeof step === 'string') ?? '';
  const message =
    value === other
      ? `Cannot match more by naming "${value}" twice in "${key}"`
      : `Cannot match more by "${value}" in "${key}": "${other}" covers it`;
  return { path, message, hint: 'leave it out', ...(fix && { fix }) };
}
