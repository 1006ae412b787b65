import type { Event } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import { resolvePath } from '../reading/path.ts';
import type { Reading } from '../reading/reading.ts';
import { knownText, textWord } from '../reading/word.ts';
import { argumentValues } from './argument-values.ts';
import { textsOf } from './value-test.ts';

/** What the commands of a call would run; `unknown` if the arguments cannot be read; undefined if it is no shell call. */
export type ShellReadings = readonly Reading[] | 'unknown' | undefined;

const remembered = new WeakMap<Event, ShellReadings>();

/** Reads the commands of a call, once per event however many policies ask. */
export function shellReadings(facts: Facts): ShellReadings {
  const { event } = facts;
  if (!remembered.has(event)) remembered.set(event, readAll(facts));
  return remembered.get(event);
}

function readAll({ event, surroundings }: Facts): ShellReadings {
  const call = event.tool;
  if (call === undefined || !call.classes.includes('shell')) return undefined;
  if (call.arguments === undefined) return 'unknown';
  const cwd = workingDirectory(event, surroundings);
  return argumentValues(call, ['command'])
    .flatMap(textsOf)
    .map((text) => loadReader().readCommand(text, { home: surroundings.home, cwd }));
}

/** The directory a call runs in: its own argument, relative to the session's, relative to the workspace. */
export function workingDirectory(
  event: Event,
  { home, workspace }: Facts['surroundings'],
): string | undefined {
  const own = event.tool === undefined ? undefined : argumentValues(event.tool, ['cwd'])[0];
  const start = event.context.cwd ?? workspace;
  const cwd = typeof start === 'string' ? textWord(start) : undefined;
  if (typeof own !== 'string' || own === '') return cwd === undefined ? undefined : knownText(cwd);
  return knownText(resolvePath(textWord(own), { cwd, home }));
}

/** The reader of commands is the largest part of the program, and most events are no commands. */
function loadReader(): typeof import('../reading/read-command.ts') {
  return require('../reading/read-command.ts') as typeof import('../reading/read-command.ts');
}
