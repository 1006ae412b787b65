import { afterLlm } from './after-llm.ts';
import { afterTool } from './after-tool.ts';
import { approveTool } from './approve-tool.ts';
import { beforeLlm } from './before-llm.ts';
import { beforeTool } from './before-tool.ts';
import type { Method } from './method.ts';

/** Every request that waits for a verdict. */
const METHODS = {
  'hook.before_llm': beforeLlm,
  'hook.after_llm': afterLlm,
  'hook.before_tool': beforeTool,
  'hook.approve_tool': approveTool,
  'hook.after_tool': afterTool,
} as const satisfies Readonly<Record<string, Method>>;

const BY_NAME: ReadonlyMap<string, Method> = new Map(Object.entries(METHODS));

/** The requests' names, in the order of the table above. */
export const METHOD_NAMES = Object.keys(METHODS);

/** The method of a name, undefined if there is none. */
export function methodOf(name: string): Method | undefined {
  return BY_NAME.get(name);
}
