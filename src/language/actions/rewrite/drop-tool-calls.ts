import type { RewriteForm } from '../action-spec.ts';
import { compileNames, NAMES_SCHEMA } from './name-patterns.ts';
import { withNamedCalls, withToolCalls } from './tool-calls.ts';

export const dropToolCalls = {
  key: 'drop_tool_calls',
  summary: "Remove tool calls from the model's answer: all (true), or by name or glob",
  events: ['after_llm'],
  schema: { oneOf: [{ const: true }, NAMES_SCHEMA] },
  apply: (spec, subject) => {
    if (spec === true) return withToolCalls(subject, () => []);
    return withNamedCalls(subject, compileNames(spec), () => undefined);
  },
} satisfies RewriteForm;
