import { afterLlm, beforeLlm } from './llm-methods.ts';
import type { Method } from './method.ts';
import { afterTool, approveTool, beforeTool } from './tool-methods.ts';

/** Every request that waits for a verdict, by its name. */
export const METHODS: Readonly<Record<string, Method>> = {
  'hook.before_llm': beforeLlm,
  'hook.after_llm': afterLlm,
  'hook.before_tool': beforeTool,
  'hook.approve_tool': approveTool,
  'hook.after_tool': afterTool,
};
