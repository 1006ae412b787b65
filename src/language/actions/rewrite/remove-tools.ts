import { type Json, own } from '../../../lib/json.ts';
import type { RewriteForm } from '../action-spec.ts';
import { compileNames, NAMES_SCHEMA } from './name-patterns.ts';
import { toolName } from './tool-calls.ts';

export const removeTools = {
  key: 'remove_tools',
  summary: 'Hide tools from the model, by name or glob',
  events: ['before_llm'],
  schema: NAMES_SCHEMA,
  of: 'tools',
  apply: (spec, subject) => {
    const tools = own(subject, 'tools');
    if (!Array.isArray(tools)) return subject;
    const removes = compileNames(spec);
    const kept = tools.filter((tool: Json) => !removes(toolName(tool) ?? ''));
    return kept.length === tools.length ? subject : { ...subject, tools: kept };
  },
} satisfies RewriteForm;
