import { child } from '../lib/child.ts';
import { type ArgumentReadings, OPEN_CLASSES, type ToolClass } from '../model/event.ts';
import type { HostTool } from './host.ts';
import { wordsIn } from './words-in.ts';

type Rows = Readonly<Record<string, HostTool>>;

/** Rows of tools of one class of which nothing else has to be said; their names are words. */
export function toolsOf(name: ToolClass, names: string): Rows {
  return rowsOf(names, { classes: [name] });
}

/** Rows of tools that change nothing but the agent's own notes and plans; their names are words. */
export function inertTools(names: string): Rows {
  return rowsOf(names, { classes: ['other'], inert: true });
}

function rowsOf(names: string, row: HostTool): Rows {
  return Object.fromEntries(wordsIn(names).map((name) => [name, row]));
}

/** The tools of a host that reads the arguments of all its own tools in the same ways; those of servers get theirs as they are. */
export function withReads(tools: Rows, reads: ArgumentReadings): Rows {
  const made = new Map<HostTool, HostTool>();
  // Each row is made when it is asked for: a process for one call asks for one of many.
  return new Proxy(tools, {
    get(rows, name: string) {
      const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
      if (row === undefined || row.classes.some((each) => OPEN_CLASSES.includes(each))) return row;
      return child(made, row, () => ({ ...row, reads: { ...reads, ...row.reads } }));
    },
  });
}
