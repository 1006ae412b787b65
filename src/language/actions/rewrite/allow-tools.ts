import { deepEqual } from '../../../lib/deep-equal.ts';
import { type Json, own } from '../../../lib/json.ts';
import type { RewriteForm } from '../action-spec.ts';

export const allowTools = {
  key: 'allow_tools',
  summary: 'Let the model choose only among these tools; several policies leave the tools that all allow',
  events: ['tool_choice'],
  schema: {
    type: 'array',
    minItems: 1,
    items: { description: "A tool's name in the host's words", type: 'string', minLength: 1 },
  },
  apply: (spec, subject) => {
    const allowed: readonly Json[] = Array.isArray(spec) ? spec : [];
    const before = own(subject, 'allow_tools');
    const kept = Array.isArray(before) ? before.filter((name: Json) => allowed.includes(name)) : allowed;
    if (before !== undefined && deepEqual(kept, before)) return subject;
    // An empty list reads as no limit to a host, so nothing in common must turn tools off.
    return kept.length === 0
      ? { ...subject, allow_tools: kept, mode: 'NONE' }
      : { ...subject, allow_tools: kept };
  },
} satisfies RewriteForm;
