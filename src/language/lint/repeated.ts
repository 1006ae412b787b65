import { isJsonObject, type Json } from '../../lib/json.ts';
import { WHEN } from '../keys/analyses.ts';
import type { Shape } from '../keys/shape.ts';
import { namesIn, patternCovers } from '../keys/types/name-pattern.ts';
import type { Finding, LintedPolicy, LintRule } from './lint-rule.ts';
import { itemRemoval, nameRemoval } from './removal.ts';

/** Alternatives that are there twice, or that another alternative covers. */
export const repeated = {
  codes: ['duplicate'],
  run: ({ policies }) => policies.flatMap((policy) => below(policy.rule.when, WHEN, [], policy)),
} as const satisfies LintRule;

type Path = readonly (string | number)[];

function below(value: Json, shape: Shape, path: Path, policy: LintedPolicy): readonly Finding[] {
  switch (shape.type) {
    case 'either':
      return below(value, isJsonObject(value) ? shape.mapping : shape.text, path, policy);
    case 'keys':
    case 'options': {
      if (!isJsonObject(value)) return [];
      const { item, keys, other } = {
        item: undefined,
        keys: () => ({}),
        other: undefined,
        ...shape,
      } as const;
      const known: Readonly<Record<string, { readonly shape: Shape }>> = keys();
      return Object.entries(value).flatMap(([key, inside]) => {
        const part = item ?? (Object.hasOwn(known, key) ? known[key]?.shape : other);
        return part === undefined ? [] : below(inside, part, [...path, key], policy);
      });
    }
    case 'choice':
    case 'every':
    case 'sequence': {
      if (!Array.isArray(value)) return below(value, shape.item, path, policy);
      const found = value.flatMap((each: Json, index) => below(each, shape.item, [...path, index], policy));
      // Order matters in a sequence.
      if (shape.type === 'sequence') return found;
      const covers = shape.type === 'choice' ? shape.covers : undefined;
      return [...repeatedItems(value, covers, path, policy), ...found];
    }
    case 'names':
      return repeatedNames(String(value), path, policy);
    default:
      return [];
  }
}

function repeatedItems(
  list: readonly Json[],
  covers: ((wide: Json, narrow: Json) => boolean) | undefined,
  path: Path,
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
    return [
      {
        code: 'duplicate',
        position: source.positionOf([...path, index], 'value'),
        message: messageFor(String(item), String(other), keyOf(path)),
        hint: 'leave it out',
        ...(fix === undefined ? {} : { fix }),
      },
    ];
  });
}

function keyOf(path: Path): string {
  return String(path.findLast((step) => typeof step === 'string') ?? '');
}

function repeatedNames(spec: string, path: Path, policy: LintedPolicy): readonly Finding[] {
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
    return [
      {
        code: 'duplicate',
        position: source.positionOf(path, 'value'),
        message: messageFor(name, other, keyOf(path)),
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
