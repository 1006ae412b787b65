import type { JsonObject } from '../../lib/json.ts';
import type { Subject } from '../../model/event.ts';

/** The call as a rewrite sees it. PicoClaw leaves empty arguments out. */
export function callSubject(params: JsonObject): Subject {
  return { tool: params['tool'] ?? '', arguments: params['arguments'] ?? {} };
}
