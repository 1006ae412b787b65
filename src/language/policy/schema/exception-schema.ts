import type { JsonObject } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import { MATCHERS } from '../../keys/registry.ts';
import { END_TEXT } from './value-shapes.ts';

export const EXCEPTION_MATCHERS: readonly string[] = MATCHERS.filter(({ exempts }) => exempts).map(
  ({ key }) => key,
);

export function exceptionsSchema(): JsonObject {
  return {
    description:
      'Calls that are exempt from a policy until a given day. Only in files of the user and the organisation',
    ...LIST,
    items: exceptionSchema(),
  };
}

export function exceptionSchema(): JsonObject {
  return {
    ...CLOSED,
    required: ['policy', 'owner', 'reason', 'expires'],
    properties: {
      policy: { description: 'The whole id of the policy: git-safety/no-force-push', ...TEXT },
      ...Object.fromEntries(
        EXCEPTION_MATCHERS.map((key) => [key, { $ref: `#/$defs/when/properties/${key}` }]),
      ),
      owner: { description: 'Who answers for it', ...TEXT },
      reason: { description: 'Why it is needed', ...TEXT },
      expires: {
        description: 'Its last day as 2026-12-31, or the moment when it ends as 2026-12-31T18:00Z; in UTC',
        ...END_TEXT,
      },
    },
  };
}
