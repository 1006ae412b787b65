import type { DeclaredItem } from '../../language/policy/compile/declared.ts';
import { type Json, own } from '../../lib/json.ts';

/** Something that policy files say otherwise than before. */
export interface DeclaredChange {
  readonly kind: 'removed' | 'added' | 'changed';
  readonly what: string;
  /** The parts that differ; for a new or deleted policy, those that say most. */
  readonly parts: readonly PartChange[];
}

export interface PartChange {
  readonly name: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
}

const TELLING = ['action', 'mode', 'owner', 'until'];

/** The differences between two sets that hold for every call. */
export function declaredChanges(
  before: readonly DeclaredItem[],
  after: readonly DeclaredItem[],
): readonly DeclaredChange[] {
  const known = new Map(before.map((each) => [each.what, each]));
  const now = new Set(after.map(({ what }) => what));
  const removed = before
    .filter(({ what }) => !now.has(what))
    .map(
      ({ what, parts }): DeclaredChange => ({ kind: 'removed', what, parts: decidingParts(parts, 'before') }),
    );
  const others = after.flatMap(({ what, parts }): readonly DeclaredChange[] => {
    const old = known.get(what)?.parts;
    if (old === undefined) return [{ kind: 'added', what, parts: decidingParts(parts, 'after') }];
    const names = new Set([...Object.keys(old), ...Object.keys(parts)]);
    const changed = [...names]
      .map((name): PartChange => ({ name, before: own(old, name), after: own(parts, name) }))
      .filter(({ before: a, after: b }) => JSON.stringify(a) !== JSON.stringify(b));
    return changed.length === 0 ? [] : [{ kind: 'changed', what, parts: changed }];
  });
  return [...removed, ...others];
}

function decidingParts(parts: DeclaredItem['parts'], side: 'before' | 'after'): readonly PartChange[] {
  return TELLING.flatMap((name) => {
    const value = own(parts, name);
    return value === undefined || value === 'enforce' ? [] : [{ name, [side]: value }];
  });
}
