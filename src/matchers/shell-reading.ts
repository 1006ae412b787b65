import type { Event } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import { resolvePath } from '../reading/path.ts';
import type { Reading } from '../reading/reading.ts';
import { knownText, textWord } from '../reading/word.ts';
import { argumentValues } from './argument-values.ts';
import { textsOf } from './value-test.ts';

/** What the commands of a call would run; `unknown` if the arguments cannot be read; undefined if it is no shell call. */
export type ShellReadings = readonly Reading[] | 'unknown' | undefined;

const remembered = new WeakMap<Event, { readonly readings: ShellReadings }>();

/** Reads the commands of a call, once per event however many policies ask. */
export function shellReadings(facts: Facts): ShellReadings {
  const { event } = facts;
  let known = remembered.get(event);
  if (known === undefined) {
    known = { readings: readAll(facts) };
    remembered.set(event, known);
  }
  return known.readings;
}

function readAll({ event, surroundings }: Facts): ShellReadings {
  const call = event.tool;
  if (call === undefined || !call.classes.includes('shell')) return undefined;
  if (call.arguments === undefined) return 'unknown';
  const cwd = workingDirectory(event, surroundings);
  return argumentValues(call, ['command'])
    .flatMap(textsOf)
    .map((text) => readAgain(text, surroundings.home, cwd));
}

/** Short commands come again and again, and every call is judged at least twice where the host asks for approval. */
const MAX_KEPT = 256;
const MAX_KEPT_CHARS = 512;
const kept = new Map<string, Reading>();

function readAgain(text: string, home: string | undefined, cwd: string | undefined): Reading {
  if (text.length > MAX_KEPT_CHARS) return loadReader().readCommand(text, { home, cwd });
  const key = `${home ?? ''}\0${cwd ?? ''}\0${text}`;
  const before = kept.get(key);
  if (before !== undefined) return before;
  const reading = loadReader().readCommand(text, { home, cwd });
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, reading);
  return reading;
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
