import type { JsonObject } from '../../lib/json.ts';
import type { ToolClass } from '../../model/event.ts';

/** The effect of a call that none of its arguments gives as it is. */
export interface ImpliedCall {
  readonly classes: readonly ToolClass[];
  /** Portable arguments: a command as a shell would be given it, a path, an address. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** Works that out from the arguments of a call; undefined where it comes to nothing more. */
export type ImpliedBy = (args: JsonObject) => ImpliedCall | undefined;

/** A call that runs a text as a shell would. */
export function shellCall(command: string): ImpliedCall | undefined {
  return command.trim() === '' ? undefined : { classes: ['shell'], arguments: { command } };
}
