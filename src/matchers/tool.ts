import { TOOL_CLASSES } from '../model/event.ts';
import type { Matcher } from './matcher.ts';
import { TOOL_EVENTS } from './tool-events.ts';

const toolClass = { type: 'string', enum: TOOL_CLASSES } as const;

/** The portable class of the tool. */
export const tool = {
  key: 'tool',
  summary: 'The tool belongs to one of these portable classes',
  schema: { anyOf: [toolClass, { type: 'array', minItems: 1, items: toolClass }] },
  constantPerTool: true,
  events: TOOL_EVENTS,
  compile: (spec) => {
    const wanted = new Set<unknown>(Array.isArray(spec) ? spec : [spec]);
    return ({ event }) => event.tool?.classes.some((name) => wanted.has(name)) ?? false;
  },
} as const satisfies Matcher;
