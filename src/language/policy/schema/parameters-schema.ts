import type { JsonObject } from '../../../lib/json.ts';
import { CLOSED, TEXT } from '../../../lib/schema-parts.ts';
import { PARAMETER_TYPES } from './parameter-types.ts';

const NAME = '^[A-Za-z][A-Za-z0-9_-]*$';

/** The ways in which others may give a parameter another value. */
export const PERMISSIONS = ['extend', 'replace', 'nothing'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export function parametersSchema(): JsonObject {
  return {
    description: 'Values that other files may set, for {$parameter: NAME} in the policies of this file',
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: NAME, maxLength: 64 },
    additionalProperties: {
      ...CLOSED,
      required: ['type', 'default'],
      properties: {
        description: { description: 'What it is for', ...TEXT },
        type: { description: 'The type of its values', enum: PARAMETER_TYPES },
        default: { description: 'The value if no file sets another' },
        may: {
          description:
            'What other files may do: extend the list, replace the value, or nothing; nothing unless given',
          enum: PERMISSIONS,
        },
      },
    },
  };
}

export function settingsSchema(): JsonObject {
  return {
    description: 'Values for parameters of other files, by file-name/parameter',
    type: 'object',
    minProperties: 1,
    additionalProperties: { type: ['string', 'number', 'boolean', 'array'] },
  };
}
