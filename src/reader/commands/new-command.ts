import { LOADED_FROM } from '../programs/interpret/loaded-environment.ts';
import type { Assignment } from '../reading/reading.ts';
import { isSameWord, knownText, type Word } from '../reading/word.ts';
import { indexesOf } from '../shell/scope/flow.ts';
import type { Arg, Call, CommandBuilder, Frame, Interpreter } from '../shell/scope/interpreter.ts';
import { runCertaintyIn } from '../shell/scope/run-certainty.ts';
import { cwdOf, stayedIn, UNSET, variableOf } from '../shell/scope/scope.ts';

/** A command before any of its effects are known. */
export function newCommand(
  head: Arg,
  name: string | undefined,
  args: readonly Arg[],
  parsed: Call['parsed'],
  frame: Frame,
  span: Call['span'],
): CommandBuilder {
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
    assignments: assignmentsInForce(frame),
    redirections: [],
    input: frame.input,
    output: undefined,
    feeds: [],
    fedBy: [],
    span,
    via: frame.via,
    parent: frame.parent,
    wrapper: false,
    privileged: frame.privileged,
    remote: frame.remote,
    mayGoUnseen: false,
    cwd: cwdOf(frame.scope),
    effects: [],
    certainty: { ...runCertaintyIn(frame), own: false },
    behind: indexesOf(frame.flow.known, MAX_BEHIND),
    substitutions: frame.substitutions,
    inner: undefined,
    stayedIn: stayedIn(frame.scope),
  };
}

/** So many exported variables are followed. */
const MAX_EXPORTS = 256;
/** Of so many commands it is said that they have succeeded. */
const MAX_BEHIND = 64;

function assignmentsInForce(frame: Frame): readonly Assignment[] {
  const { interpreter, environment } = frame;
  const last = new Map(environment.map(({ name }, index) => [name, index]));
  const given = environment.flatMap((each, index) => {
    const isInForce = last.get(each.name) === index || each.name === '' || each.name === LOADED_FROM;
    return isInForce ? [isSame(each, interpreter) ? { ...each, same: true as const } : each] : [];
  });
  if (interpreter.exported.size === 0) return given;
  const found: Assignment[] = [];
  let names = 0;
  for (const name of interpreter.exported) {
    const variable = variableOf(frame.scope, name);
    if (variable === undefined || variable.exported === false || (last.has(name) && name !== LOADED_FROM))
      continue;
    if (++names > MAX_EXPORTS) {
      interpreter.gap('too_many_steps', interpreter.whole, 'Too many variables are exported');
      break;
    }
    const values = distinct(variable.values);
    const maybe = variable.maybe || variable.exported === 'maybe' || values.includes(UNSET) || undefined;
    for (const value of values) {
      const set = { name, value, maybe, ways: values };
      found.push(isSame(set, interpreter) ? { ...set, same: true } : set);
    }
  }
  return [...found, ...given];
}

/** Branches may leave a variable with several values: each may be in force. */
function distinct(values: readonly Word[]): readonly Word[] {
  if (values.length < 2) return values;
  return values.filter((value, index) => !values.slice(index + 1).some((other) => isSameWord(other, value)));
}

/** True if a variable is set to its value outside of the script. */
function isSame({ name, value }: Assignment, { context: { env, home } }: Interpreter): boolean {
  const [only, ...others] = value;
  if (only?.type === 'unknown') return others.length === 0 && only.variable === name;
  const outside = env?.[name] ?? (name === 'HOME' ? home : undefined);
  return outside !== undefined && outside !== '' && knownText(value) === outside;
}
