import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../lib/json.ts';
import { CLOSED } from '../../lib/schema-parts.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { Render } from './action-spec.ts';

/** JSON Schema of an answer: the text for the model, or an object with PicoClaw's fields. */
export const RESULT_SCHEMA: JsonObject = {
  description: 'The answer: a string for the model, or an object; strings are templates',
  oneOf: [
    { type: 'string' },
    {
      ...CLOSED,
      required: ['for_llm'],
      properties: {
        for_llm: { description: 'What the model reads', type: 'string' },
        for_user: { description: 'What the user is shown', type: 'string' },
        silent: { description: 'True to show the user nothing', type: 'boolean' },
        is_error: { description: 'True if the call counts as failed', type: 'boolean' },
        media: { description: 'References to images and files', type: 'array', items: { type: 'string' } },
        response_handled: {
          description: 'True if the user has been answered and the turn can end',
          type: 'boolean',
        },
      },
    },
  ],
};

/** The answer that a policy's value stands for, with its templates filled in. */
export function renderResult(value: Json, render: Render): RespondResult {
  if (!isJsonObject(value)) return { for_llm: typeof value === 'string' ? render(value) : '' };
  const forUser = ownString(value, 'for_user');
  const silent = own(value, 'silent');
  const isError = own(value, 'is_error');
  const media = own(value, 'media');
  const handled = own(value, 'response_handled');
  return {
    for_llm: render(ownString(value, 'for_llm') ?? ''),
    ...(forUser === undefined ? {} : { for_user: render(forUser) }),
    ...(typeof silent === 'boolean' ? { silent } : {}),
    ...(typeof isError === 'boolean' ? { is_error: isError } : {}),
    ...(Array.isArray(media) ? { media: media.map((item: Json) => render(String(item))) } : {}),
    ...(typeof handled === 'boolean' ? { response_handled: handled } : {}),
  };
}

/** A recorded answer as it is; undefined if it is neither a text nor an object with `for_llm` and fields of these types. */
export function resultIn(value: Json | undefined): string | RespondResult | undefined {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value ?? null)) return undefined;
  const fields = Object.entries(value as JsonObject);
  const isSound =
    ownString(value as JsonObject, 'for_llm') !== undefined &&
    fields.every(([name, field]) => Object.hasOwn(FIELD_TESTS, name) && FIELD_TESTS[name]?.(field) === true);
  return isSound ? (value as unknown as RespondResult) : undefined;
}

const isText = (field: Json) => typeof field === 'string';
const isFlag = (field: Json) => typeof field === 'boolean';
const FIELD_TESTS: Readonly<Record<string, (field: Json) => boolean>> = {
  for_llm: isText,
  for_user: isText,
  silent: isFlag,
  is_error: isFlag,
  media: (field) => Array.isArray(field) && field.every(isText),
  response_handled: isFlag,
};
