import { kindName } from '../../../language/calls/kind-name.ts';
import type { YamlPath } from '../../../language/policy/yaml/yaml.ts';
import { didYouMean } from '../../../lib/closest.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { type CaseReader, complain } from './case-reader.ts';

/** One dimension of a matrix, by the key that names its labels. */
export interface Dimension {
  readonly key: 'calls' | 'hosts' | 'models';
  readonly labels: readonly string[];
}

export interface Cell {
  /** A label for each dimension. */
  readonly labels: readonly string[];
  readonly expect: Json;
  readonly path: YamlPath;
}

/**
 * The cells of an expectation table, nested by dimension. An expectation holds for everything below it; gaps and unknown labels
 * are problems.
 */
export function readTable(
  reader: CaseReader,
  table: Json,
  path: YamlPath,
  dimensions: readonly Dimension[],
): readonly Cell[] {
  const [dimension, ...rest] = dimensions;
  if (dimension === undefined) return [{ labels: [], expect: table, path }];
  if (!isJsonObject(table)) {
    const hint = `write a mapping from each of ${dimension.key} to what is expected`;
    complain(reader, 'wrong-type', path, `Cannot use the table: it is ${kindName(table)}`, hint);
    return [];
  }
  complainOfStrangers(reader, table, path, dimension);
  const missing = dimension.labels.filter((label) => !Object.hasOwn(table, label));
  if (missing.length > 0) {
    const message = `Cannot use the table: it does not list ${missing.map((label) => `"${label}"`).join(', ')} of "${dimension.key}"`;
    complain(reader, 'missing-key', path, message, 'say for every cell what is expected');
  }
  return dimension.labels.flatMap((label) => {
    const value = own(table, label);
    if (value === undefined) return [];
    const here = [...path, label];
    const cells = isTable(value, rest[0]) ? readTable(reader, value, here, rest) : spread(value, here, rest);
    return cells.map((cell) => ({ ...cell, labels: [label, ...cell.labels] }));
  });
}

/** A mapping is a further level if one of its keys is a label of that level. */
function isTable(value: Json, dimension: Dimension | undefined): boolean {
  return (
    dimension !== undefined &&
    isJsonObject(value) &&
    dimension.labels.some((label) => Object.hasOwn(value, label))
  );
}

function spread(expect: Json, path: YamlPath, dimensions: readonly Dimension[]): readonly Cell[] {
  const [dimension, ...rest] = dimensions;
  if (dimension === undefined) return [{ labels: [], expect, path }];
  const inner = spread(expect, path, rest);
  return dimension.labels.flatMap((label) =>
    inner.map((cell) => ({ ...cell, labels: [label, ...cell.labels] })),
  );
}

function complainOfStrangers(
  reader: CaseReader,
  table: JsonObject,
  path: YamlPath,
  { key, labels }: Dimension,
): void {
  for (const label of Object.keys(table)) {
    if (labels.includes(label)) continue;
    const hint = didYouMean(label, labels, `add it to "${key}" or remove it`);
    const message = `Cannot use "${label}" in the table: it is not one of "${key}"`;
    complain(reader, 'unknown-key', [...path, label], message, hint, 'key');
  }
}
