import { EMPTY_WORD, knownText, type Word } from '../../reading/word.ts';
import { filesOf } from '../scope/scope.ts';
import type { Call, Walker } from '../scope/walker.ts';

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

/** What a command printed goes to the one that has it among its words or reads a file into which it was put. */
export function linkPrinted(call: Call, walker: Walker): void {
  const { command, index, place } = call;
  let left = MAX_LINKS;
  const link = (word: Word) => {
    for (const part of word) {
      if (left <= 0) return;
      if (part.type !== 'unknown' || part.printer === undefined || part.printer === index) continue;
      left--;
      connect(part.printer, index, walker);
    }
  };
  command.args.forEach(link);
  for (const { value } of place.environment) link(value);
  if (command.effects.length === 0) return;
  const { contents, writers } = filesOf(place.scope);
  for (const effect of command.effects) {
    const path = effect.type === 'path' && effect.use === 'read' ? knownText(effect.path) : undefined;
    if (path === undefined) continue;
    link(contents.get(path) ?? EMPTY_WORD);
    const writer = writers.get(path);
    if (writer !== undefined && --left >= 0) connect(writer, index, walker);
  }
  for (const effect of command.effects) {
    const path = effect.type === 'path' && effect.use === 'write' ? knownText(effect.path) : undefined;
    if (path !== undefined) writers.set(path, index);
  }
}

/** A text with the command that printed those of its parts of which nothing else is known. */
export function printedBy(index: number, text: Word): Word {
  if (text.every((part) => part.type !== 'unknown' || part.printer !== undefined)) return text;
  return text.map((part) =>
    part.type === 'unknown' && part.printer === undefined ? { ...part, printer: index } : part,
  );
}

function connect(feeder: number, receiver: number, walker: Walker): void {
  const taker = walker.commands[receiver];
  if (taker === undefined || taker.fedBy.includes(feeder)) return;
  walker.commands[feeder]?.feeds.push(receiver);
  taker.fedBy.push(feeder);
}
