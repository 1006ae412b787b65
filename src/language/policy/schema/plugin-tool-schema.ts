import type { JsonObject } from '../../../lib/json.ts';
import { CLOSED, TEXT, TEXTS } from '../../../lib/schema-parts.ts';
import { actionSpec } from '../../actions/registry.ts';

const PATTERN_OF_TOOL_NAMES = '^[A-Za-z0-9_-]{1,64}$';

export function pluginToolSchema(): JsonObject {
  const { result, table, run } = actionSpec('respond').params;
  return {
    ...CLOSED,
    required: ['name', 'description', 'parameters'],
    properties: {
      name: { description: 'What the model calls it', type: 'string', pattern: PATTERN_OF_TOOL_NAMES },
      description: { description: 'What it does, as the model reads it', ...TEXT },
      parameters: { description: 'JSON Schema 2020-12 of its arguments', type: 'object' },
      result: result ?? {},
      table: table ?? {},
      run: {
        description: 'Program and arguments that answer: arguments as JSON on stdin, the result on stdout',
        anyOf: [TEXTS, run ?? {}],
      },
    },
  };
}
