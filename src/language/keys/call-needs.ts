import { foldLetters } from '../../lib/path/fold-path.ts';
import type { ToolClass } from '../../model/event.ts';
import type { CallNeeds, Literals } from '../../model/policy.ts';
import type { ReadingSummary } from './call/reading-summary.ts';
import type { PathTexts } from './path/texts.ts';

/** The summary of a call that is compared with the needs of policies. */
export interface CallSummary extends ReadingSummary {
  /** The host's name of the tool; undefined where there is none. */
  readonly tool: string | undefined;
  readonly classes: readonly ToolClass[];
  /** Its paths; undefined if there may be others. Worked out when first asked. */
  readonly paths: () => PathTexts | undefined;
  /** The paths of its addresses, in lower case; undefined if there may be others. Worked out when first asked. */
  readonly urls: () => readonly string[] | undefined;
}

/** Whether a call may hold one of these strings. */
export type MayContain = (literals: Literals) => boolean;

/** A quick check of a call, or one of its texts: false only if nothing in it can match. That decides most policies. */
export function needsAreMet(
  needs: CallNeeds,
  summary: ReadingSummary & Partial<Pick<CallSummary, 'tool' | 'classes' | 'paths' | 'urls'>>,
  mayHold?: MayContain,
): boolean {
  const { names, words, causes, wrappers, traits, tools, classes, paths, urls, literals } = needs;
  if (classes !== undefined && summary.classes?.some((each) => classes.includes(each)) === false)
    return false;
  if (tools !== undefined && !hasOneOf(tools, [summary.tool ?? ''])) return false;
  if (summary.hasUnknownName) return true;
  if (traits !== undefined) for (const bits of traits) if ((summary.traits & bits) === 0) return false;
  if (names !== undefined && !hasOneOf(names, summary.names)) return false;
  if (words !== undefined && !summary.hasUnknownWord && !hasOneOf(words, summary.words)) return false;
  if (causes !== undefined && !hasOneOf(causes, summary.causes)) return false;
  if (wrappers !== undefined && !hasOneOf(wrappers, summary.wrappers)) return false;
  if (literals !== undefined && mayHold?.(literals) === false) return false;
  if (urls !== undefined && summary.urls !== undefined && !hasFragment(urls, summary.urls())) return false;
  return paths === undefined || mayFit(paths, needs.around === true, summary.paths?.());
}

function hasFragment(fragments: readonly string[], texts: readonly string[] | undefined): boolean {
  return texts === undefined || texts.some((text) => fragments.some((each) => text.includes(each)));
}

function mayFit(fragments: readonly string[], around: boolean, paths: PathTexts | undefined): boolean {
  if (paths === undefined || (around && paths.reachesBelow)) return true;
  if (paths.texts.some((text) => fragments.some((each) => text.includes(each)))) return true;
  return paths.folded.some((text) => fragments.some((each) => text.includes(foldLetters(each))));
}

/** Only the part in front of the first wildcard counts: the test itself looks at the rest. */
function hasOneOf(wanted: readonly string[], found: readonly string[]): boolean {
  if (found.length === 0) return false;
  for (const name of wanted) {
    const star = name.indexOf('*');
    if (star === -1) {
      if (found.includes(name)) return true;
    } else {
      const start = name.slice(0, star);
      for (const each of found) if (each.startsWith(start)) return true;
    }
  }
  return false;
}

/** The programs, if only these will do and none has wildcards. */
export function plainNames({ names }: CallNeeds): readonly string[] | undefined {
  return withoutWildcards(names);
}

/** The first words of the programs, in the same way. */
export function plainWords({ words }: CallNeeds): readonly string[] | undefined {
  return withoutWildcards(words);
}

function withoutWildcards(names: readonly string[] | undefined): readonly string[] | undefined {
  return names?.some((name) => name.includes('*')) ? undefined : names;
}

/** Needs of an alternative of several: one of all of them has to be met, if each has some. */
export function unionOfNeeds(
  sets: readonly (readonly CallNeeds[] | undefined)[],
): readonly CallNeeds[] | undefined {
  const all: CallNeeds[] = [];
  for (const set of sets) {
    if (set === undefined) return undefined;
    all.push(...set);
  }
  return all;
}

/** The same with strings that are required as well. */
export function withLiterals(
  needs: readonly CallNeeds[] | undefined,
  literals: Literals | undefined,
): readonly CallNeeds[] | undefined {
  if (literals === undefined) return needs;
  return (needs ?? [{}]).map((each) => ({ literals, ...each }));
}

/** Of two sets that are both required, the one that is met less often. */
export function strongerNeeds(
  a: readonly CallNeeds[] | undefined,
  b: readonly CallNeeds[] | undefined,
): readonly CallNeeds[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  // The class of a tool says little, so it is asked beside the other.
  const ofA = classesOnly(a);
  const ofB = classesOnly(b);
  if (ofA !== undefined) return b.map((each) => ({ ...ofA, ...each }));
  if (ofB !== undefined) return a.map((each) => ({ ...ofB, ...each }));
  return breadth(b) < breadth(a) ? b : a;
}

/** The only need, if it asks for nothing but the class of a tool. */
function classesOnly([only, ...others]: readonly CallNeeds[]): CallNeeds | undefined {
  const isClasses = only?.classes !== undefined && Object.keys(only).length === 1;
  return isClasses && others.length === 0 ? only : undefined;
}

/** A named program or tool is rarer than the effects of commands, and certain paths are rarer than any. */
function breadth(needs: readonly CallNeeds[]): number {
  return needs.reduce(
    (sum, each) =>
      sum +
      ((plainNames(each) ?? each.tools)?.length ??
        (each.paths || each.urls || each.literals ? BROAD / 2 : BROAD)),
    0,
  );
}

const BROAD = 1_000;
