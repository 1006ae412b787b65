import { hostLimits } from './host-limits.ts';
import { insteadDenied } from './instead-denied.ts';
import type { LintRule } from './lint-rule.ts';
import { looseCache } from './loose-cache.ts';
import { looseName } from './loose-name.ts';
import { matchesEverything } from './matches-everything.ts';
import { missingJudge } from './missing-judge.ts';
import { neverMatches } from './never-matches.ts';
import { noReason } from './no-reason.ts';
import { noTest } from './no-test.ts';
import { repeated } from './repeated.ts';
import { shadowed } from './shadowed.ts';

/** Every check of policies that can be used. */
export const LINT_RULES: readonly LintRule[] = [
  neverMatches,
  shadowed,
  repeated,
  insteadDenied,
  matchesEverything,
  looseName,
  looseCache,
  noReason,
  noTest,
  hostLimits,
  missingJudge,
];
