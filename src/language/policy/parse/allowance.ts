import type { Diagnostic, Position } from '../../../model/diagnostic.ts';
import { problem } from '../yaml/problem.ts';

/** The limits of all untrusted project files together: these load within a second or two and 256 MB, before hosts stop waiting. */
export const UNTRUSTED_LIMITS = {
  entries: 20_000,
  files: 2_000,
  bytes: 512 * 1024,
  values: 100_000,
  cost: 300_000,
} as const;

export type Limit = keyof typeof UNTRUSTED_LIMITS;

const TOO_MUCH: Readonly<Record<Limit, string>> = {
  entries: `more than ${UNTRUSTED_LIMITS.entries} names in their folders`,
  files: `more than ${UNTRUSTED_LIMITS.files} files`,
  bytes: `more than ${UNTRUSTED_LIMITS.bytes / 1024} KiB`,
  values: `more than ${UNTRUSTED_LIMITS.values} keys and values`,
  cost: `patterns and schemas that take more than ${UNTRUSTED_LIMITS.cost} steps to compile`,
};

/** The remaining limits while one set is loaded. */
export interface Allowance {
  /** Takes a part. False if too little is left, and from then on; the first time, a diagnostic at this place says so. */
  readonly take: (limit: Limit, amount: number, position: Position, diagnostics: Diagnostic[]) => boolean;
}

/** The full limits, for one set. */
export function createAllowance(): Allowance {
  const left: Record<Limit, number> = { ...UNTRUSTED_LIMITS };
  let isExceeded = false;
  return {
    take: (limit, amount, position, diagnostics) => {
      if (isExceeded) return false;
      left[limit] -= amount;
      if (left[limit] >= 0) return true;
      isExceeded = true;
      const message = `Cannot load more policies: those of projects have ${TOO_MUCH[limit]}`;
      diagnostics.push(
        problem('limit', position, message, 'leave some out, or move some to ~/.config/policy'),
      );
      return false;
    },
  };
}
