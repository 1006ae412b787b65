import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { CLOSED } from '../../lib/schema-parts.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { Render } from './action-spec.ts';
import { renderObject } from './render-json.ts';

const FIELDS: Readonly<Record<string, JsonObject>> = {
  for_llm: { description: 'What the model reads', type: 'string' },
  for_user: { description: 'What the user is shown', type: 'string' },
  silent: { description: 'True to show the user nothing', type: 'boolean' },
  is_error: { description: 'True if the call counts as failed', type: 'boolean' },
  media: { description: 'References to images and files', type: 'array', items: { type: 'string' } },
  response_handled: {
    description: 'True if the user has been answered and the turn can end',
    type: 'boolean',
  },
};

/** JSON Schema of an answer: the text for the model, or an object with PicoClaw's fields. */
export const RESULT_SCHEMA: JsonObject = {
  description: 'The answer: a string for the model, or an object; strings are templates',
  oneOf: [{ type: 'string' }, { ...CLOSED, required: ['for_llm'], properties: FIELDS }],
};

/** The answer in a policy's value, with its templates filled in. */
export function renderResult(value: Json, render: Render): RespondResult {
  if (isJsonObject(value)) return renderObject(value, render) as unknown as RespondResult;
  return { for_llm: typeof value === 'string' ? render(value) : '' };
}

/** A recorded answer as it is; undefined if it is neither a text nor an object with `for_llm` and fields of these types. */
export function resultIn(value: Json | undefined): string | RespondResult | undefined {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value) || ownString(value, 'for_llm') === undefined) return undefined;
  const isSound = Object.entries(value).every(([name, field]) => {
    const type = own(FIELDS, name)?.['type'];
    return type === 'array'
      ? Array.isArray(field) && field.every((item: Json) => typeof item === 'string')
      : typeof field === type;
  });
  return isSound ? (value as unknown as RespondResult) : undefined;
}
