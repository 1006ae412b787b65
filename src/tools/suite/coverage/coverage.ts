import type { Position } from '../../../model/diagnostic.ts';

/** How much of something was reached. */
export interface CoverageShare {
  readonly hit: number;
  readonly total: number;
}

/** How much of all policies was reached. */
export interface CoverageTotals {
  readonly policies: CoverageShare;
  /** Branches, alternatives of regexes and lists, exceptions, rows of tables, facts. */
  readonly alternatives: CoverageShare;
}

/** How often one alternative of a policy decided. */
export interface PartCoverage {
  /** `exception`: something that does not count, reached by a call that it excuses; `fact`: reached if it came before a call. */
  readonly type: 'alternative' | 'exception' | 'row' | 'fact';
  readonly label: string;
  readonly position: Position;
  readonly hits: number;
  /** Cases that match the policy without reaching it; 0 for exceptions. */
  readonly misses: number;
}

/** How often one policy matched. */
export interface PolicyCoverage {
  readonly id: string;
  readonly position: Position;
  /** Cases that match it. */
  readonly hits: number;
  readonly parts: readonly PartCoverage[];
}

export interface FileCoverage {
  /** As positions name it. */
  readonly file: string;
  readonly text: string;
  readonly policies: readonly PolicyCoverage[];
}

/** How many of these were reached at least once. */
export function shareOf(counted: readonly { readonly hits: number }[]): CoverageShare {
  return { hit: counted.filter(({ hits }) => hits > 0).length, total: counted.length };
}
