import type { FactRow } from '../../model/policy.ts';
import { MATCHER_TABLE } from '../keys/registry.ts';
import { type CompiledKey, compileWhen } from '../keys/when.ts';

const compiled = new WeakMap<FactRow, readonly CompiledKey[]>();

export function factKeys(row: FactRow): readonly CompiledKey[] {
  const known = compiled.get(row) ?? compileWhen(row.when, MATCHER_TABLE);
  compiled.set(row, known);
  return known;
}
