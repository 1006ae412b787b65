import { deepEqual } from '../../../lib/deep-equal.ts';
import { compileNameGlob } from '../../../lib/glob/glob.ts';
import { isJsonObject, itemsOf, type Json, type JsonObject, own, ownItems } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import type { RewriteForm } from '../action-spec.ts';
import { CALL_EVENTS } from '../event-groups.ts';
import { checkTemplates } from '../template-params.ts';
import { RewriteError } from './paths.ts';
import { toolName, withNamedCalls, withToolCalls } from './tool-calls.ts';

export const NAMES_SCHEMA: JsonObject = {
  ...LIST,
  items: { description: 'The name of a tool, or a glob such as mcp_*', ...TEXT },
};

/** True for names that one of the patterns fits; `NAMES_SCHEMA` has checked the patterns. */
export function compileNames(patterns: Json): (name: string) => boolean {
  const fits = itemsOf(patterns).map((pattern) => compileNameGlob(String(pattern)));
  return (name) => fits.some((fit) => fit(name));
}

const DEFINITION: JsonObject = {
  description: 'A tool',
  ...CLOSED,
  required: ['name'],
  properties: {
    name: { description: 'The name that the model calls', ...TEXT },
    description: { description: 'What the model reads about it', type: 'string' },
    parameters: { description: 'JSON Schema of the arguments', type: 'object' },
  },
};

export const addTools = {
  key: 'add_tools',
  summary: 'Offer the model more tools; an existing tool of the same name stays',
  events: ['before_llm'],
  schema: {
    ...LIST,
    items: {
      oneOf: [
        DEFINITION,
        {
          description: "The same in OpenAI's shape",
          ...CLOSED,
          required: ['function'],
          properties: { type: { const: 'function' }, function: DEFINITION },
        },
      ],
    },
  },
  apply: (spec, subject) => {
    const before = ownItems(subject, 'tools');
    const names = new Set(before.map(toolName));
    const added: Json[] = [];
    for (const tool of itemsOf(spec)) {
      const name = toolName(tool);
      if (name === undefined || names.has(name) || !isJsonObject(tool)) continue;
      names.add(name);
      added.push(own(tool, 'function') === undefined ? { type: 'function', function: tool } : tool);
    }
    return added.length === 0 ? subject : { ...subject, tools: [...before, ...added] };
  },
} satisfies RewriteForm;

export const allowTools = {
  key: 'allow_tools',
  summary: 'Let the model choose only among these tools; several policies leave the tools that all allow',
  events: ['tool_choice'],
  schema: { ...LIST, items: { description: "A tool's name in the agent's words", ...TEXT } },
  apply: (spec, subject) => {
    const allowed = itemsOf(spec);
    const before = own(subject, 'allow_tools');
    const kept = Array.isArray(before) ? before.filter((name: Json) => allowed.includes(name)) : allowed;
    if (before !== undefined && deepEqual(kept, before)) return subject;
    // An empty list reads as no limit to a host, so nothing in common must turn tools off.
    return kept.length === 0
      ? { ...subject, allow_tools: kept, mode: 'NONE' }
      : { ...subject, allow_tools: kept };
  },
} satisfies RewriteForm;

export const removeTools = {
  key: 'remove_tools',
  summary: 'Hide tools from the model, by name or glob',
  events: ['before_llm'],
  schema: NAMES_SCHEMA,
  of: 'tools',
  apply: (spec, subject) => {
    const tools = own(subject, 'tools');
    if (!Array.isArray(tools)) return subject;
    const removes = compileNames(spec);
    const kept = tools.filter((tool: Json) => !removes(toolName(tool) ?? ''));
    return kept.length === tools.length ? subject : { ...subject, tools: kept };
  },
} satisfies RewriteForm;

export const renameTool = {
  key: 'rename_tool',
  summary: "Call another of the agent's tools with these arguments",
  events: CALL_EVENTS,
  schema: TEXT,
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    const tool = typeof spec === 'string' ? render(spec) : '';
    if (tool === '') throw new RewriteError('Cannot rename the tool: the new name is empty');
    return subject['tool'] === tool ? subject : { ...subject, tool };
  },
} satisfies RewriteForm;

export const dropToolCalls = {
  key: 'drop_tool_calls',
  summary: "Remove tool calls from the model's answer: all (true), or by name or glob",
  events: ['after_llm'],
  schema: { oneOf: [{ const: true }, NAMES_SCHEMA] },
  apply: (spec, subject) => {
    if (spec === true) return withToolCalls(subject, () => []);
    return withNamedCalls(subject, compileNames(spec), () => undefined);
  },
} satisfies RewriteForm;
