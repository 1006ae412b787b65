import { mayBeSuspicious } from '../../../lib/may-be-suspicious.ts';
import type { ToolCall } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { PlainScript } from '../../../reader/commands/plain-script.ts';
import { argumentValues } from '../arguments/values.ts';
import type { CallSummary } from '../call-needs.ts';
import type { PathTexts } from '../path/texts.ts';
import { executedTexts } from '../suspicious-text/executed-texts.ts';
import { oncePerEvent } from './once-per-event.ts';
import { isPatchTool } from './patch-tool.ts';
import { pathsOfPlain, plainCommand, summaryOfPlain } from './plain-summary.ts';
import { TRAITS } from './traits.ts';
import type { UsedPath } from './used-path.ts';
import { workingDirectories } from './working-directories.ts';

/** The contents of a call, from all its commands and arguments; undefined if it may hold anything. */
export const summaryOfCall: (facts: Facts) => CallSummary | undefined = oncePerEvent(summarise);

function summarise(facts: Facts): CallSummary | undefined {
  const call = facts.event.tool;
  if (call === undefined)
    return { ...EMPTY, tool: undefined, classes: [], paths: () => undefined, urls: () => undefined };
  if (call.arguments === undefined || call.unsure === true) return undefined;
  const said = hasTargets(call) ? TRAITS.argument : 0;
  const plain = said === 0 ? plainCall(call, facts) : undefined;
  if (plain !== undefined) {
    const paths = once(() => textsOf(pathsOfPlain(plain), facts));
    return { ...summaryOfPlain(plain), tool: call.name, classes: call.classes, paths, urls: () => [] };
  }
  return summaryOfTexts(facts, call, said);
}

const EMPTY = {
  names: [],
  hasUnknownName: false,
  words: [],
  hasUnknownWord: false,
  causes: [],
  wrappers: [],
  traits: 0,
  hasGaps: false,
} as const;

/** True if it has paths or URLs in arguments of their own. */
function hasTargets(call: ToolCall): boolean {
  return (
    argumentValues(call, ['path']).length > 0 ||
    argumentValues(call, ['url']).length > 0 ||
    (call.globs ?? []).length > 0 ||
    isPatchTool(call)
  );
}

/** The command of a shell call that need not be read, if it is the only one. */
function plainCall(call: ToolCall, facts: Facts): PlainScript | undefined {
  if (call.commands !== undefined || !call.classes.includes('shell')) return undefined;
  const [text, ...others] = argumentValues(call, ['command']);
  if (typeof text !== 'string' || others.length > 0 || argumentValues(call, ['args']).length > 0)
    return undefined;
  return plainCommand(text, workingDirectories(facts.event, facts.surroundings), facts);
}

/** The result of some work, done when first asked. */
function once<T>(work: () => T): () => T {
  let done: { readonly result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}

// Loaded when there is something to read: most calls of a process that judges one have none. Asking again takes microseconds.
let shellReading: typeof import('./shell-reading.ts') | undefined;
let usedPaths: typeof import('./paths.ts') | undefined;
let usedUrls: typeof import('./urls.ts') | undefined;
let texts: typeof import('../path/texts.ts') | undefined;

function textsOf(paths: readonly UsedPath[], { surroundings }: Facts): PathTexts | undefined {
  texts ??= require('../path/texts.ts') as typeof import('../path/texts.ts');
  return texts.pathTexts(paths, surroundings);
}

function summaryOfTexts(facts: Facts, call: ToolCall, said: number): CallSummary | undefined {
  shellReading ??= require('./shell-reading.ts') as typeof import('./shell-reading.ts');
  const { texts: commands, complete } = shellReading.shellTexts(facts) ?? shellReading.NO_COMMANDS;
  const summaries = commands.map(({ summary }) => summary);
  if (!complete || summaries.some(({ hasGaps, hasUnknownName }) => hasGaps || hasUnknownName))
    return undefined;
  let traits = said | (executedTexts(call).some(mayBeSuspicious) ? TRAITS.odd : 0);
  for (const summary of summaries) traits |= summary.traits;
  return {
    names: summaries.flatMap(({ names }) => names),
    hasUnknownName: false,
    words: summaries.flatMap(({ words }) => words),
    causes: summaries.flatMap(({ causes }) => causes),
    wrappers: summaries.flatMap(({ wrappers }) => wrappers),
    hasUnknownWord: summaries.some(({ hasUnknownWord }) => hasUnknownWord),
    traits,
    hasGaps: false,
    tool: call.name,
    classes: call.classes,
    paths: once(() => {
      usedPaths ??= require('./paths.ts') as typeof import('./paths.ts');
      const { paths, complete } = usedPaths.callPaths(facts);
      return complete ? textsOf(paths, facts) : undefined;
    }),
    urls: once(() => {
      usedUrls ??= require('./urls.ts') as typeof import('./urls.ts');
      return usedUrls.urlPaths(facts);
    }),
  };
}
