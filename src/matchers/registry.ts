import { argumentsMatcher } from './arguments.ts';
import { argumentsMatch, argumentsViolate } from './arguments-schema.ts';
import { command } from './command.ts';
import { composition } from './composition.ts';
import { content } from './content.ts';
import { context } from './context.ts';
import { event } from './event.ts';
import { hosts } from './hosts.ts';
import type { Matcher } from './matcher.ts';
import { modelPrefix } from './model-prefix.ts';
import { path } from './path.ts';
import { suspiciousText } from './suspicious-text.ts';
import { tool } from './tool.ts';
import { toolMatcher } from './tool-matcher.ts';
import { url } from './url.ts';
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
];

/** The same by key. */
export const MATCHER_TABLE: MatcherTable = new Map(MATCHERS.map((matcher) => [matcher.key, matcher]));
