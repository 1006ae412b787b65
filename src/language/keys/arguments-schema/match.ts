import type { Json } from '../../../lib/json.ts';
import {
  compileJsonSchema,
  jsonSchemaProblems,
  type SchemaViolation,
} from '../../../lib/json-schema/json-schema.ts';
import { TOOL_EVENTS } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import { not, type Truth } from '../../../model/truth.ts';
import { seenArguments } from '../arguments/match.ts';
import type { Matcher, Predicate } from '../matcher.ts';

function schemaProblems(spec: Json) {
  return jsonSchemaProblems(spec).map(({ path, message }) => ({
    code: 'json-schema' as const,
    path,
    message: `Cannot use JSON Schema: ${message}`,
  }));
}

/** Unknown where the arguments cannot be read, or where all that is wrong with them is that it is unknown. */
function satisfies(spec: Json): Predicate {
  const validate = compileJsonSchema(spec);
  return ({ event }: Facts): Truth => {
    if (event.tool === undefined) return false;
    if (event.tool.arguments === undefined) return 'unknown';
    const violations = validate(event.tool.arguments);
    if (violations.length === 0) return true;
    return violations.every(({ unknown }) => unknown) ? 'unknown' : false;
  };
}

export const argumentsMatch = {
  key: 'arguments_match',
  summary: 'The arguments satisfy this JSON Schema 2020-12',
  schema: { type: 'object' },
  narrows: true,
  steady: true,
  events: TOOL_EVENTS,
  check: schemaProblems,
  compile: satisfies,
  seen: ({ event }, spec) =>
    event.tool?.arguments === undefined ? [] : compileJsonSchema(spec)(event.tool.arguments).map(describe),
} as const satisfies Matcher;

export const argumentsViolate = {
  key: 'arguments_violate',
  summary: 'The arguments do not satisfy this JSON Schema 2020-12; {{match.0}} says where',
  schema: { type: 'object' },
  narrows: true,
  steady: true,
  events: TOOL_EVENTS,
  check: schemaProblems,
  compile: (spec) => {
    const satisfied = satisfies(spec);
    return (facts) => (facts.event.tool === undefined ? false : not(satisfied(facts)));
  },
  seen: ({ event }) => seenArguments(event),
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
