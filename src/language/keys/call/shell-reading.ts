import { checkTime } from '../../../lib/time-limit.ts';
import type { Event } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { ProgramRows } from '../../../model/policy.ts';
import { LIMITS } from '../../../reader/reading/bounds.ts';
import type { Reading, ReadingContext } from '../../../reader/reading/reading.ts';
import { oncePerEvent } from './once-per-event.ts';
import { plainCommand, summaryOfPlain } from './plain-summary.ts';
import { type ReadingSummary, summaryOf } from './reading-summary.ts';
import { languageOf } from './shell-language.ts';
import { workingDirectories } from './working-directories.ts';
import { type WrittenCommand, writtenCommands } from './written-commands.ts';

export interface ShellText {
  /** The answers that are known at once. */
  readonly summary: ReadingSummary;
  /** The commands that it would run; read when first asked. */
  readonly reading: () => Reading;
}

export interface ShellTexts {
  readonly texts: readonly ShellText[];
  /** False if there may be more, because the arguments cannot be read. */
  readonly complete: boolean;
}

/** Those of a call that is no shell call. */
export const NO_COMMANDS: ShellTexts = { texts: [], complete: true };

/** Looks at the commands of a call, once per event however many policies ask; undefined if it is no shell call. */
export const shellTexts: (facts: Facts) => ShellTexts | undefined = oncePerEvent(lookAtAll);

/** The commands that a call would run, all of them read; undefined if there are none, or none can be read. */
export function shellReadings(facts: Facts): readonly Reading[] | undefined {
  const found = shellTexts(facts);
  if (found === undefined || (found.texts.length === 0 && !found.complete)) return undefined;
  return found.texts.map(({ reading }) => reading());
}

/** The texts of an event that is made of another. */
const given = new WeakMap<Event, ShellTexts>();

/** Sets the commands of an event that is made of another. */
export function setShellTexts(event: Event, readings: readonly Reading[], complete: boolean): void {
  const texts = readings.map((reading) => ({
    get summary() {
      return summaryOf(reading);
    },
    reading: () => reading,
  }));
  given.set(event, { texts, complete });
}

function lookAtAll(facts: Facts): ShellTexts | undefined {
  const known = given.get(facts.event);
  if (known !== undefined) return known;
  const call = facts.event.tool;
  if (call === undefined || !(call.unsure === true || call.classes.includes('shell'))) return undefined;
  const { written, complete } = writtenCommands(call);
  return { texts: written.flatMap((command) => lookAt(command, facts)), complete };
}

/** One for each directory that the command may run in. */
function lookAt({ text, uncertain, directories }: WrittenCommand, facts: Facts): readonly ShellText[] {
  const { event, surroundings, programs } = facts;
  checkTime();
  const language = languageOf(facts);
  const read = (cwd: string | undefined, rows: ProgramRows | undefined) => {
    const context = { home: surroundings.home, cwd, programs: rows, language };
    const readPart = (part: string) => readAgain(part, context);
    return uncertain ? readUncertain(text, readPart) : readPart(text);
  };
  const places = workingDirectories(event, surroundings, directories);
  const [first] = places;
  const plain = places.length === 1 ? plainCommand(text, places, facts) : undefined;
  if (plain !== undefined) {
    let reading: Reading | undefined;
    return [{ summary: summaryOfPlain(plain), reading: () => (reading ??= read(first, programs)) }];
  }
  return places.flatMap((cwd) => {
    const reading = read(cwd, programs);
    const readings = [reading];
    // A project's own row of a program hides nothing that the command could be without it.
    if (programs !== undefined && reading.commands.some(({ added }) => added))
      readings.push(...withoutAdded(programs).map((rows) => read(cwd, rows)));
    return readings.map((each) => ({ summary: summaryOf(each), reading: () => each }));
  });
}

const otherRows = new WeakMap<ProgramRows, readonly ProgramRows[]>();

/** The rows without those that were added, and with others in their place. Always the same objects, because caches use rows as keys. */
function withoutAdded(programs: ProgramRows): readonly ProgramRows[] {
  const { own, others = [], knownToo } = programs;
  const rows =
    otherRows.get(programs) ??
    ['', ...others].map((added): ProgramRows => ({ own, added, ...(knownToo ? { knownToo } : {}) }));
  otherRows.set(programs, rows);
  return rows;
}

/** The commands of a text that may be no command. Of a text with a syntax error only the lines before it count. */
function readUncertain(text: string, read: (text: string) => Reading): Reading {
  const whole = read(text);
  const error = whole.gaps.find(({ reason }) => reason === 'syntax');
  if (error === undefined) return whole;
  // The parts of a long text with an error in it are not read.
  const isShort = text.length <= LIMITS.brokenChars;
  const reading = isShort ? whole : read(text.slice(0, text.lastIndexOf('\n', error.span.start) + 1));
  if (reading !== whole && reading.gaps.some(({ reason }) => reason === 'syntax')) return reading;
  const gaps = reading.gaps.filter(({ reason }) => reason !== 'syntax');
  return { ...reading, gaps, complete: gaps.length === 0 };
}

/** Short commands come again and again, and every call is judged at least twice where the host asks for approval. */
const MAX_KEPT = 256;
const MAX_KEPT_CHARS = 512;
const SHIPPED_ONLY: ProgramRows = { own: '', added: '' };
const keptOf = new WeakMap<ProgramRows, Map<string, Reading>>();

function readAgain(text: string, context: ReadingContext): Reading {
  if (text.length > MAX_KEPT_CHARS) return loadReader().readCommand(text, context);
  const rows = context.programs ?? SHIPPED_ONLY;
  const kept = keptOf.get(rows) ?? new Map<string, Reading>();
  keptOf.set(rows, kept);
  const key = `${context.home ?? ''}\0${context.cwd ?? ''}\0${context.language ?? ''}\0${text}`;
  const before = kept.get(key);
  if (before !== undefined) return before;
  const reading = loadReader().readCommand(text, context);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, reading);
  return reading;
}

let reader: typeof import('../../../reader/commands/read-command.ts') | undefined;

/** The reader of commands is the largest part of the program, and most events are no commands. */
function loadReader(): typeof import('../../../reader/commands/read-command.ts') {
  reader ??=
    require('../../../reader/commands/read-command.ts') as typeof import('../../../reader/commands/read-command.ts');
  return reader;
}
