import { isJsonObject, type Json } from '../lib/json.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';
import { namesIn, patternCovers } from './name-pattern.ts';
import { itemRemoval, nameRemoval } from './removal.ts';

/** Alternatives that are there twice, or that another alternative covers. */
export const repeated = {
  codes: ['duplicate'],
  run: ({ policies }) => policies.flatMap((policy) => below(policy.rule.when, [], policy)),
} as const satisfies LintRule;

/** Lists in which order matters, or that mean one value. */
const WHOLE_VALUES = new Set(['subcommand', 'equals', 'contains', 'arguments_match', 'arguments_violate']);

function below(value: Json, path: readonly (string | number)[], policy: LintedPolicy): readonly Finding[] {
  const key = path.findLast((step) => typeof step === 'string');
  if (key !== undefined && WHOLE_VALUES.has(key)) return [];
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, inside]) => below(inside, [...path, name], policy));
  }
  if (key === 'tool_matcher' && typeof value === 'string') return repeatedNames(value, path, policy);
  if (!Array.isArray(value)) return [];
  return [
    ...repeatedItems(value, key ?? '', path, policy),
    ...value.flatMap((item: Json, index) =>
      typeof item === 'object' ? below(item, [...path, index], policy) : [],
    ),
  ];
}

function repeatedItems(
  list: readonly Json[],
  key: string,
  path: readonly (string | number)[],
  policy: LintedPolicy,
): readonly Finding[] {
  const { source } = policy;
  return list.flatMap((item, index): readonly Finding[] => {
    if (typeof item === 'object') return [];
    const other = list.find(
      (each, at) => at !== index && (each === item ? at < index : covers(key, each, item)),
    );
    if (other === undefined) return [];
    const fix = itemRemoval(source, [...path, index]);
    return [
      {
        code: 'duplicate',
        position: source.positionOf([...path, index], 'value'),
        message: messageFor(String(item), String(other), key),
        hint: 'leave it out',
        ...(fix === undefined ? {} : { fix }),
      },
    ];
  });
}

function covers(key: string, wide: Json, narrow: Json): boolean {
  return key === 'model_prefix' && typeof wide === 'string' && String(narrow).startsWith(wide);
}

function repeatedNames(
  spec: string,
  path: readonly (string | number)[],
  policy: LintedPolicy,
): readonly Finding[] {
  const { source } = policy;
  const names = namesIn(spec);
  const otherOf = (name: string, index: number) =>
    names.find((each, at) => at !== index && (each === name ? at < index : patternCovers(each, name)));
  const kept = names.filter((name, index) => otherOf(name, index) === undefined);
  if (kept.length === names.length) return [];
  // All of them stand in one text, so one change takes all of them out.
  const fix = nameRemoval(source, path, kept);
  return names.flatMap((name, index): readonly Finding[] => {
    const other = otherOf(name, index);
    if (other === undefined) return [];
    return [
      {
        code: 'duplicate',
        position: source.positionOf(path, 'value'),
        message: messageFor(name, other, 'tool_matcher'),
        hint: 'leave it out',
        ...(fix === undefined ? {} : { fix }),
      },
    ];
  });
}

function messageFor(value: string, other: string, key: string): string {
  return value === other
    ? `Cannot match more by naming "${value}" twice in "${key}"`
    : `Cannot match more by "${value}" in "${key}": "${other}" covers it`;
}
