import type { Frame } from '../scope/interpreter.ts';

/** Of so many commands it is looked up that they have succeeded together. */
const MAX_FOUND = 16;

/** The commands listed since, without those that others run. */
export function ownCommands(start: number, { interpreter, via, substitutions }: Frame): readonly number[] {
  const found: number[] = [];
  for (let index = interpreter.commands.length - 1; index >= start && found.length < MAX_FOUND; index--) {
    const command = interpreter.commands[index];
    const isOwn = command?.via.length === via.length && command.substitutions === substitutions;
    if (isOwn) found.unshift(index);
  }
  return found;
}
