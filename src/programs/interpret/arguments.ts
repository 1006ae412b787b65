import { child } from '../../lib/child.ts';
import type { ProgramSpec, Role } from '../../model/program-spec.ts';
import type { Flag, Span } from '../../reading/reading.ts';
import { EMPTY_WORD, knownText, leadingText, textWord, type Word, wordFrom } from '../../reading/word.ts';
import type { Arg, Operand, ParsedArguments } from '../../shell/scope/walker.ts';

/** The flags of a program in the form that parsing wants. */
interface FlagTable {
  readonly values: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  readonly attached: ReadonlySet<string>;
  /** Every long flag that is known; undefined if the table does not claim to have them all. */
  readonly long: readonly string[] | undefined;
  readonly ends: ReadonlySet<string>;
  readonly help: ReadonlySet<string>;
  /** Values with which a flag that takes none is not in force. */
  readonly off: ReadonlySet<string>;
  /** The other spellings of a flag. */
  readonly same: ReadonlyMap<string, readonly string[]>;
  /** What flags' values are, by every spelling. */
  readonly roles: ReadonlyMap<string, Role>;
  readonly whole: RegExp | undefined;
  readonly dashedOperand: RegExp | undefined;
}

const tables = new WeakMap<ProgramSpec, FlagTable>();
/** Programs that start others call it so, one and all: a file of variables that are set for what is started. */
export const LOADED_FILE = '--env-file';
const UNKNOWN_PROGRAM: ProgramSpec = { values: LOADED_FILE };

/** A list of flags written in one string. */
export function flagSet(flags = ''): ReadonlySet<string> {
  return child(flagSets, flags, () => new Set(flags === '' ? [] : flags.split(/[ ,]/)));
}

/** By what stands in rows, which are asked again with each command. */
const flagSets = new Map<string, ReadonlySet<string>>();

/** Flags that are one, by each of their spellings. */
function sameFlags({ values, attached, long, same }: ProgramSpec): FlagTable['same'] {
  const groups = [values, attached, long, same].flatMap((flags) => flags?.split(' ') ?? []);
  return new Map(
    groups.flatMap((group) => {
      const spellings = group.split(',');
      if (spellings.length < 2) return [];
      return spellings.map((flag) => [flag, spellings.filter((other) => other !== flag)] as const);
    }),
  );
}

function rolesOf({ flags }: ProgramSpec, same: FlagTable['same']): FlagTable['roles'] {
  const roles = new Map<string, Role>();
  for (const [flag, role] of Object.entries(flags ?? {})) {
    for (const other of same.get(flag) ?? []) if (!roles.has(other)) roles.set(other, role);
  }
  for (const [flag, role] of Object.entries(flags ?? {})) roles.set(flag, role);
  return roles;
}

/**
 * What a flag's value is, by any spelling of the flag. What a subcommand's table says of it counts more; where that only
 * lists it, with the spellings that the program has for it, it is the program's flag.
 */
export function flagRole(levels: readonly ProgramSpec[], name: string): Role | undefined {
  let listed: readonly string[] | undefined;
  for (let level = levels.length - 1; level >= 0; level--) {
    const { roles, same, values } = tableOf(levels[level] ?? UNKNOWN_PROGRAM);
    const role = roles.get(name);
    const spellings = same.get(name) ?? NO_SPELLINGS;
    if (role !== undefined && (listed === undefined || listed.join() === spellings.join())) return role;
    if (role !== undefined) return undefined;
    if (values.has(name)) listed ??= spellings;
  }
  return undefined;
}

const NO_SPELLINGS: readonly string[] = [];

/** The other spellings of a flag, where the table knows any. */
export function spellingsIn(spec: ProgramSpec, flag: string): readonly string[] {
  return tableOf(spec).same.get(flag) ?? NO_SPELLINGS;
}

function tableOf(spec: ProgramSpec): FlagTable {
  const made = tables.get(spec);
  if (made !== undefined) return made;
  const values = flagSet(spec.values);
  const attached = flagSet(spec.attached);
  const same = sameFlags(spec);
  const known = [...values, ...attached, ...flagSet(spec.long)].filter((flag) => flag.startsWith('--'));
  const table = {
    values,
    pairs: flagSet(spec.pairs),
    attached,
    long: spec.long === undefined ? undefined : known,
    ends: flagSet(spec.ends),
    help: flagSet(spec.help),
    off: flagSet(spec.off),
    same,
    roles: rolesOf(spec, same),
    whole: spec.whole === undefined ? undefined : new RegExp(spec.whole),
    dashedOperand: spec.dashedOperand === undefined ? undefined : new RegExp(spec.dashedOperand),
  };
  tables.set(spec, table);
  return table;
}

interface State {
  spec: ProgramSpec;
  /** In order; undefined where a later flag has undone one. */
  readonly flags: (Flag | undefined)[];
  /** Where the flags in force stand, by name, so that undoing one takes no look at the others. */
  readonly inForce: Map<string, number[]>;
  readonly operands: Operand[];
  subcommands: number;
  /** Flags that no table has, taken for ones with a value. */
  readonly assumed: ReadonlySet<string>;
  /** The flag without a value that no table has, right before the present word. */
  unknownFlag: string | undefined;
  readonly mayBeValues: MayBeValue[];
  openEnded: boolean;
  /** True after `--`, or after the first operand of a program that runs another. */
  ended: boolean;
}

/** An operand behind a flag that no table has: it may be the value of the flag. */
interface MayBeValue {
  readonly operand: number;
  readonly flag: string;
}

/** How many flags that no table has are taken for ones with a value. */
const MAX_ASSUMED = 4;

/**
 * Takes the arguments of a program apart, with what is known of the program. A flag that no table has takes the next word
 * where the one behind that is a subcommand and this one is not.
 */
export function parseArguments(args: readonly Arg[], spec: ProgramSpec | undefined): ParsedArguments {
  const assumed = new Set<string>();
  for (;;) {
    const state = parseOnce(args, spec, assumed);
    const flag = spec?.subcommands === undefined ? undefined : flagBeforeSubcommand(state);
    if (flag === undefined || assumed.has(flag) || assumed.size >= MAX_ASSUMED) return resultOf(state, spec);
    assumed.add(flag);
  }
}

function flagBeforeSubcommand({ spec, operands, subcommands, mayBeValues }: State): string | undefined {
  const value = mayBeValues.find(({ operand }) => operand === subcommands);
  const next = knownText(operands[subcommands + 1]?.word ?? EMPTY_WORD) ?? '';
  return spec.subcommands !== undefined && Object.hasOwn(spec.subcommands, next) ? value?.flag : undefined;
}

function resultOf(
  { operands, subcommands, openEnded, flags, mayBeValues }: State,
  spec: ProgramSpec | undefined,
): ParsedArguments {
  // The tables know the flags of the programs that they have, but for those that take no value.
  const uncertain = spec === undefined ? mayBeValues.map(({ operand }) => operand) : [];
  return { flags: flags.filter((flag) => flag !== undefined), operands, subcommands, uncertain, openEnded };
}

function parseOnce(args: readonly Arg[], spec: ProgramSpec | undefined, assumed: ReadonlySet<string>): State {
  const state: State = {
    spec: spec ?? UNKNOWN_PROGRAM,
    flags: [],
    inForce: new Map(),
    operands: [],
    subcommands: 0,
    assumed,
    unknownFlag: undefined,
    mayBeValues: [],
    openEnded: false,
    ended: spec?.dashes === 'none',
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at]?.word ?? EMPTY_WORD;
    if (word.some((part) => part.type === 'unknown' && part.splits)) state.openEnded = true;
    const lead = leadingText(word);
    const { unknownFlag } = state;
    state.unknownFlag = undefined;
    if (unknownFlag !== undefined && !state.ended && isOperand(state.spec, lead, word))
      state.mayBeValues.push({ operand: state.operands.length, flag: unknownFlag });
    if (state.ended || isOperand(state.spec, lead, word)) addOperand(state, word, at);
    else if (lead === '--' && word.length === 1) {
      if (state.spec.implied !== undefined) addOperand(state, textWord(state.spec.implied), at);
      state.ended = !awaitsSubcommand(state);
    } else at = addFlags(state, args, at, word, lead);
  }
  return state;
}

function isOperand(spec: ProgramSpec, lead: string, word: Word): boolean {
  if (!lead.startsWith('-') || (lead === '-' && word.length === 1)) return true;
  return spec.dashedOperand !== undefined && tableOf(spec).dashedOperand?.test(lead) === true;
}

/** A `--` before the subcommand says nothing about the flags of the subcommand. */
function awaitsSubcommand({ spec, operands }: State): boolean {
  return spec.subcommands !== undefined && operands.length === 0;
}

function addOperand(state: State, word: Word, arg: number): void {
  const { spec } = state;
  // `cargo +nightly publish`: a toolchain, and no subcommand.
  if (awaitsSubcommand(state) && /^\+./.test(leadingText(word))) {
    push(state, tableOf(spec), { name: '+', written: '+', value: wordFrom(word, 1), arg });
    return;
  }
  state.operands.push({ word, arg });
  const name = state.operands.length === state.subcommands + 1 ? knownText(word) : undefined;
  const next = name !== undefined && spec.subcommands !== undefined && Object.hasOwn(spec.subcommands, name);
  if (next && spec.subcommands !== undefined) {
    state.spec = spec.subcommands[name] ?? UNKNOWN_PROGRAM;
    state.subcommands++;
    if (state.spec.dashes === 'none') state.ended = true;
  } else if (spec.stops === true) state.ended = true;
}

/** Adds the flags of one word; returns the index of the last word it took. */
function addFlags(state: State, args: readonly Arg[], at: number, word: Word, lead: string): number {
  const table = tableOf(state.spec);
  const isWhole = table.whole?.test(lead) === true || /^-[0-9]+$/.test(lead);
  const whole = lead.startsWith('--') || state.spec.dashes === 'word' || isWhole;
  if (!whole) return addBundle(state, table, args, at, word, lead);
  const equals = lead.indexOf('=');
  const written = equals < 0 ? lead : lead.slice(0, equals);
  const name = complete(written, table, state.spec);
  if (equals >= 0) {
    const value = wordFrom(word, equals + 1);
    const isOff = table.off.has(knownText(value) ?? '') && !table.values.has(name);
    if (isOff) drop(state, name);
    else push(state, table, { name, written, value, arg: at });
    return at;
  }
  const next = knownText(args[at + 1]?.word ?? EMPTY_WORD);
  const isPair = table.pairs.has(name);
  const takes =
    word.length === 1 &&
    (isPair || table.values.has(name) || state.assumed.has(name) || isWorded(state.spec, name, next));
  if (!takes && word.length === 1 && !isListed(table, name)) state.unknownFlag = name;
  const last = takes ? at + (isPair ? 2 : 1) : at;
  push(state, table, { name, written, value: takes ? args[last]?.word : undefined, arg: at });
  return Math.min(last, args.length);
}

/** Does the table say anything of a flag? */
function isListed(table: FlagTable, name: string): boolean {
  const { attached, long, ends, help, same, roles } = table;
  return (
    attached.has(name) ||
    long?.includes(name) === true ||
    ends.has(name) ||
    help.has(name) ||
    same.has(name) ||
    roles.has(name)
  );
}

/** Is the next word one that stands for nothing but a value of this flag? */
function isWorded({ worded }: ProgramSpec, name: string, next: string | undefined): boolean {
  if (worded === undefined || next === undefined || !Object.hasOwn(worded, name)) return false;
  return flagSet(worded[name]).has(next);
}

/** How many letters of one word are each a flag of their own. */
const LONG_BUNDLE = 256;

/** `-rf`, `-n5`, `-o file`. */
function addBundle(
  state: State,
  table: FlagTable,
  args: readonly Arg[],
  at: number,
  word: Word,
  lead: string,
): number {
  for (let index = 1; index < lead.length; index++) {
    const name = `-${lead[index] ?? ''}`;
    const last = index === lead.length - 1 && word.length === 1;
    if (table.values.has(name) || (last && state.assumed.has(name))) {
      push(state, table, {
        name,
        written: lead,
        value: last ? args[at + 1]?.word : wordFrom(word, index + 1),
        arg: at,
      });
      return last ? at + 1 : at;
    }
    if (table.attached.has(name) || lead[index + 1] === '=') {
      const value = last ? undefined : wordFrom(word, index + (lead[index + 1] === '=' ? 2 : 1));
      if (lead[index + 1] === '=' && value !== undefined && table.off.has(knownText(value) ?? ''))
        drop(state, name);
      else push(state, table, { name, written: lead, value, arg: at });
      return at;
    }
    // So many letters repeat each other: one that is in force already changes nothing.
    if (index < LONG_BUNDLE || !state.inForce.has(name))
      push(state, table, { name, written: lead, value: undefined, arg: at });
    if (last && !isListed(table, name)) state.unknownFlag = name;
  }
  if (word.length > 1) state.openEnded = true;
  return at;
}

/** The full name of a long flag that is abbreviated without doubt. */
function complete(name: string, table: FlagTable, spec: ProgramSpec): string {
  const { long } = table;
  if (long === undefined || !name.startsWith('--') || long.includes(name)) return name;
  const candidates = long.filter((flag) => flag.startsWith(name));
  if (candidates.length === 1) return candidates[0] ?? name;
  if (spec.negates !== true || !name.startsWith('--no-')) return name;
  const positive = `--${name.slice(5)}`;
  const negated = long.filter((flag) => flag.startsWith(positive));
  const exact = negated.includes(positive) ? positive : negated.length === 1 ? negated[0] : undefined;
  return exact === undefined ? name : `--no-${exact.slice(2)}`;
}

function push(state: State, table: FlagTable, flag: Flag): void {
  if (state.spec.negates === true) undo(state, table, flag.name);
  const places = state.inForce.get(flag.name);
  if (places === undefined) state.inForce.set(flag.name, [state.flags.length]);
  else places.push(state.flags.length);
  state.flags.push(flag);
  if (table.ends.has(flag.name)) state.ended = true;
}

/** Takes out the flags that this one undoes. */
function undo(state: State, table: FlagTable, name: string): void {
  const long = table.same.get(name)?.find((other) => other.startsWith('--')) ?? name;
  const opposite = name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${long.replace(/^--?/, '')}`;
  for (const undone of [opposite, ...(table.same.get(opposite) ?? [])]) drop(state, undone);
}

function drop(state: State, name: string): void {
  for (const place of state.inForce.get(name) ?? []) state.flags[place] = undefined;
  state.inForce.delete(name);
}

/** What is left of a call for help: the flag that asks for it. What may be `--` leaves open whether it is a flag. */
export function withoutWordsBesideHelp(
  parsed: ParsedArguments,
  levels: readonly ProgramSpec[],
): ParsedArguments {
  if (parsed.openEnded || parsed.flags.length === 0) return parsed;
  const asking = levels.map((level) => tableOf(level).help).filter((help) => help.size > 0);
  if (asking.length === 0) return parsed;
  const isHelp = (name: string) => asking.some((help) => help.has(name));
  // Right behind a flag that the tables do not have it may be the value of that: `--description -h`.
  const open = new Set(
    parsed.flags.filter((flag) => mayTakeNext(flag, levels) && !isHelp(flag.name)).map(({ arg }) => arg),
  );
  const asked = parsed.flags.filter(({ name, arg }) => isHelp(name) && !open.has(arg - 1));
  if (asked.length === 0) return parsed;
  // Settings in front of the subcommand may say what shows the help: `git -c man.x.cmd=…`.
  const front = parsed.subcommands > 0 ? (parsed.operands[0]?.arg ?? 0) : 0;
  const flags = parsed.flags.filter((flag) => asked.includes(flag) || flag.arg < front);
  return { flags, operands: [], subcommands: 0, uncertain: [], openEnded: false };
}

/** Is it a flag without a value that no table has, of a program whose flags are not all known? */
function mayTakeNext({ name, written, value }: Flag, levels: readonly ProgramSpec[]): boolean {
  if (value !== undefined || written.includes('=') || levels.some(({ long }) => long !== undefined))
    return false;
  return name.startsWith('--') || !levels.some((level) => spellingsIn(level, name).length > 0);
}

/** Is one of these flags in force? */
export function hasFlag(parsed: ParsedArguments, ...names: readonly string[]): boolean {
  return parsed.flags.some((flag) => names.includes(flag.name));
}

/** The value of the last of these flags, undefined if there is none. */
export function flagValue(parsed: ParsedArguments, ...names: readonly string[]): Word | undefined {
  return parsed.flags.findLast((flag) => names.includes(flag.name))?.value;
}

/** The word that a flag's value stands in: the next one, or the flag's own. */
export function valueArgument(args: readonly Arg[], flag: Flag): Arg | undefined {
  const next = args[flag.arg + 1];
  return next !== undefined && next.word === flag.value ? next : args[flag.arg];
}

/** A flag's value as an argument of its own. */
export function valueAsArgument(args: readonly Arg[], flag: Flag, span: Span): Arg {
  const arg = valueArgument(args, flag);
  const isWhole = arg !== undefined && arg.word === flag.value;
  return { word: flag.value ?? EMPTY_WORD, span: arg?.span ?? span, at: isWhole ? arg.at : undefined };
}
