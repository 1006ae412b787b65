import { posix } from 'node:path';
import { child } from '../../lib/child.ts';
import { own } from '../../lib/json.ts';
import type { Facts } from '../../model/facts.ts';
import type { Certainty, HidingReason, MetFact } from '../../model/history.ts';
import type { FactRow } from '../../model/policy.ts';
import { and, or, type Truth } from '../../model/truth.ts';
import type { ReadCommand } from '../../reader/reading/reading.ts';
import { knownText } from '../../reader/reading/word.ts';
import { hidingReasonOf } from '../keys/call/hiding-reason.ts';
import { shellReadings } from '../keys/call/shell-reading.ts';
import { type CommandPredicate, commandsOf, withCommands } from '../keys/call/some-commands.ts';
import { factValues } from '../keys/history/values.ts';
import { holds } from '../keys/when.ts';
import { factKeys } from './fact-keys.ts';
import { readingsOf } from './readings.ts';
import { withUnseenChanges } from './unseen-changes.ts';

/** Those of some facts that a call meets, or may meet, each with its certainty. */
export function certainFacts(rows: readonly FactRow[], facts: Facts): readonly MetFact[] {
  const readings = readingsOf(facts).map(withUnseenChanges);
  return rows.flatMap((row): readonly MetFact[] => {
    const truth = readings.map((each) => holds(factKeys(row), each));
    if (truth.reduce(or) === false) return [];
    const certainty = certaintyOf(row, readings, truth.reduce(and));
    const { id: fact, untrusted } = row;
    const values = valuesOf(row, readings);
    const last = certainty.own && isLast(row, rows, readings) ? { last: true as const } : {};
    return [{ fact, ...certainty, ...last, values, ...(untrusted === true ? { untrusted } : {}) }];
  });
}

/** A shell call certainly meets a fact if its certain commands alone do; other calls are one thing with one result. */
function certaintyOf(row: FactRow, readings: readonly Facts[], truth: Truth): Certainty {
  if (truth !== true) return { met: false, ran: false, own: false };
  const all = readings.flatMap((each) => commandsOf(each) ?? []);
  const [first] = readings;
  if (isInBackground(first)) return { met: true, ran: false, own: false, hiddenBy: 'background' };
  const commands = first === undefined ? undefined : commandsOf(first);
  if (first === undefined || commands === undefined) return { met: true, ran: true, own: true, alone: true };
  const here = hidingReasonOf(first);
  const runs = (command: ReadCommand): boolean =>
    here(command) === undefined && command.certainty.ran && opensFiles(command, first);
  const isOwn = (command: ReadCommand): boolean => here(command) === undefined && command.certainty.own;
  // Most calls are one command.
  const [only] = commands;
  if (all.length === 1 && only !== undefined && isOwn(only) && runs(only))
    return { met: true, ran: true, own: true, alone: true };
  const answers = new Map<string, boolean>();
  const holdsWith = (test: CommandPredicate): boolean =>
    child(answers, all.map(test).join(), () =>
      readings.every((each) => {
        const some = withCommands(each, test);
        return some === each || holds(factKeys(row), some) === true;
      }),
    );
  const ran = holdsWith(runs);
  const own = holdsWith(isOwn);
  const alone = own && readings.length === 1 && commands.filter(({ wrapper }) => !wrapper).length < 2;
  if (own) return { met: true, ran, own, ...(alone ? { alone } : {}) };
  const one = commands.find((wanted) => holdsWith((command) => command === wanted));
  return { met: true, ran, own, ...(alone ? { alone } : {}), hiddenBy: reasonOf(one, here) };
}

/** True if all other commands of a call have succeeded when those of a fact begin, and these change no files of another fact. */
function isLast(row: FactRow, rows: readonly FactRow[], readings: readonly Facts[]): boolean {
  const [facts, ...others] = readings;
  const [reading, ...more] = (facts === undefined ? undefined : shellReadings(facts)) ?? [];
  if (facts === undefined || reading === undefined || others.length + more.length > 0) return false;
  const { commands } = reading;
  const at = commands.findLastIndex(({ wrapper, name }) => !wrapper && name !== 'cd');
  const family = new Set<number>();
  for (let index: number | undefined = at; index !== undefined; index = commands[index]?.parent)
    family.add(index);
  const command = commands[at];
  if (command === undefined || !command.certainty.own || !reading.complete) return false;
  if (!commands.every((_, index) => family.has(index) || command.behind.includes(index))) return false;
  const only = withCommands(facts, (_, index) => family.has(index));
  return (
    holds(factKeys(row), only) === true &&
    rows.every(
      (other) =>
        other === row ||
        (own(other.when, 'path') ?? own(other.when, 'command')) === undefined ||
        holds(factKeys(other), only) === false,
    )
  );
}

/** False if a file that a command is redirected to cannot be opened: then it does not run. */
function opensFiles({ redirections, cwd }: ReadCommand, { surroundings: { isThere } }: Facts): boolean {
  return redirections.every(({ kind, target }) => {
    if (kind === 'duplicate' || kind.startsWith('here')) return true;
    const [file, folder] = [knownText(target), knownText(cwd)];
    if (file === undefined || folder === undefined) return false;
    const path = posix.resolve(folder, file);
    return isThere?.(kind === 'read' ? path : posix.dirname(path)) !== false;
  });
}

/** The arguments with which agents have a command run on. */
const BACKGROUND = ['run_in_background', 'is_background', 'isBackground', 'background', 'fireAndForget'];

function isInBackground(facts: Facts | undefined): boolean {
  const call = facts?.event.tool;
  const given = call?.arguments ?? {};
  // A text that is typed into a shell runs on, too.
  if (call?.background === true || call?.extraArguments?.['command'] !== undefined) return true;
  return BACKGROUND.some((name) => own(given, name) === true);
}

function reasonOf(command: ReadCommand | undefined, here: ReturnType<typeof hidingReasonOf>): HidingReason {
  return (command === undefined ? undefined : (here(command) ?? command.certainty.hiddenBy)) ?? 'wrapper';
}

/** The call with nothing but those commands that meet a fact and whose status is that of the call, if there are any. */
function certainPart(row: FactRow, facts: Facts): Facts {
  const commands = commandsOf(facts) ?? [];
  if (commands.length < 2) return facts;
  const here = hidingReasonOf(facts);
  const own = commands.filter(
    (command) =>
      command.certainty.own &&
      here(command) === undefined &&
      holds(
        factKeys(row),
        withCommands(facts, (each) => each === command),
      ) === true,
  );
  return own.length === 0 ? facts : withCommands(facts, (command) => own.includes(command));
}

/** A value that is not the same in all readings is not known. */
function valuesOf(row: FactRow, readings: readonly Facts[]): MetFact['values'] {
  return Object.fromEntries(
    row.values.flatMap((name) => {
      const [found, ...others] = readings.map((each) =>
        factValues(name === 'folder' ? certainPart(row, each) : each, name, row.when),
      );
      const isOne = others.every((other) => JSON.stringify(other) === JSON.stringify(found));
      return found === undefined || !isOne ? [] : [[name, found]];
    }),
  );
}
