import { LIST } from '../../../lib/schema-parts.ts';
import type { Matcher } from '../matcher.ts';
import { MODEL_TEXT } from '../types/shapes.ts';

/** The model's name, where the host or its memory knows it. */
export const modelPrefix = {
  key: 'model_prefix',
  summary: "The model's name starts with one of these; unknown if the agent does not report the model",
  schema: { anyOf: [MODEL_TEXT, { ...LIST, items: MODEL_TEXT }] },
  exempts: true,
  reads: () => ['model'],
  compile: (spec) => {
    const prefixes = (Array.isArray(spec) ? spec : [spec]).map(String);
    return ({ model }) =>
      model === undefined ? 'unknown' : prefixes.some((start) => model.startsWith(start));
  },
  seen: ({ model }) => (model === undefined ? [] : [model]),
} as const satisfies Matcher;
