import { argumentsMatcher } from './arguments/match.ts';
import { argumentsMatch, argumentsViolate } from './arguments-schema/match.ts';
import { carries } from './carries/match.ts';
import { command } from './command/match.ts';
import { composition } from './composition/match.ts';
import { content } from './content/match.ts';
import { context } from './context/match.ts';
import { event } from './event/match.ts';
import { history } from './history/match.ts';
import { hosts } from './hosts/match.ts';
import type { Matcher } from './matcher.ts';
import { modelPrefix } from './model-prefix/match.ts';
import { path } from './path/match.ts';
import { suspiciousText } from './suspicious-text/match.ts';
import { tool } from './tool/match.ts';
import { toolMatcher } from './tool-matcher/match.ts';
import { url } from './url/match.ts';
import type { MatcherTable } from './when.ts';

/** Every matching key, in the order in which they are asked: cheap ones first. */
export const MATCHERS: readonly Matcher[] = [
  hosts,
  tool,
  toolMatcher,
  context,
  modelPrefix,
  event,
  argumentsMatcher,
  suspiciousText,
  content,
  argumentsMatch,
  argumentsViolate,
  command,
  path,
  url,
  ...composition(() => MATCHER_TABLE),
  history(() => MATCHER_TABLE),
  carries(() => MATCHER_TABLE),
];

export const MATCHER_TABLE: MatcherTable = new Map(MATCHERS.map((matcher) => [matcher.key, matcher]));
