import type { Matcher } from './matcher.ts';

const prefix = { type: 'string', minLength: 1 } as const;

/** The model's name, where the host or its memory knows it. */
export const modelPrefix = {
  key: 'model_prefix',
  summary: "The model's name starts with one of these; unknown where the host does not say the model",
  schema: { anyOf: [prefix, { type: 'array', minItems: 1, items: prefix }] },
  compile: (spec) => {
    const prefixes = (Array.isArray(spec) ? spec : [spec]).map(String);
    return ({ model }) =>
      model === undefined ? 'unknown' : prefixes.some((start) => model.startsWith(start));
  },
} as const satisfies Matcher;
