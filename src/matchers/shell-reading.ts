import type { Json } from '../lib/json.ts';
import { checkTime } from '../lib/time-limit.ts';
import type { Event, ToolCall } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import { resolvePath } from '../reading/path.ts';
import { quietCommand } from '../reading/quiet-command.ts';
import type { Reading } from '../reading/reading.ts';
import { knownText, textWord } from '../reading/word.ts';
import { argumentValues } from './argument-values.ts';
import { type ReadingSummary, summaryOf, summaryOfQuiet } from './reading-summary.ts';
import { textsOf } from './value-test.ts';

/** One command text of a call. */
export interface ShellText {
  /** What can be said at once. */
  readonly summary: ReadingSummary;
  /** What it would run; read when first asked. */
  readonly reading: () => Reading;
}

/** The command texts of a call; `unknown` if the arguments cannot be read; undefined if it is no shell call. */
export type ShellTexts = readonly ShellText[] | 'unknown' | undefined;

const remembered = new WeakMap<Event, { readonly texts: ShellTexts }>();

/** Looks at the commands of a call, once per event however many policies ask. */
export function shellTexts(facts: Facts): ShellTexts {
  const { event } = facts;
  let known = remembered.get(event);
  if (known === undefined) {
    known = { texts: lookAtAll(facts) };
    remembered.set(event, known);
  }
  return known.texts;
}

/** What the commands of a call would run, all of them read. */
export function shellReadings(facts: Facts): readonly Reading[] | 'unknown' | undefined {
  const texts = shellTexts(facts);
  return texts === undefined || texts === 'unknown' ? texts : texts.map(({ reading }) => reading());
}

function lookAtAll(facts: Facts): ShellTexts {
  const call = facts.event.tool;
  if (call === undefined) return undefined;
  if (call.arguments === undefined)
    return call.unsure || call.classes.includes('shell') ? 'unknown' : undefined;
  if (!call.classes.includes('shell')) return undefined;
  return commandTexts(call).map((text) => {
    checkTime();
    return lookAt(text, facts);
  });
}

/**
 * A list may be commands or the words of one, and the words after a program may stand in an argument of their own. All
 * of that is read: nobody knows here which of it the tool means.
 */
function commandTexts(call: ToolCall): readonly string[] {
  const more = argumentValues(call, ['args']).flatMap((value) => textOfWords(value) ?? []);
  return argumentValues(call, ['command']).flatMap((value) => {
    const whole = textOfWords(value);
    const alone = typeof value === 'string' ? [] : textsOf(value).filter((text) => text !== whole);
    const programs = whole === undefined ? [] : [whole];
    return [...alone, ...programs, ...programs.flatMap((text) => more.map((words) => `${text} ${words}`))];
  });
}

/** A text as it is, and the words of a list as one command; undefined for what is neither. */
function textOfWords(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length === 0 || value.some((item) => isNested(item))) return undefined;
  const [only] = value;
  if (value.length === 1 && typeof only === 'string') return only;
  return value.map((item) => quoted(typeof item === 'string' ? item : JSON.stringify(item))).join(' ');
}

function isNested(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

function quoted(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function lookAt(text: string, { event, surroundings }: Facts): ShellText {
  const read = () => readAgain(text, surroundings.home, workingDirectory(event, surroundings));
  const quiet = quietCommand(text);
  if (quiet !== undefined) return { summary: summaryOfQuiet(quiet), reading: read };
  const reading = read();
  return { summary: summaryOf(reading), reading: () => reading };
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
