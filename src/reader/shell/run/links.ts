import { EMPTY_WORD, knownText, type Word } from '../../reading/word.ts';
import type { Call, Frame, Interpreter } from '../scope/interpreter.ts';
import { filesOf } from '../scope/scope.ts';

/** Links per command at most: enough to see which output flows where, and never more than linear work. */
export const MAX_LINKS = 8;

/** The output of one stage of a pipeline goes to the next. The stages are ranges of commands, the second up to the end. */
export function linkStages(from: number, to: number, substitutions: number, interpreter: Interpreter): void {
  const { commands } = interpreter;
  const receivers: number[] = [];
  for (let index = to; index < commands.length && receivers.length < MAX_LINKS; index++) {
    if (commands[index]?.substitutions === substitutions) receivers.push(index);
  }
  const feeders: number[] = [];
  for (let index = to - 1; index >= from && feeders.length < MAX_LINKS; index--) {
    if (commands[index]?.substitutions === substitutions) feeders.push(index);
  }
  for (const feeder of feeders) for (const receiver of receivers) connect(feeder, receiver, interpreter);
}

/** Links substitutions in the words of a command to that command, and that command to its `>( )`. */
export function linkSubstitutions(from: number, command: number, interpreter: Interpreter): void {
  const { commands } = interpreter;
  const outside = commands[command]?.via.length ?? 0;
  for (let index = command - 1; index >= from && index >= command - MAX_LINKS; index--) {
    const takes = commands[index]?.via[outside]?.name === '>( )';
    if (takes) connect(command, index, interpreter);
    else connect(index, command, interpreter);
  }
}

/** Links a command to those that printed its words or the file that it reads. */
export function linkPrinted(call: Call): void {
  const { command, index, frame, interpreter } = call;
  let left = MAX_LINKS;
  const link = (word: Word) => {
    for (const part of word) {
      if (left <= 0) return;
      if (part.type !== 'unknown' || part.printer === undefined || part.printer === index) continue;
      left--;
      connect(part.printer, index, interpreter);
    }
  };
  command.args.forEach(link);
  for (const { value } of frame.environment) link(value);
  if (command.effects.length === 0) return;
  const { contents, writers } = filesOf(frame.scope);
  for (const effect of command.effects) {
    const path = effect.type === 'path' && effect.use === 'read' ? knownText(effect.path) : undefined;
    if (path === undefined) continue;
    link(contents.get(path) ?? EMPTY_WORD);
    const writer = writers.get(path);
    if (writer !== undefined && --left >= 0) connect(writer, index, interpreter);
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

function connect(feeder: number, receiver: number, interpreter: Interpreter): void {
  const taker = interpreter.commands[receiver];
  if (taker === undefined || taker.fedBy.includes(feeder)) return;
  interpreter.commands[feeder]?.feeds.push(receiver);
  taker.fedBy.push(feeder);
}

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
