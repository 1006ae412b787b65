import type { Frame } from '../scope/interpreter.ts';

/** Of so many commands behind each other it is known that they have succeeded. */
export const MAX_SUCCEEDED = 16;

/** The commands listed since, without those that others run. */
export function ownCommands(start: number, { interpreter, via, substitutions }: Frame): readonly number[] {
  const found: number[] = [];
  for (let index = interpreter.commands.length - 1; index >= start && found.length < MAX_SUCCEEDED; index--) {
    const command = interpreter.commands[index];
    const isOwn = command?.via.length === via.length && command.substitutions === substitutions;
    if (isOwn) found.unshift(index);
  }
  return found;
}
