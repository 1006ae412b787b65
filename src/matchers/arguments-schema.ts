import type { Json } from '../lib/json.ts';
import { compileJsonSchema, jsonSchemaProblems, type SchemaViolation } from '../lib/json-schema.ts';
import type { Matcher } from './matcher.ts';
import { TOOL_EVENTS } from './tool-events.ts';

function schemaProblems(spec: Json) {
  return jsonSchemaProblems(spec).map(({ path, message }) => ({
    code: 'json-schema' as const,
    path,
    message: `Cannot use JSON Schema: ${message}`,
  }));
}

/** The arguments satisfy a JSON Schema. */
export const argumentsMatch = {
  key: 'arguments_match',
  summary: 'The arguments satisfy this JSON Schema 2020-12',
  schema: { type: 'object' },
  events: TOOL_EVENTS,
  check: schemaProblems,
  compile: (spec) => {
    const validate = compileJsonSchema(spec);
    return ({ event }) => {
      if (event.tool === undefined) return false;
      return event.tool.arguments === undefined ? 'unknown' : validate(event.tool.arguments).length === 0;
    };
  },
} as const satisfies Matcher;

/** The arguments do not satisfy a JSON Schema. */
export const argumentsViolate = {
  key: 'arguments_violate',
  summary: 'The arguments do not satisfy this JSON Schema 2020-12; {{match.0}} says where',
  schema: { type: 'object' },
  events: TOOL_EVENTS,
  check: schemaProblems,
  compile: (spec) => {
    const validate = compileJsonSchema(spec);
    return ({ event }) => {
      if (event.tool === undefined) return false;
      return event.tool.arguments === undefined ? 'unknown' : validate(event.tool.arguments).length > 0;
    };
  },
  captures: (spec, { event }) => {
    const call = event.tool;
    if (call === undefined) return undefined;
    if (call.arguments === undefined) return ['the arguments cannot be read as an object'];
    return [compileJsonSchema(spec)(call.arguments).map(describe).join('; ')];
  },
} as const satisfies Matcher;

function describe(violation: SchemaViolation): string {
  return violation.message;
}
