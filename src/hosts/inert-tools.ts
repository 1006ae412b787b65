import type { HostTool } from './host.ts';

/** Rows of tools that change nothing but what the agent has noted, planned or looked up about itself. */
export function inertTools(...names: readonly string[]): Readonly<Record<string, HostTool>> {
  return Object.fromEntries(names.map((name) => [name, { classes: ['other'], inert: true }]));
}
