import { classOf, recipeOf, type Script, scriptOf, smaller } from './generator.ts';
import { BASH, type Oracle, readScript, SH_SYNTAX, type Verdict } from './oracle.ts';

/** A script with a command that an oracle sees and the reading misses. */
export interface Miss {
  readonly oracle: Oracle;
  readonly script: Script;
}

/** What came of a number of scripts. */
export interface Findings {
  /** Scripts of which bash ran a marker command. */
  readonly ran: readonly Script[];
  /** Those of them with a gap. */
  readonly refused: readonly Script[];
  readonly misses: readonly Miss[];
}

/** Of so many scripts one is shown to mvdan/sh, which takes longer than bash. */
const SYNTAX_EVERY = 3;

/** Makes the scripts of a seed from one index to another, and holds the reading against what the oracles know of them. */
export async function tryScripts(seed: number, from: number, to: number): Promise<Findings> {
  const scripts = Array.from({ length: to - from }, (_, at) => scriptOf(recipeOf(seed, from + at)));
  // What is changed may leave functions that nothing calls, which hold commands by the grammar alone.
  const whole = scripts.filter(({ recipe }) => recipe.edits.length === 0);
  const some = whole.filter(({ recipe }) => recipe.index % SYNTAX_EVERY === 0);
  const [ofBash, ofSyntax] = await Promise.all([BASH.judge(scripts), SH_SYNTAX.judge(some)]);
  const ran = scripts.filter((_, at) => ofBash[at]?.known === true);
  return {
    ran,
    refused: ran.filter(({ text }) => !readScript(text).complete),
    misses: [...missedBy(BASH, scripts, ofBash), ...missedBy(SH_SYNTAX, some, ofSyntax)],
  };
}

function missedBy(oracle: Oracle, scripts: readonly Script[], verdicts: readonly Verdict[]): readonly Miss[] {
  return scripts.flatMap((script, at) => (verdicts[at]?.missed === undefined ? [] : [{ oracle, script }]));
}

/** The smallest miss that is left when parts of the script are taken away one after the other. */
export async function shrink({ oracle, script }: Miss): Promise<Miss> {
  const candidates = smaller(script.recipe).map((recipe, index) => scriptOf({ ...recipe, index }));
  const verdicts = await oracle.judge(candidates);
  const found = candidates.find((_, at) => verdicts[at]?.missed !== undefined);
  return found === undefined ? { oracle, script } : shrink({ oracle, script: found });
}

/** The misses of one class: those of which the same contexts are left when they are shrunk. */
export interface MissClass {
  readonly name: string;
  readonly count: number;
  /** The shortest script. */
  readonly example: string;
}

/** Misses that are shrunk. It takes time, and one mistake makes many of them. */
const MAX_SHRUNK = 200;

/** Shrinks the shortest misses and sorts them into classes, the most frequent first. */
export async function classify(misses: readonly Miss[]): Promise<readonly MissClass[]> {
  const classes = new Map<string, MissClass>();
  const shortestFirst = misses.toSorted((a, b) => a.script.text.length - b.script.text.length);
  for (const miss of shortestFirst.slice(0, MAX_SHRUNK)) {
    const { oracle, script } = await shrink(miss);
    const name = `${oracle.name}: ${classOf(script.recipe)}`;
    const before = classes.get(name);
    const example = script.text.replaceAll(/\bm\d+x(\d)\b/g, 'm$1');
    const isShorter = before === undefined || example.length < before.example.length;
    classes.set(name, {
      name,
      count: (before?.count ?? 0) + 1,
      example: isShorter ? example : before.example,
    });
  }
  return [...classes.values()].sort((a, b) => b.count - a.count);
}

/** The contexts whose scripts all have a gap, of those that are in several: what can never be allowed. */
export function alwaysRefused({ ran, refused }: Findings): readonly string[] {
  const withGap = new Set(refused);
  const passed = new Set(ran.filter((script) => !withGap.has(script)).flatMap(contextsOf));
  const counts = new Map<string, number>();
  for (const name of refused.flatMap(contextsOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, count]) => (count >= 3 && !passed.has(name) ? [name] : [])).sort();
}

function contextsOf({ recipe }: Script): readonly string[] {
  return [...new Set(recipe.chains.flatMap((chain) => chain.map(({ context }) => context.name)))];
}
