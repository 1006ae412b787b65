import type { ToolCall } from '../../../model/event.ts';

/** Does a tool apply patches between `*** Begin Patch` and `*** End Patch`, judging by its name? */
export function isPatchTool({ name }: Pick<ToolCall, 'name'>): boolean {
  return /apply_?patch$|^patch$/i.test(name);
}
