import type { Json } from '../../../lib/json.ts';
import { LIST } from '../../../lib/schema-parts.ts';
import type { ToolCall } from '../../../model/event.ts';
import { TRAITS } from '../call/traits.ts';
import type { Matcher } from '../matcher.ts';
import { TOOL_EVENTS } from '../tool-events.ts';
import { carriedOut } from './carried-out.ts';
import { SUSPICIONS, type Suspicion, suspicionsIn } from './suspicious-text.ts';

const kind = { type: 'string', enum: SUSPICIONS } as const;

/** Text that reads differently from what it is. */
export const suspiciousText = {
  key: 'suspicious_text',
  summary:
    'The command, path or URL of the call holds characters that make it read differently from what it is',
  schema: {
    anyOf: [
      { const: true, description: 'Any of them' },
      { ...kind, description: 'Only these' },
      { ...LIST, items: kind, description: 'Only these' },
    ],
  },
  events: TOOL_EVENTS,
  needs: () => [{ traits: [TRAITS.odd] }],
  compile: (spec) => {
    const wanted = kindsIn(spec);
    return ({ event }) => {
      const call = event.tool;
      if (call === undefined) return false;
      if (call.arguments === undefined) return 'unknown';
      if (suspicionsOf(call).some((found) => wanted.has(found))) return true;
      return call.unsure === true ? 'unknown' : false;
    };
  },
  seen: ({ event }) => (event.tool === undefined ? [] : suspicionsOf(event.tool)),
} as const satisfies Matcher;

/** What is suspicious about the command, paths and URLs of a call, each kind once. */
export function suspicionsOf(call: ToolCall): readonly Suspicion[] {
  const found = new Set<Suspicion>();
  for (const text of carriedOut(call)) for (const suspicion of suspicionsIn(text)) found.add(suspicion);
  return [...found];
}

function kindsIn(spec: Json): ReadonlySet<unknown> {
  if (spec === true) return new Set(SUSPICIONS);
  return new Set(Array.isArray(spec) ? spec : [spec]);
}
