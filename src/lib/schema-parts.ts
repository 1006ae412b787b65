/** Parts of JSON Schemas: a string, one or more of something, and an object with no other keys than its `properties`. */
export const TEXT = { type: 'string', minLength: 1 } as const;
export const LIST = { type: 'array', minItems: 1 } as const;
export const TEXTS = { ...LIST, items: TEXT } as const;
export const TEXT_OR_TEXTS = { anyOf: [TEXT, TEXTS] } as const;
export const CLOSED = { type: 'object', additionalProperties: false } as const;
