import { readCommand } from '../../src/reader/commands/read-command.ts';
import type { GapReason, ReadCommand, Reading, ReadingContext } from '../../src/reader/reading/reading.ts';
import { commandLine, describeEffect } from '../../src/tools/report/explanation/describe-reading.ts';

/** Where the commands of these tests run. */
export const CONTEXT: ReadingContext = { home: '/home/me', cwd: '/work' };

/** Reads a command in the folder of these tests. */
export function read(text: string, context: ReadingContext = CONTEXT): Reading {
  return readCommand(text, context);
}

/** The commands that would run, written out, without those that only run others. */
export function runs(text: string, context?: ReadingContext): readonly string[] {
  return read(text, context)
    .commands.filter(({ wrapper }) => !wrapper)
    .map(commandLine);
}

/** What the commands would do. */
export function does(text: string, context?: ReadingContext): readonly string[] {
  return read(text, context).commands.flatMap(({ effects }) => effects.map(describeEffect));
}

/** Why parts of it cannot be read. */
export function gapsIn(text: string): readonly GapReason[] {
  return read(text).gaps.map(({ reason }) => reason);
}

/** The only command, or the last one. */
export function last(text: string, context?: ReadingContext): ReadCommand {
  const command = read(text, context).commands.at(-1);
  if (command === undefined) throw new Error(`Cannot find a command in "${text}"`);
  return command;
}

/** Where code comes from that a command runs. */
export function sources(text: string): readonly string[] {
  return read(text)
    .commands.flatMap(({ effects }) => effects)
    .flatMap((effect) => {
      if (effect.type !== 'remote_code') return [];
      return (effect.source ?? []).map((part) => (part.type === 'text' ? part.text : '?'));
    });
}
