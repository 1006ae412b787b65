import type { ProgramRow } from '../../../model/program-row.ts';
import type { Flag } from '../../reading/reading.ts';
import { EMPTY_WORD, knownText, leadingText, textWord, type Word, wordFrom } from '../../reading/word.ts';
import type { Arg, Operand, ParsedArguments } from '../../shell/scope/interpreter.ts';
import { otherSpellingsIn, type RowTable, rowTable, subcommandRow } from '../spec/row-table.ts';

/** The flag with which all programs that start others name a file of variables for those. */
export const LOADED_FILE = '--env-file';
const UNKNOWN_PROGRAM: ProgramRow = { flags: [`${LOADED_FILE}=`] };

interface State {
  row: ProgramRow;
  /** In order; undefined where a later flag has undone one. */
  readonly flags: (Flag | undefined)[];
  /** The positions of the flags in force, by name, so that undoing one takes no look at the others. */
  readonly inForce: Map<string, number[]>;
  readonly operands: Operand[];
  subcommands: number;
  /** Flags that no row has, read as ones with a value. */
  readonly assumed: ReadonlySet<string>;
  /** The flag without a value that no row has, right before the present word. */
  unknownFlag: string | undefined;
  readonly mayBeValues: MayBeValue[];
  openEnded: boolean;
  /** True after `--`, or after the first operand of a program that runs another. */
  ended: boolean;
}

/** An operand behind a flag that no row has: it may be the value of the flag. */
interface MayBeValue {
  readonly operand: number;
  readonly flag: string;
}

/** How many flags that no row has are read as ones with a value. */
const MAX_ASSUMED = 4;

/** Parses arguments by the program's row. An unknown flag takes the next word if only that makes the one after it a subcommand. */
export function parseArguments(args: readonly Arg[], row: ProgramRow | undefined): ParsedArguments {
  const assumed = new Set<string>();
  for (;;) {
    const state = parseOnce(args, row, assumed);
    const flag = row?.subcommands === undefined ? undefined : flagBeforeSubcommand(state);
    if (flag === undefined || assumed.has(flag) || assumed.size >= MAX_ASSUMED) return resultOf(state, row);
    assumed.add(flag);
  }
}

function flagBeforeSubcommand({ row, operands, subcommands, mayBeValues }: State): string | undefined {
  const value = mayBeValues.find(({ operand }) => operand === subcommands);
  const next = knownText(operands[subcommands + 1]?.word ?? EMPTY_WORD) ?? '';
  return row.subcommands !== undefined && Object.hasOwn(row.subcommands, next) ? value?.flag : undefined;
}

function resultOf(
  { operands, subcommands, openEnded, flags, mayBeValues }: State,
  row: ProgramRow | undefined,
): ParsedArguments {
  // Rows know the flags of their programs, but for those that take no value.
  const uncertain = row === undefined ? mayBeValues.map(({ operand }) => operand) : [];
  return { flags: flags.filter((flag) => flag !== undefined), operands, subcommands, uncertain, openEnded };
}

function parseOnce(args: readonly Arg[], row: ProgramRow | undefined, assumed: ReadonlySet<string>): State {
  const state: State = {
    row: row ?? UNKNOWN_PROGRAM,
    flags: [],
    inForce: new Map(),
    operands: [],
    subcommands: 0,
    assumed,
    unknownFlag: undefined,
    mayBeValues: [],
    openEnded: false,
    ended: row?.style === 'none',
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at]?.word ?? EMPTY_WORD;
    if (word.some((part) => part.type === 'unknown' && part.splits)) state.openEnded = true;
    const lead = leadingText(word);
    const { unknownFlag } = state;
    state.unknownFlag = undefined;
    if (unknownFlag !== undefined && !state.ended && isOperand(state.row, lead, word))
      state.mayBeValues.push({ operand: state.operands.length, flag: unknownFlag });
    if (state.ended || isOperand(state.row, lead, word)) addOperand(state, word, at);
    else if (lead === '--' && word.length === 1) {
      if (state.row.implied !== undefined) addOperand(state, textWord(state.row.implied), at);
      state.ended = !awaitsSubcommand(state);
    } else at = addFlags(state, args, at, word, lead);
  }
  return state;
}

/** A switch of Windows: `/s`, `/a:h`, `/grant:r`, and `//s` as Git Bash wants it. */
const SWITCH = /^\/{1,2}([a-z]+)(?::\S*)?$/i;

/** Its name, in any letter case; longer ones are paths unless the row lists them. */
function switchName(row: ProgramRow, lead: string, word: Word): string | undefined {
  const [, letters] = (row.switches === true ? SWITCH.exec(lead) : undefined) ?? [];
  if (letters === undefined || (word.length > 1 && !lead.includes(':'))) return undefined;
  const name = `/${letters.toLowerCase()}`;
  return letters.length === 1 || rowTable(row).flags.has(name) ? name : undefined;
}

function isOperand(row: ProgramRow, lead: string, word: Word): boolean {
  if (switchName(row, lead, word) !== undefined) return false;
  if (!lead.startsWith('-') || (lead === '-' && word.length === 1)) return true;
  return row.dashed_operand !== undefined && rowTable(row).dashedOperand?.test(lead) === true;
}

/** A `--` before the subcommand says nothing about the flags of the subcommand. */
function awaitsSubcommand({ row, operands }: State): boolean {
  return row.subcommands !== undefined && operands.length === 0;
}

function addOperand(state: State, word: Word, arg: number): void {
  const { row } = state;
  // `cargo +nightly publish`: a toolchain, and no subcommand.
  if (awaitsSubcommand(state) && /^\+./.test(leadingText(word))) {
    push(state, { name: '+', written: '+', value: wordFrom(word, 1), arg });
    return;
  }
  state.operands.push({ word, arg });
  const name = state.operands.length === state.subcommands + 1 ? knownText(word) : undefined;
  const next = name === undefined ? undefined : subcommandRow(row, name);
  if (next !== undefined) {
    state.row = next;
    state.subcommands++;
    if (next.style === 'none') state.ended = true;
  } else if (row.flags_first ?? row.runs !== undefined) state.ended = true;
}

/** Adds the flags of one word; returns the index of the last word it took. */
function addFlags(state: State, args: readonly Arg[], at: number, word: Word, lead: string): number {
  const table = rowTable(state.row);
  const named = switchName(state.row, lead, word);
  if (named !== undefined) {
    const last = at + (table.flags.get(named)?.takes === '=' ? 1 : 0);
    push(state, { name: named, written: lead, value: last > at ? args[last]?.word : undefined, arg: at });
    return Math.min(last, args.length);
  }
  const isWhole = table.whole?.test(lead) === true || /^-[0-9]+$/.test(lead);
  const whole = lead.startsWith('--') || state.row.style === 'long-dash' || isWhole;
  if (!whole) return addBundle(state, table, args, at, word, lead);
  const equals = lead.indexOf('=');
  const written = equals < 0 ? lead : lead.slice(0, equals);
  const name = complete(written, table, state.row);
  if (equals >= 0) {
    const value = wordFrom(word, equals + 1);
    const isOff = switchesOff(state.row, value) && table.flags.get(name)?.takes !== '=';
    if (isOff) drop(state, name);
    else push(state, { name, written, value, arg: at });
    return at;
  }
  const next = knownText(args[at + 1]?.word ?? EMPTY_WORD);
  const kind = table.flags.get(name)?.takes;
  const takes =
    word.length === 1 &&
    (kind === '=' || kind === '==' || state.assumed.has(name) || isWorded(state.row, name, next));
  if (!takes && word.length === 1 && !isListed(state.row, table, name)) state.unknownFlag = name;
  const last = takes ? at + (kind === '==' ? 2 : 1) : at;
  push(state, { name, written, value: takes ? args[last]?.word : undefined, arg: at });
  return Math.min(last, args.length);
}

/** True if the row says more of a flag than that there is one of this spelling. */
function isListed({ ends, help }: ProgramRow, { flags, long }: RowTable, name: string): boolean {
  const flag = flags.get(name);
  return (
    (flag !== undefined && (flag.takes === '?' || flag.spellings.length > 1 || flag.role !== undefined)) ||
    [long, ends, help].some((list) => list?.includes(name) === true)
  );
}

/** True if the next word can only be a value of this flag. */
function isWorded({ worded }: ProgramRow, name: string, next: string | undefined): boolean {
  if (worded === undefined || next === undefined || !Object.hasOwn(worded, name)) return false;
  return worded[name]?.includes(next) === true;
}

/** True for a value with which a flag that takes none is not in force. */
function switchesOff({ off }: ProgramRow, value: Word | undefined): boolean {
  return off !== undefined && value !== undefined && off.includes(knownText(value) ?? '');
}

/** How many letters of one word are each a flag of their own. */
const LONG_BUNDLE = 256;

/** `-rf`, `-n5`, `-o file`. */
function addBundle(
  state: State,
  table: RowTable,
  args: readonly Arg[],
  at: number,
  word: Word,
  lead: string,
): number {
  for (let index = 1; index < lead.length; index++) {
    const name = `-${lead[index] ?? ''}`;
    const last = index === lead.length - 1 && word.length === 1;
    const kind = table.flags.get(name)?.takes;
    if (kind === '=' || (last && state.assumed.has(name))) {
      push(state, {
        name,
        written: lead,
        value: last ? args[at + 1]?.word : wordFrom(word, index + 1),
        arg: at,
      });
      return last ? at + 1 : at;
    }
    if (kind === '?' || lead[index + 1] === '=') {
      const value = last ? undefined : wordFrom(word, index + (lead[index + 1] === '=' ? 2 : 1));
      if (lead[index + 1] === '=' && switchesOff(state.row, value)) drop(state, name);
      else push(state, { name, written: lead, value, arg: at });
      return at;
    }
    // So many letters repeat each other: one that is in force already changes nothing.
    if (index < LONG_BUNDLE || !state.inForce.has(name))
      push(state, { name, written: lead, value: undefined, arg: at });
    if (last && !isListed(state.row, table, name)) state.unknownFlag = name;
  }
  if (word.length > 1) state.openEnded = true;
  return at;
}

/** The full name of a long flag that is abbreviated without doubt. */
function complete(name: string, table: RowTable, row: ProgramRow): string {
  const { long } = table;
  if (long === undefined || !name.startsWith('--') || long.includes(name)) return name;
  const candidates = long.filter((flag) => flag.startsWith(name));
  if (candidates.length === 1) return candidates[0] ?? name;
  if (row.negates !== true || !name.startsWith('--no-')) return name;
  const positive = `--${name.slice(5)}`;
  const negated = long.filter((flag) => flag.startsWith(positive));
  const exact = negated.includes(positive) ? positive : negated.length === 1 ? negated[0] : undefined;
  return exact === undefined ? name : `--no-${exact.slice(2)}`;
}

function push(state: State, flag: Flag): void {
  if (state.row.negates === true) undo(state, flag.name);
  const places = state.inForce.get(flag.name);
  if (places === undefined) state.inForce.set(flag.name, [state.flags.length]);
  else places.push(state.flags.length);
  state.flags.push(flag);
  if (state.row.ends?.includes(flag.name) === true) state.ended = true;
}

/** Takes out the flags that this one undoes. */
function undo(state: State, name: string): void {
  const { row } = state;
  const others = otherSpellingsIn(row, name);
  const long = others.find((other) => other.startsWith('--')) ?? name;
  const opposite = name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${long.replace(/^--?/, '')}`;
  for (const undone of [opposite, ...otherSpellingsIn(row, opposite)]) drop(state, undone);
}

function drop(state: State, name: string): void {
  for (const place of state.inForce.get(name) ?? []) state.flags[place] = undefined;
  state.inForce.delete(name);
}
