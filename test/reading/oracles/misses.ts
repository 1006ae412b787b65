import { readCommand } from '../../../src/reading/read-command.ts';
import type { Reading } from '../../../src/reading/reading.ts';
import { knownText } from '../../../src/reading/word.ts';
import { runInBash } from './bash.ts';
import { classOf, recipeOf, type Script, scriptOf, smaller } from './generator.ts';

/** A script of which bash runs a command that the reading neither lists nor warns of. */
export interface Miss {
  readonly script: Script;
  /** The word that the command echoes. */
  readonly marker: string;
}

/** What came of a number of scripts. */
export interface Findings {
  /** Scripts of which bash ran each marker. */
  readonly ran: number;
  /** Those of them with a gap. */
  readonly gaps: number;
  readonly misses: readonly Miss[];
}

/** Makes, runs and reads the scripts of a seed from one index to another. */
export async function tryScripts(seed: number, from: number, to: number): Promise<Findings> {
  const scripts = Array.from({ length: to - from }, (_, at) => scriptOf(recipeOf(seed, from + at)));
  const written = await runInBash(scripts.map(({ text }) => text));
  let ran = 0;
  let gaps = 0;
  const misses: Miss[] = [];
  for (const script of scripts) {
    const markers = script.markers.filter((marker) => written.has(marker));
    if (markers.length === 0) continue;
    const reading = readScript(script.text);
    if (markers.length === script.markers.length) {
      ran++;
      if (!reading.complete) gaps++;
    }
    const marker = markers.find((marker) => !covers(reading, marker));
    if (marker !== undefined) misses.push({ script, marker });
  }
  return { ran, gaps, misses };
}

function readScript(text: string): Reading {
  return readCommand(text, { home: '/home/me', cwd: '/work' });
}

/** True if the reading lists a command that echoes the word, or says that it cannot know all commands. */
function covers(reading: Reading, marker: string): boolean {
  if (!reading.complete) return true;
  return reading.commands.some(
    ({ name, args }) => name === 'echo' && args.some((word) => knownText(word) === marker),
  );
}

/** A command that bash runs and the reading does not cover, if there is one. */
function missedIn({ text, markers }: Script, written: ReadonlySet<string>): string | undefined {
  const ran = markers.filter((marker) => written.has(marker));
  if (ran.length === 0) return undefined;
  const reading = readScript(text);
  return ran.find((marker) => !covers(reading, marker));
}

/** The smallest miss that is left when parts of the script are taken away one after the other. */
export async function shrink(miss: Miss): Promise<Miss> {
  const candidates = smaller(miss.script.recipe).map((recipe, index) => scriptOf({ ...recipe, index }));
  const written = await runInBash(candidates.map(({ text }) => text));
  for (const script of candidates) {
    const marker = missedIn(script, written);
    if (marker !== undefined) return shrink({ script, marker });
  }
  return miss;
}

/** The misses of one class: those in which the same contexts are left when they are shrunk. */
export interface MissClass {
  readonly name: string;
  readonly count: number;
  /** The shortest script. */
  readonly example: string;
}

/** Misses that are shrunk: it takes time, and there are as many as there are where one thing is wrong. */
const MAX_SHRUNK = 200;

/** Shrinks the shortest misses and sorts them into classes, the most frequent first. */
export async function classify(misses: readonly Miss[]): Promise<readonly MissClass[]> {
  const classes = new Map<string, MissClass>();
  const shortestFirst = misses.toSorted((a, b) => a.script.text.length - b.script.text.length);
  for (const miss of shortestFirst.slice(0, MAX_SHRUNK)) {
    const { script } = await shrink(miss);
    const name = classOf(script.recipe);
    const before = classes.get(name);
    const example = script.text.replaceAll(/\bm\d+x(\d)\b/g, 'm$1');
    const shortest =
      before === undefined || example.length < before.example.length ? example : before.example;
    classes.set(name, { name, count: (before?.count ?? 0) + 1, example: shortest });
  }
  return [...classes.values()].sort((a, b) => b.count - a.count);
}
