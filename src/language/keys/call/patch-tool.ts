import type { ToolCall } from '../../../model/event.ts';

/** True if a tool applies patches between `*** Begin Patch` and `*** End Patch`, judging by its name. */
export function isPatchTool({ name }: Pick<ToolCall, 'name'>): boolean {
  return /apply_?patch$|^patch$/i.test(name);
}
