import type { JsonObject } from '../../lib/json.ts';
import type { Facts } from '../../model/facts.ts';
import type { History, PastCall } from '../../model/history.ts';
import type { FactRow, Rule } from '../../model/policy.ts';
import type { ReadCommand } from '../../reader/reading/reading.ts';
import { knownText } from '../../reader/reading/word.ts';
import { changedFacts } from '../keys/call/changed-facts.ts';
import { commandsOf, withCommands } from '../keys/call/some-commands.ts';
import { surelyRuns } from '../keys/call/surely-runs.ts';
import { KEYS_OF_FACTS, withFacts } from '../keys/history/fact-places.ts';
import { factUse, type HistorySpec, historySpec } from '../keys/history/spec.ts';
import { factValues } from '../keys/history/values.ts';
import { MATCHER_TABLE } from '../keys/registry.ts';
import { compileWhen, holds } from '../keys/when.ts';
import type { LinkedRule } from './linked-rule.ts';

/**
 * A policy that asks whether something came before, for calls of several commands. A command behind `&&` runs only if those before it
 * have succeeded, so with `npm test && git push` the push is free; with `sed -i … && git push` what is pushed has changed since it was
 * tested.
 */
export function linkInCalls(linked: LinkedRule, rows: readonly FactRow[]): LinkedRule {
  const asks = asksOf(linked.rule);
  if (asks.length === 0) return linked;
  const inCall = (facts: Facts) => asInCall(facts, linked.rule, asks, rows);
  return {
    ...linked,
    fitsCall: (facts) => linked.fitsCall(inCall(facts)),
    explain: (facts) => linked.explain(inCall(facts)),
  };
}

function asInCall(facts: Facts, rule: Rule, asks: readonly HistorySpec[], rows: readonly FactRow[]): Facts {
  const commands = commandsOf(facts);
  if (commands === undefined || commands.length < 2) return facts;
  const meets = (fact: string | undefined, ...wanted: readonly ReadCommand[]) => {
    const row = rows.find(({ id }) => id === fact);
    return row === undefined
      ? false
      : holds(
          compileWhen(row.when, MATCHER_TABLE),
          withCommands(facts, (command) => wanted.includes(command)),
        );
  };
  const free = new Set<ReadCommand>();
  for (const { of, since, same } of asks) {
    if (same.length > 0 || (of.outcome !== 'done' && of.outcome !== 'succeeded' && of.outcome !== 'passed'))
      continue;
    const here = surelyRuns(facts);
    // Nobody knows when that ends.
    const background = commands.filter(({ certainty }) => certainty.hiddenBy === 'background');
    for (const [index, command] of commands.entries()) {
      const runs = (at: number) =>
        [commands[at], ...insideOf(at, commands)].filter((each) => each !== undefined);
      const isFree = command.behind.some(
        (at) =>
          runs(at).every((each) => here(each) === undefined) &&
          meets(of.fact, ...runs(at)) === true &&
          meets(since?.fact, ...commands.slice(at + 1, index + 1), ...background) === false &&
          isSameRepository(commands[at], command, facts),
      );
      if (isFree) free.add(command);
    }
  }
  const marked = asks.flatMap(({ since }) => {
    const last = commands.findLastIndex((command) => isAimedAt(rule, command, facts));
    const before = last < 0 ? commands : commands.slice(0, last);
    const truth = meets(since?.fact, ...before.filter((command) => !isAimedAt(rule, command, facts)));
    return since === undefined || truth === false ? [] : [{ fact: since.fact, met: truth === true }];
  });
  const history = marked.length === 0 ? facts.history : withMarks(facts, marked);
  const left = free.size === 0 ? facts : withCommands(facts, (command) => !free.has(command));
  return history === facts.history ? left : changedFacts(left, { history, surroundings: facts.surroundings });
}

function isSameRepository(
  one: ReadCommand | undefined,
  other: ReadCommand,
  { surroundings }: Facts,
): boolean {
  const rootOf = (command: ReadCommand | undefined) => {
    const folder = command === undefined ? undefined : knownText(command.cwd);
    if (folder === undefined || command?.remote === true) return undefined;
    return surroundings.repository?.(folder.startsWith('/') ? folder : undefined)?.root ?? '';
  };
  const root = rootOf(one);
  return root !== undefined && root === rootOf(other);
}

/** What a policy says has not come before. */
function asksOf(rule: Rule): readonly HistorySpec[] {
  const found = new Map<JsonObject, HistorySpec>();
  withFacts(rule.when, (fact, { ask, spec }) => {
    const asked = ask === 'not_seen' ? historySpec(spec) : undefined;
    if (asked !== undefined && factUse(fact) !== undefined) found.set(spec, asked);
    return fact;
  });
  return [...found.values()];
}

/** The commands that a command does nothing but run. */
function insideOf(at: number, commands: readonly ReadCommand[]): readonly ReadCommand[] {
  const outer = commands[at]?.certainty;
  return commands.filter(({ parent, certainty }) => {
    for (let index = parent; index !== undefined; index = commands[index]?.parent)
      if (index === at) return certainty.own === outer?.own && certainty.hiddenBy === outer.hiddenBy;
    return false;
  });
}

/** Whether a policy could be about this command alone, leaving aside what came before. */
function isAimedAt(rule: Rule, command: ReadCommand, facts: Facts): boolean {
  const when = Object.fromEntries(Object.entries(rule.when).filter(([key]) => !KEYS_OF_FACTS.includes(key)));
  return (
    holds(
      compileWhen(when, MATCHER_TABLE),
      withCommands(facts, (each) => each === command),
    ) !== false
  );
}

/** The same history with what the call itself does before it comes to what a policy is about. */
function withMarks(
  facts: Facts,
  marks: readonly { readonly fact: string; readonly met: boolean }[],
): History {
  const { history } = facts;
  const repository = factValues(facts, 'repository')?.map((root) => history.hash(root));
  const values = repository === undefined ? {} : { repository };
  return {
    hash: (text) => history.hash(text),
    carriedIn: (fact, window, pieces) => history.carriedIn(fact, window, pieces),
    past: (fact, window) => {
      const { calls, ...rest } = history.past(fact, window);
      const own = marks
        .filter((mark) => mark.fact === fact)
        .map(({ met }): PastCall => ({ ...MARK, met, values }));
      return { ...rest, calls: [...calls, ...own] };
    },
  };
}

const MARK: PastCall = {
  sequence: Number.POSITIVE_INFINITY,
  startedMs: 0,
  met: true,
  ran: true,
  own: true,
  refused: false,
  result: 'open',
  values: {},
};
