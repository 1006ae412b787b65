import { type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { CLOSED, TEXT } from '../../lib/schema-parts.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { ActionInput } from './action-spec.ts';
import { RESULT_SCHEMA, renderResult } from './respond-result.ts';
import { capText, visibleText } from './visible-text.ts';

export const TABLE_SCHEMA: JsonObject = {
  description: 'Answers chosen by the value of an argument',
  ...CLOSED,
  required: ['by', 'rows'],
  properties: {
    by: { description: 'Path of the argument, such as city', ...TEXT },
    rows: {
      description: 'Maps values of the argument, as strings, to answers',
      type: 'object',
      minProperties: 1,
      additionalProperties: RESULT_SCHEMA,
    },
    otherwise: {
      ...RESULT_SCHEMA,
      description: 'The answer for any other value; by default, an error that names the value',
    },
  },
};

/** The answer in the row that the argument's value names. Inherited keys are no rows. */
export function tableResult(table: JsonObject, input: ActionInput): RespondResult {
  const by = ownString(table, 'by') ?? '';
  const value = input.argument(by);
  const key = scalarText(value);
  const row = key === undefined ? undefined : own(ownObject(table, 'rows') ?? {}, key);
  const picked = row ?? own(table, 'otherwise');
  if (picked !== undefined) return renderResult(picked, input.render);
  return { for_llm: `Cannot answer by argument "${by}": ${missing(key, value)}`, is_error: true };
}

function missing(key: string | undefined, value: Json | undefined): string {
  if (key !== undefined) return `no row for "${capText(visibleText(key), 256)}"`;
  return value === undefined ? 'it is not given' : 'it is not a string, number or boolean';
}

function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : undefined;
}
