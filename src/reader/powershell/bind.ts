import type { ProgramRow } from '../../model/program-row.ts';
import { type RowFlag, readFlag } from '../programs/spec/row-table.ts';
import type { Span } from '../reading/reading.ts';
import { knownText, leadingText, textWord, type Word } from '../reading/word.ts';
import type { Arg } from '../shell/scope/interpreter.ts';
import type { Value } from './state.ts';
import { isPathLike, knownValue } from './values.ts';
import { windowsPath } from './windows-path.ts';

/** A word of a command with its value. */
export interface Argument {
  /** `-Name` as written. */
  readonly parameter: string | undefined;
  /** The value after `-Name:`. */
  readonly given: Value | undefined;
  readonly value: Value;
  readonly isBare: boolean;
  readonly span: Span;
}

/** The words of a cmdlet by its parameters. */
export interface Bound {
  /** The words in one order, however they were written: flags by their full names, then words by position. */
  readonly args: readonly Arg[];
  /** By position. */
  readonly slots: readonly Value[];
  /** By the full name in small letters; undefined for a switch. */
  readonly named: ReadonlyMap<string, Value | undefined>;
  /** True if the pipeline gives one of the words. */
  readonly takesInput: boolean;
}

/** The parameters of every cmdlet, with `=` if they take a value. */
const COMMON = (
  '-Verbose,-vb -Debug,-db -ErrorAction,-ea= -WarningAction,-wa= -InformationAction,-infa= -ProgressAction,-proga= ' +
  '-ErrorVariable,-ev= -WarningVariable,-wv= -InformationVariable,-iv= -OutVariable,-ov= -OutBuffer,-ob= ' +
  '-PipelineVariable,-pv= -WhatIf,-wi -Confirm,-cf'
)
  .split(' ')
  .flatMap((written) => readFlag(written) ?? []);

const PATH_ROLES: ReadonlySet<string | undefined> = new Set(
  'read list write append delete execute into move edit'.split(' '),
);
const LITERAL = /^-(?:literalpath|pspath|lp|filepath|outfile|destination|destinationpath|value|newname)$/;

const flagsOf = new WeakMap<ProgramRow, readonly RowFlag[]>();

function rowFlags(row: ProgramRow): readonly RowFlag[] {
  const made = flagsOf.get(row) ?? (row.flags ?? []).flatMap((written) => readFlag(written) ?? []);
  flagsOf.set(row, made);
  return made;
}

interface Found {
  readonly flag: RowFlag;
  readonly spelling: string;
}

/** The parameter with this name or its abbreviation; if several fit, switches come first. */
export function parameterOf(row: ProgramRow, written: string): Found | undefined {
  const name = written.toLowerCase();
  const own: Found[] = [];
  for (const flag of [...rowFlags(row), ...COMMON])
    for (const spelling of flag.spellings) {
      const lower = spelling.toLowerCase();
      if (lower === name) return { flag, spelling: lower };
      if (lower.startsWith(name)) own.push({ flag, spelling: lower });
    }
  return own.find(({ flag }) => flag.takes === '') ?? own[0];
}

/** The parameters for words without a name: the first ones with values, one for each role of an operand. */
function positionsOf(row: ProgramRow): readonly RowFlag[] {
  return rowFlags(row)
    .filter(({ takes }) => takes === '=')
    .slice(0, row.operands?.length ?? 0);
}

export function bind(
  row: ProgramRow,
  given: readonly Argument[],
  piped: Value | undefined,
  looksOnly: boolean,
  bindsObjects: boolean,
): Bound {
  const positions = positionsOf(row);
  const slots: (Word[] | undefined)[] = positions.map(() => undefined);
  const spans: (Span | undefined)[] = [];
  const named = new Map<string, Value | undefined>();
  const args: Arg[] = [];
  const loose: Argument[] = [];
  const span = given[0]?.span ?? { start: 0, end: 0 };
  const flagArg = (text: string, at: Span) => args.push({ word: textWord(text), span: at });
  for (let index = 0; index < given.length; index++) {
    const argument = given[index];
    if (argument === undefined) continue;
    const found = argument.parameter === undefined ? undefined : parameterOf(row, argument.parameter);
    if (found === undefined) {
      if (argument.parameter === undefined) loose.push(argument);
      else if (isOff(argument.given)) continue;
      else {
        flagArg(argument.parameter, argument.span);
        if (argument.given !== undefined)
          loose.push({ ...argument, parameter: undefined, value: argument.given });
      }
      continue;
    }
    const { flag, spelling } = found;
    const [name = ''] = flag.spellings;
    if (flag.takes !== '=') {
      if (isOff(argument.given)) continue;
      named.set(name.toLowerCase(), undefined);
      if (name !== '-Confirm') flagArg(name, argument.span);
      continue;
    }
    const next = argument.given === undefined ? given[++index] : undefined;
    const value = argument.given ?? next?.value ?? [];
    const words = pathWords(flag, spelling, value);
    named.set(name.toLowerCase(), words);
    const slot = positions.indexOf(flag);
    if (slot >= 0) {
      slots[slot] = [...words];
      spans[slot] = argument.span;
    } else if (!COMMON.includes(flag))
      for (const word of words) {
        flagArg(name, argument.span);
        args.push({ word, span: argument.span });
      }
  }
  const free = positions.map((_, slot) => slot).filter((slot) => slots[slot] === undefined);
  const [firstRest] = row.operands ?? [];
  const isMany = positions.length === 1 && typeof firstRest === 'string' && firstRest.startsWith('...');
  const rest = (row.operands ?? []).findIndex((role) => typeof role === 'string' && role.startsWith('...'));
  const restSlot = rest >= 0 && rest < positions.length ? rest : undefined;
  for (const argument of loose) {
    const slot = (free.length > 1 || !isMany ? free.shift() : free[0]) ?? restSlot;
    const flag = slot === undefined ? undefined : positions[slot];
    if (slot === undefined || flag === undefined) {
      for (const word of argument.value) args.push({ word: word, span: argument.span });
      continue;
    }
    const own = slots[slot] ?? [];
    own.push(...pathWords(flag, flag.spellings[0] ?? '', argument.value));
    slots[slot] = own;
    spans[slot] = argument.span;
  }
  const pathSlot = positions.findIndex(({ role }) => PATH_ROLES.has(role) && role !== 'into');
  let takesInput = false;
  const flag = positions[pathSlot];
  if (piped !== undefined && flag !== undefined && slots[pathSlot] === undefined && takesPaths(row, piped)) {
    slots[pathSlot] = [...pathWords(flag, '-literalpath', piped)];
    takesInput = true;
  }
  const [firstFlag] = positions;
  if (
    piped !== undefined &&
    bindsObjects &&
    pathSlot < 0 &&
    firstFlag !== undefined &&
    slots[0] === undefined
  ) {
    slots[0] = [...piped];
    takesInput = true;
  }
  if (looksOnly) flagArg('-WhatIf', span);
  const operands: Arg[] = [];
  let isGap = false;
  slots.forEach((value, slot) => {
    const flagName = positions[slot]?.spellings[0] ?? '';
    if (value === undefined) isGap = true;
    for (const word of value ?? []) {
      if (isGap) args.push({ word: textWord(flagName), span: spans[slot] ?? span });
      (isGap ? args : operands).push({ word, span: spans[slot] ?? span });
    }
  });
  const needsDashes = operands.some(({ word }) => leadingText(word).startsWith('-'));
  const dashes: Arg[] = needsDashes ? [{ word: textWord('--'), span }] : [];
  return {
    args: [...args, ...dashes, ...operands],
    slots: slots.map((value) => value ?? []),
    named,
    takesInput,
  };
}

/** False for a cmdlet that takes texts and paths, if the pipeline gives it texts, which it searches instead of opening files. */
function takesPaths(row: ProgramRow, piped: Value): boolean {
  const isSearch = row.operands?.[0] === 'text';
  return !isSearch || piped.every((word) => isPathLike(word) && knownText(word)?.includes('\n') !== true);
}

function isOff(value: Value | undefined): boolean {
  return value !== undefined && /^(?:false|0)$/i.test(knownValue(value) ?? '');
}

function pathWords({ role }: RowFlag, spelling: string, value: Value): Value {
  if (!PATH_ROLES.has(role)) return value;
  return value.map((word) => windowsPath(word, !LITERAL.test(spelling.toLowerCase())));
}
