import type { HostTool } from './host.ts';

/** Rows of tools that change nothing but what the agent has noted, planned or looked up about itself; their names are words. */
export function inertTools(names: string): Readonly<Record<string, HostTool>> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { classes: ['other'], inert: true }]),
  );
}
