import { LIST } from '../../../lib/schema-parts.ts';
import { TOOL_CLASSES, TOOL_EVENTS, type ToolClass } from '../../../model/event.ts';
import type { Matcher } from '../matcher.ts';

const toolClass = { type: 'string', enum: TOOL_CLASSES } as const;

/** The classes that a tool of which little is known can be in by its arguments. */
const BY_ARGUMENTS: readonly ToolClass[] = ['shell', 'read', 'write', 'fetch'];

export const tool = {
  key: 'tool',
  summary: 'The tool belongs to one of these portable classes',
  schema: { anyOf: [toolClass, { ...LIST, items: toolClass }] },
  steady: true,
  exempts: true,
  constantPerTool: true,
  events: TOOL_EVENTS,
  needs: (spec) => [{ classes: [spec].flat().map(String) }],
  compile: (spec) => {
    const wanted = new Set<unknown>(Array.isArray(spec) ? spec : [spec]);
    const mayShow = BY_ARGUMENTS.some((name) => wanted.has(name));
    return ({ event }) => {
      if (event.tool?.classes.some((name) => wanted.has(name))) return true;
      return mayShow && event.tool?.unsure === true ? 'unknown' : false;
    };
  },
  seen: ({ event }) => event.tool?.classes ?? [],
} as const satisfies Matcher;
