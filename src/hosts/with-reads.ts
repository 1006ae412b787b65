import type { ArgumentReadings } from '../model/event.ts';
import { OPEN_CLASSES } from './classify.ts';
import type { HostTool } from './host.ts';

/** The tools of a host that reads the arguments of all its own tools in the same ways; those of servers get theirs as they are. */
export function withReads(
  tools: Readonly<Record<string, HostTool>>,
  reads: ArgumentReadings,
): Readonly<Record<string, HostTool>> {
  const isOwn = ({ classes }: HostTool) => !classes.some((name) => OPEN_CLASSES.includes(name));
  return Object.fromEntries(
    Object.entries(tools).map(([name, row]) => [
      name,
      isOwn(row) ? { ...row, reads: { ...reads, ...row.reads } } : row,
    ]),
  );
}
