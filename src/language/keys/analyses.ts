import { args } from './arguments/analyse.ts';
import { argumentsSchema } from './arguments-schema/analyse.ts';
import { carries } from './carries/analyse.ts';
import { command } from './command/analyse.ts';
import { composition, whenShape } from './composition/analyse.ts';
import { content } from './content/analyse.ts';
import { context } from './context/analyse.ts';
import { event } from './event/analyse.ts';
import { history } from './history/analyse.ts';
import { hosts } from './hosts/analyse.ts';
import type { AnalysisTable } from './key-analysis.ts';
import { modelPrefix } from './model-prefix/analyse.ts';
import { path } from './path/analyse.ts';
import type { Shape } from './shape.ts';
import { suspiciousText } from './suspicious-text/analyse.ts';
import { tool } from './tool/analyse.ts';
import { toolMatcher } from './tool-matcher/analyse.ts';
import { url } from './url/analyse.ts';

/** What can be said of every matching key; the keys are those of the registry of matchers. */
export const ANALYSES: AnalysisTable = new Map(
  Object.entries({
    hosts,
    tool,
    tool_matcher: toolMatcher,
    context,
    model_prefix: modelPrefix,
    event,
    arguments: args,
    suspicious_text: suspiciousText,
    content,
    arguments_match: argumentsSchema,
    arguments_violate: argumentsSchema,
    command,
    path,
    url,
    ...composition(() => ANALYSES),
    history,
    carries,
  }),
);

/** How the matching keys of a policy are taken apart. */
export const WHEN: Shape = whenShape(() => ANALYSES);
