import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import type { RewriteForm } from '../action-spec.ts';
import { toolName } from './tool-calls.ts';

const DEFINITION: JsonObject = {
  description: 'A tool',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { description: 'The name that the model calls', type: 'string', minLength: 1 },
    description: { description: 'What the model reads about it', type: 'string' },
    parameters: { description: 'JSON Schema of the arguments', type: 'object' },
  },
};

export const addTools = {
  key: 'add_tools',
  summary: 'Offer the model more tools; an existing tool of the same name stays',
  events: ['before_llm'],
  schema: {
    type: 'array',
    minItems: 1,
    items: {
      oneOf: [
        DEFINITION,
        {
          description: "The same in OpenAI's shape",
          type: 'object',
          additionalProperties: false,
          required: ['function'],
          properties: { type: { const: 'function' }, function: DEFINITION },
        },
      ],
    },
  },
  apply: (spec, subject) => {
    const given = own(subject, 'tools');
    const before: readonly Json[] = Array.isArray(given) ? given : [];
    const names = new Set(before.map(toolName));
    const added: Json[] = [];
    for (const tool of Array.isArray(spec) ? spec : []) {
      const name = toolName(tool);
      if (name === undefined || names.has(name) || !isJsonObject(tool)) continue;
      names.add(name);
      added.push(own(tool, 'function') === undefined ? { type: 'function', function: tool } : tool);
    }
    return added.length === 0 ? subject : { ...subject, tools: [...before, ...added] };
  },
} satisfies RewriteForm;
