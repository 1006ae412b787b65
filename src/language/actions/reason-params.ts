import type { JsonObject } from '../../lib/json.ts';
import { TEXT } from '../../lib/schema-parts.ts';

export const REASON_PARAM: JsonObject = {
  description: 'Why, as the model reads it: one sentence without the policy name; a template',
  ...TEXT,
};

export const INSTEAD_PARAM: JsonObject = {
  description: 'What to do instead, as the model reads it: one sentence; a template',
  ...TEXT,
};
