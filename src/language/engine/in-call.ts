import type { Facts } from '../../model/facts.ts';
import type { FactOutcome, History, PastCall } from '../../model/history.ts';
import type { FactRow, Rule } from '../../model/policy.ts';
import { or, type Truth } from '../../model/truth.ts';
import type { ReadCommand } from '../../reader/reading/reading.ts';
import { knownText } from '../../reader/reading/word.ts';
import { changedFacts } from '../keys/call/changed-facts.ts';
import { hidingReasonOf } from '../keys/call/hiding-reason.ts';
import { shellReadings } from '../keys/call/shell-reading.ts';
import { withCommands } from '../keys/call/some-commands.ts';
import { FACT_ASKS } from '../keys/history/fact-places.ts';
import { happened } from '../keys/history/happened.ts';
import type { HistorySpec } from '../keys/history/spec.ts';
import { factValues } from '../keys/history/values.ts';
import { MATCHER_TABLE } from '../keys/registry.ts';
import { compileWhen, holds } from '../keys/when.ts';
import { factKeys } from './fact-keys.ts';
import { withUnseenChanges } from './unseen-changes.ts';

/** Judges a call of several commands without those that are allowed, for a rule about missing earlier calls. */
export function inCallsOf(
  rule: Rule,
  asks: readonly HistorySpec[],
  rows: readonly FactRow[],
): (facts: Facts) => Facts {
  const aim = Object.entries(rule.when).filter(([key]) => !FACT_ASKS.includes(key));
  const compiled = compileWhen(Object.fromEntries(aim), MATCHER_TABLE);
  const isAimedAt = (command: ReadCommand, facts: Facts) =>
    holds(
      compiled,
      withCommands(facts, (each) => each === command),
    ) !== false;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const meets = (fact: string | undefined, facts: Facts, ...wanted: readonly ReadCommand[]): Truth => {
    const row = byId.get(fact ?? '');
    if (row === undefined || wanted.length === 0) return false;
    return holds(
      factKeys(row),
      withCommands(facts, (command) => wanted.includes(command)),
    );
  };
  const foldersOf: Tests['foldersOf'] = (value, fact, facts) => {
    const row = byId.get(fact);
    return row === undefined ? undefined : factValues(facts, value, row.when);
  };
  const isTied = (fact: string) => byId.get(fact)?.values.includes('folders') === true;
  return (facts) => asInCall(facts, asks, { isAimedAt, meets, foldersOf, isTied });
}

interface Tests {
  /** True if the policy could be about a command alone, leaving aside earlier calls. */
  readonly isAimedAt: (command: ReadCommand, facts: Facts) => boolean;
  /** Tests if a call of these commands alone meets a fact. */
  readonly meets: (fact: string | undefined, facts: Facts, ...wanted: readonly ReadCommand[]) => Truth;
  /** The folders, or the repositories, of a call that meets a fact, as they are kept of it. */
  readonly foldersOf: (
    value: 'folder' | 'folders' | 'repository',
    fact: string,
    facts: Facts,
  ) => readonly string[] | undefined;
  /** True if tests are about the changes of a fact by their folders. */
  readonly isTied: (fact: string) => boolean;
}

/** A call with nothing but some of its commands. */
function only(facts: Facts, test: (index: number) => boolean): Facts {
  return withCommands(facts, (_, index) => test(index));
}

/** Outcomes that a command has which has succeeded. */
const SUCCEEDS: ReadonlySet<FactOutcome> = new Set(['done', 'succeeded', 'passed']);

function asInCall(
  call: Facts,
  asks: readonly HistorySpec[],
  { isAimedAt, meets, foldersOf, isTied }: Tests,
): Facts {
  const facts = withUnseenChanges(call);
  const readings = shellReadings(facts) ?? [];
  const free = new Set<ReadCommand>();
  for (const { of, since, same, window } of asks) {
    if (same.length > 0 || !SUCCEEDS.has(of.outcome)) continue;
    const here = hidingReasonOf(facts);
    for (const { commands } of readings) {
      // Nobody knows when that ends.
      const background = commands.filter(({ certainty }) => certainty.hiddenBy === 'background');
      // Tests in a folder are about changes there: those of earlier calls, and of this one.
      const isAboutAll = (at: number): boolean => {
        const alone = only(facts, (index) => index === at);
        const [folder] = foldersOf('folder', of.fact, alone) ?? [];
        if (since === undefined || !isTied(since.fact)) return true;
        if (folder === undefined) return false;
        const hash = facts.history.hash(folder);
        const earlier = facts.history.past(since.fact, window).calls;
        return (
          earlier.every(
            (call) =>
              happened(call, since.outcome) === false || call.values['folders']?.includes(hash) !== false,
          ) &&
          (meets(since.fact, facts, ...commands.slice(0, at)) === false ||
            foldersOf(
              'folders',
              since.fact,
              only(facts, (index) => index < at),
            )?.includes(folder) !== false)
        );
      };
      const frees = (at: number, command: ReadCommand, index: number): boolean => {
        const together = togetherWith(at, command.behind, commands);
        return (
          together.every((each) => here(each) === undefined) &&
          meets(of.fact, facts, ...together) === true &&
          isSameRepository(commands[at], command, facts) &&
          isAboutAll(at) &&
          meets(
            since?.fact,
            facts,
            ...commands.slice(at + 1, index + 1),
            ...background,
            ...feeding(at, commands),
          ) === false
        );
      };
      for (const [index, command] of commands.entries())
        if (command.behind.some((at) => frees(at, command, index))) free.add(command);
    }
  }
  const marked = asks.flatMap(({ since }) => {
    if (since === undefined) return [];
    const truth = readings
      .map(({ commands }) => {
        const last = commands.findLastIndex((command) => isAimedAt(command, facts));
        const before = last < 0 ? commands : commands.slice(0, last);
        return meets(since.fact, facts, ...before.filter((command) => !isAimedAt(command, facts)));
      })
      .reduce(or);
    const repository = foldersOf('repository', since.fact, facts);
    return truth === false ? [] : [{ fact: since.fact, met: truth === true, repository }];
  });
  const history = marked.length === 0 ? facts.history : withMarks(facts, marked);
  const asWritten = (shellReadings(call) ?? []).map(({ commands }) => commands);
  const freed = new Set(
    readings.flatMap(({ commands }, reading) =>
      commands.flatMap((command, index) => (free.has(command) ? [asWritten[reading]?.[index]] : [])),
    ),
  );
  const left = freed.size === 0 ? call : withCommands(call, (command) => !freed.has(command));
  return history === facts.history ? left : changedFacts(left, { history, surroundings: call.surroundings });
}

/** A command that has succeeded, with those around it and in it that have, too: a wrapper and its inner command. */
function togetherWith(
  at: number,
  behind: readonly number[],
  commands: readonly ReadCommand[],
): readonly ReadCommand[] {
  const isInside = (inner: number, outer: number): boolean => {
    for (let index = commands[inner]?.parent; index !== undefined; index = commands[index]?.parent)
      if (index === outer) return true;
    return false;
  };
  return commands.filter(
    (_, index) => index === at || isInside(at, index) || (behind.includes(index) && isInside(index, at)),
  );
}

/** The commands that run beside one because it takes their output. */
function feeding(at: number, commands: readonly ReadCommand[]): readonly ReadCommand[] {
  const found = new Set<number>();
  const open = [...(commands[at]?.fedBy ?? [])];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (found.has(index)) continue;
    found.add(index);
    open.push(...(commands[index]?.fedBy ?? []));
  }
  return commands.filter((_, index) => found.has(index));
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

/** The same history with the earlier commands of the call itself as calls. */
function withMarks(
  facts: Facts,
  marks: readonly {
    readonly fact: string;
    readonly met: boolean;
    readonly repository: readonly string[] | undefined;
  }[],
): History {
  const { history } = facts;
  return {
    hash: (text) => history.hash(text),
    carriedIn: (fact, window, pieces) => history.carriedIn(fact, window, pieces),
    past: (fact, window) => {
      const { calls, ...rest } = history.past(fact, window);
      const own = marks
        .filter((mark) => mark.fact === fact)
        .map(({ met, repository }): PastCall => {
          const roots = repository?.map((root) => history.hash(root));
          return { ...MARK, met, values: roots === undefined ? {} : { repository: roots } };
        });
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
