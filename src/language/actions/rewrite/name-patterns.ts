import { compileNameGlob } from '../../../lib/glob.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';

/** JSON Schema of a list of tool names. */
export const NAMES_SCHEMA: JsonObject = {
  type: 'array',
  minItems: 1,
  items: { description: 'The name of a tool, or a glob such as mcp_*', type: 'string', minLength: 1 },
};

/** True for names that one of the patterns fits; the patterns are what `NAMES_SCHEMA` lets through. */
export function compileNames(patterns: Json): (name: string) => boolean {
  if (!Array.isArray(patterns)) return () => false;
  const fits = patterns.map((pattern: Json) => compileNameGlob(String(pattern)));
  return (name) => fits.some((fit) => fit(name));
}
