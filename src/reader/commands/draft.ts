import type { Assignment } from '../reading/reading.ts';
import { EMPTY_WORD, knownText } from '../reading/word.ts';
import { cwdOf, stayedIn, variableOf } from '../shell/scope/scope.ts';
import { certaintyIn } from '../shell/scope/standing.ts';
import type { Arg, Call, Draft, Place, Walker } from '../shell/scope/walker.ts';

/** A command before anything is known of what it does. */
export function newDraft(
  head: Arg,
  name: string | undefined,
  args: readonly Arg[],
  parsed: Call['parsed'],
  place: Place,
  walker: Walker,
  span: Call['span'],
): Draft {
  const known = knownText(head.word);
  return {
    name,
    program: head.word,
    programSpan:
      head.at === undefined || known === undefined
        ? undefined
        : { start: head.at, end: head.at + known.length },
    programPlace: head,
    args: args.map((arg) => arg.word),
    argPlaces: args,
    flags: parsed.flags,
    operands: parsed.operands.map((operand) => operand.word),
    subcommands: parsed.subcommands,
    rows: [],
    caused: [],
    idle: false,
    added: false,
    uncertain: parsed.uncertain,
    openEnded: parsed.openEnded,
    assignments: assignmentsInForce(place, walker),
    redirections: [],
    input: place.input,
    output: undefined,
    feeds: [],
    fedBy: [],
    span,
    via: place.via,
    parent: place.parent,
    wrapper: false,
    privileged: place.privileged,
    remote: place.remote,
    mayGoUnseen: false,
    cwd: cwdOf(place.scope),
    effects: [],
    certainty: certaintyIn(place),
    behind: place.succeeded,
    substitutions: place.substitutions,
    stayedIn: stayedIn(place.scope),
  };
}

const MAX_EXPORTS = 64;

function assignmentsInForce(place: Place, walker: Walker): readonly Assignment[] {
  const given = place.environment.map((each) =>
    isSame(each, walker) ? { ...each, same: true as const } : each,
  );
  if (walker.exported.size === 0) return given;
  const found: Assignment[] = [];
  for (const name of walker.exported) {
    if (found.length >= MAX_EXPORTS) break;
    const variable = variableOf(place.scope, name);
    if (variable?.exported !== true) continue;
    const set = { name, value: variable.values.at(-1) ?? EMPTY_WORD };
    found.push(isSame(set, walker) && variable.values.length === 1 ? { ...set, same: true } : set);
  }
  return [...found, ...given];
}

/** Is a variable set to what it is outside of the script? */
function isSame({ name, value }: Assignment, { context: { env, home } }: Walker): boolean {
  const [only, ...others] = value;
  if (only?.type === 'unknown') return others.length === 0 && only.variable === name;
  const outside = env?.[name] ?? (name === 'HOME' ? home : undefined);
  return outside !== undefined && outside !== '' && knownText(value) === outside;
}
