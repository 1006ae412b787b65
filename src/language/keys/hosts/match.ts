import { TEXTS } from '../../../lib/schema-parts.ts';
import type { Matcher } from '../matcher.ts';

/** Limits a policy to some hosts. */
export const hosts = {
  key: 'hosts',
  summary: 'The event comes from one of these agents',
  schema: TEXTS,
  steady: true,
  exempts: true,
  constantPerTool: true,
  compile: (spec) => {
    const names = Array.isArray(spec) ? spec : [];
    return ({ event }) => names.includes(event.host);
  },
  seen: ({ event }) => [event.host],
} as const satisfies Matcher;
