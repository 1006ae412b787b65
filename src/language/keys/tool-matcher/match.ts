import { compileNameGlob } from '../../../lib/glob/glob.ts';
import type { Json } from '../../../lib/json.ts';
import { TEXT } from '../../../lib/schema-parts.ts';
import { TOOL_EVENTS } from '../../../model/event.ts';
import type { Matcher } from '../matcher.ts';

function namesIn(spec: Json): readonly string[] {
  return String(spec)
    .split('|')
    .map((name) => name.trim());
}

export const toolMatcher = {
  key: 'tool_matcher',
  summary:
    "The agent's own name of the tool is one of these, separated by |, each exact or with * for any characters",
  schema: TEXT,
  narrows: true,
  steady: true,
  exempts: true,
  constantPerTool: true,
  events: TOOL_EVENTS,
  check: (spec) =>
    namesIn(spec).includes('')
      ? [
          {
            code: 'bad-value',
            path: [],
            message: `Cannot use tool_matcher "${spec}": a name between | is empty`,
          },
        ]
      : [],
  needs: (spec) => [{ tools: namesIn(spec) }],
  compile: (spec) => {
    const globs = namesIn(spec).map(compileNameGlob);
    return ({ event }) => event.tool !== undefined && globs.some((fits) => fits(event.tool?.name ?? ''));
  },
  seen: ({ event }) => (event.tool === undefined ? [] : [event.tool.name]),
} as const satisfies Matcher;
