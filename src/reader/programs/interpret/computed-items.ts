import type { Walker } from '../../shell/scope/walker.ts';

/**
 * Notes where items of an input would be code, by reading what runs once more as if nothing were known of them. Whoever
 * has input turned into code means it to be computed, even where this once it can be told what it is.
 */
export function noteComputedItems(runUnknown: () => void, walker: Walker): void {
  const { commands, budget } = walker;
  const before = commands.length;
  const known = budget.gaps.length;
  runUnknown();
  commands.length = before;
  const found = budget.gaps.splice(known);
  budget.gaps.push(...found.filter(({ reason }) => reason === 'unknown_script' || reason === 'unknown_code'));
}
