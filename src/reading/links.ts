import type { Walker } from './walker.ts';

/** Links per command at most: enough to tell what flows where, and never more than linear work. */
const MAX_LINKS = 8;

/** The output of one stage of a pipeline goes to the next. The stages are ranges of commands, the second up to the end. */
export function linkStages(from: number, to: number, substitutions: number, walker: Walker): void {
  const { commands } = walker;
  const receivers: number[] = [];
  for (let index = to; index < commands.length && receivers.length < MAX_LINKS; index++) {
    if (commands[index]?.substitutions === substitutions) receivers.push(index);
  }
  const feeders: number[] = [];
  for (let index = to - 1; index >= from && feeders.length < MAX_LINKS; index--) {
    if (commands[index]?.substitutions === substitutions) feeders.push(index);
  }
  for (const feeder of feeders) for (const receiver of receivers) connect(feeder, receiver, walker);
}

/** What was substituted into the words of a command goes to that command; what it writes to `>( )` goes there. */
export function linkSubstitutions(from: number, command: number, walker: Walker): void {
  const { commands } = walker;
  const outside = commands[command]?.via.length ?? 0;
  for (let index = command - 1; index >= from && index >= command - MAX_LINKS; index--) {
    const takes = commands[index]?.via[outside]?.name === '>( )';
    if (takes) connect(command, index, walker);
    else connect(index, command, walker);
  }
}

function connect(feeder: number, receiver: number, walker: Walker): void {
  walker.commands[feeder]?.feeds.push(receiver);
  walker.commands[receiver]?.fedBy.push(feeder);
}
