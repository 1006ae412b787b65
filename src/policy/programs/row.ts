import type { Json } from '../../lib/json.ts';
import type { CompiledRow } from '../../model/compiled-row.ts';
import { CONSEQUENCE_KINDS, type ConsequenceKind } from '../../model/consequences.ts';
import type { Consequences, NetworkUse, ProgramSpec, Role } from '../../model/program-spec.ts';
import type { WrapperSpec } from '../../model/wrapper-spec.ts';

type NetworkWords = Readonly<Partial<Record<NetworkUse | 'none', readonly string[]>>>;

/** What a program runs besides itself, as it is written in a row. */
export interface RunsRow {
  readonly flags?: readonly string[];
  readonly style?: keyof typeof DASHES;
  readonly skip?: number;
  readonly assignments?: boolean;
  readonly privileged?: boolean;
  readonly remote?: boolean;
  readonly script?: readonly string[];
  readonly joined?: boolean;
  readonly scripts?: boolean;
  readonly after?: '--';
  readonly behind?: readonly string[];
  readonly writes?: readonly string[];
  readonly flags_after?: boolean;
  readonly directory?: readonly string[];
  readonly becomes?: Readonly<Record<string, string>>;
  readonly harmless?: readonly string[];
  readonly same_shell?: boolean;
  readonly shell?: boolean;
  readonly input?: readonly string[];
  readonly subcommands?: Readonly<Record<string, RunsRow>>;
}

/** An operand with the flags that stand in for it. */
interface OperandRow {
  readonly role: string;
  readonly unless: readonly string[];
}

/** A value, several, or tests by value. */
type ConsequenceRow = string | readonly string[] | Readonly<Record<string, Json>>;

/** What a program does with its words, as it is written in `programs/*.yaml`. The schema describes the keys. */
export interface ProgramRow extends Readonly<Partial<Record<ConsequenceKind, ConsequenceRow>>> {
  readonly flags?: readonly string[];
  readonly style?: keyof typeof DASHES;
  readonly abbreviates?: true;
  readonly negates?: true;
  readonly worded?: Readonly<Record<string, readonly string[]>>;
  readonly whole?: string;
  readonly dashed_operand?: string;
  readonly flags_first?: boolean;
  readonly flags_anywhere?: true;
  readonly off?: readonly string[];
  readonly implied?: string;
  readonly ends?: readonly string[];
  readonly operands?: readonly (string | OperandRow)[];
  readonly fallback?: string;
  readonly recursive?: true | readonly string[];
  readonly in_place?: readonly string[];
  readonly spreads?: true | readonly string[];
  readonly bars?: true | { readonly unless: string };
  readonly edits?: true | readonly string[];
  readonly append?: readonly string[];
  readonly quiet?: readonly string[];
  readonly speaks?: readonly string[];
  readonly harmless?: readonly string[];
  readonly harmless_alone?: true;
  readonly help?: readonly string[];
  readonly dry_run?: readonly string[];
  readonly scheme?: string;
  readonly network?: NetworkUse | 'none' | NetworkWords;
  readonly network_with?: Readonly<Partial<Record<NetworkUse, readonly string[]>>>;
  readonly offline?: readonly string[];
  readonly environment?: {
    readonly places?: readonly string[];
    readonly port?: string;
    readonly flags?: string;
  };
  readonly secret_last?: readonly string[];
  readonly secret_prefix?: readonly string[];
  readonly secret_input?: true | readonly string[];
  readonly sends_input?: true;
  readonly prints?: 'own' | 'made';
  readonly prints_settings?: true | readonly string[];
  readonly runs?: RunsRow;
  readonly subcommands?: Readonly<Record<string, ProgramRow>>;
}

const DASHES = { bundle: 'bundle', 'long-dash': 'word', none: 'none' } as const;

/** Which of a flag's characters say that it takes a value: `--out=`, two: `--bind==`, in its own word: `-i?`; then a role. */
export const FLAG = /^([^=?\s]+)(?:(==?|\?)([a-z-]*))?$/;

/** `a | b`: names that share a row. */
export function namesOf(key: string): readonly string[] {
  return key.split(' | ');
}

/** What a row of the schema's shape says, for the reading. */
export function compileRow(row: ProgramRow): CompiledRow {
  const spec = specOf(row);
  return row.runs === undefined ? { spec } : { spec, runs: runsOf(row.runs, row) };
}

/** What subcommands take over from a row whose flags may stand behind them. */
type Inherited = Pick<ProgramRow, 'flags' | 'style' | 'off' | 'abbreviates' | 'flags_anywhere'>;

function specOf(own: ProgramRow, { flags: around = [], ...inherited }: Inherited = {}): ProgramSpec {
  const row = {
    ...inherited,
    ...own,
    flags: [...(own.flags ?? []), ...unlessNamed(around, own.flags ?? [])],
  };
  const { first, rest, last, firstUnless, lastUnless } = operandsOf(row.operands ?? []);
  return defined({
    ...flagsOf(row.flags ?? [], row.abbreviates === true),
    dashes: row.style === undefined ? undefined : DASHES[row.style],
    negates: row.negates,
    worded: row.worded === undefined ? undefined : mapValues(row.worded, (words) => words.join(' ')),
    whole: row.whole,
    dashedOperand: row.dashed_operand,
    // What follows the first operand of a program that runs others is theirs.
    stops: row.flags_first ?? (row.runs === undefined ? undefined : true),
    off: joined(row.off),
    implied: row.implied,
    ends: joined(row.ends),
    first,
    rest,
    last,
    firstUnless,
    lastUnless,
    fallback: row.fallback,
    recursive: row.recursive === true ? true : joined(row.recursive),
    inPlace: joined(row.in_place),
    spreads: row.spreads === true ? true : joined(row.spreads),
    bars: row.bars,
    edits: row.edits === true ? true : joined(row.edits),
    appends: joined(row.append),
    printsNothing: joined(row.quiet),
    speaks: joined(row.speaks),
    harmless: joined(row.harmless),
    harmlessAlone: row.harmless_alone,
    help: joined(row.help),
    looks: joined(row.dry_run),
    scheme: row.scheme,
    network:
      typeof row.network === 'object' ? mapValues(row.network, (words) => words.join(' ')) : row.network,
    networkWith:
      row.network_with === undefined ? undefined : mapValues(row.network_with, (words) => words.join(' ')),
    offline: joined(row.offline),
    placeVariables: joined(row.environment?.places),
    portVariable: row.environment?.port,
    flagsVariable: row.environment?.flags,
    secretLast: joined(row.secret_last),
    secretPrefix: joined(row.secret_prefix),
    secretInput: row.secret_input === true ? true : joined(row.secret_input),
    sendsInput: row.sends_input,
    output: row.prints,
    printsSettings: row.prints_settings === true ? true : joined(row.prints_settings),
    consequences: consequencesOf(row),
    subcommands:
      row.subcommands === undefined
        ? undefined
        : subcommandsOf(nested(row.subcommands), (sub) => specOf(sub, passedOn(row))),
  });
}

function passedOn({ flags_anywhere, flags, style, off, abbreviates }: ProgramRow): Inherited {
  return flags_anywhere === true ? defined({ flags_anywhere, flags, style, off, abbreviates }) : {};
}

/** Flags without those of which a spelling is another flag's name already. */
function unlessNamed(flags: readonly string[], own: readonly string[]): readonly string[] {
  const spellingsOf = (flag: string) => (FLAG.exec(flag)?.[1] ?? flag).split(',');
  const taken = new Set(own.flatMap(spellingsOf));
  return flags.filter((flag) => !spellingsOf(flag).some((spelling) => taken.has(spelling)));
}

function consequencesOf(row: ProgramRow): Consequences | undefined {
  const found = CONSEQUENCE_KINDS.flatMap((kind) => {
    const spec = row[kind];
    return spec === undefined ? [] : [[kind, valuesOf(spec)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function valuesOf(spec: ConsequenceRow): Readonly<Record<string, true | readonly Json[]>> {
  if (typeof spec === 'string') return { [spec]: true };
  if (Array.isArray(spec)) return Object.fromEntries(spec.map((value: string) => [value, true] as const));
  return Object.fromEntries(
    Object.entries(spec).map(([value, tests]) => [value, Array.isArray(tests) ? tests : [tests]] as const),
  );
}

function runsOf(runs: RunsRow, { flags, style }: Pick<ProgramRow, 'flags' | 'style'>): WrapperSpec {
  const { values, pairs, attached } = flagsOf(runs.flags ?? flags ?? [], false);
  const dashes = runs.style ?? style;
  return defined({
    values,
    pairs,
    attached,
    dashes: dashes === undefined ? undefined : DASHES[dashes],
    skip: runs.skip,
    assignments: runs.assignments,
    privileged: runs.privileged,
    remote: runs.remote,
    script: joined(runs.script),
    joins: runs.joined,
    scripts: runs.scripts,
    afterDashes: runs.after === undefined ? undefined : true,
    from: joined(runs.behind),
    writes: joined(runs.writes),
    flagsAfter: runs.flags_after,
    directory: joined(runs.directory),
    becomes: runs.becomes,
    harmless: joined(runs.harmless),
    sameShell: runs.same_shell,
    shell: runs.shell,
    inputFlags: joined(runs.input),
    subcommands:
      runs.subcommands === undefined
        ? undefined
        : subcommandsOf(runs.subcommands, (sub) => runsOf(sub ?? {}, {})),
  });
}

function flagsOf(flags: readonly string[], abbreviates: boolean): ProgramSpec {
  const values: string[] = [];
  const pairs: string[] = [];
  const attached: string[] = [];
  const plain: string[] = [];
  const roles: Record<string, Role> = {};
  for (const flag of flags) {
    const [, spellings = flag, kind, role] = FLAG.exec(flag) ?? [];
    (kind === '==' ? pairs : kind === '=' ? values : kind === '?' ? attached : plain).push(spellings);
    if (role !== undefined && role !== '') roles[spellings.split(',')[0] ?? spellings] = role as Role;
  }
  return defined({
    values: listed(values),
    pairs: listed(pairs),
    attached: listed(attached),
    long: abbreviates ? plain.join(' ') : undefined,
    same: abbreviates ? undefined : listed(plain),
    flags: Object.keys(roles).length === 0 ? undefined : roles,
  });
}

/** `[text, ...read, write]`: the first operands, the others, and the last of two or more. */
function operandsOf(operands: readonly (string | OperandRow)[]): ProgramSpec {
  const rows = operands.map((operand) =>
    typeof operand === 'string' ? { role: operand, unless: undefined } : operand,
  );
  const at = rows.findIndex(({ role }) => role.startsWith('...'));
  const first = at < 0 ? rows : rows.slice(0, at);
  const last = at < 0 ? undefined : rows[at + 1];
  return defined({
    first: first.length === 0 ? undefined : first.map(({ role }) => role as Role),
    firstUnless: joined(first[0]?.unless),
    rest: at < 0 ? undefined : (rows[at]?.role.slice(3) as Role),
    last: last?.role as Role | undefined,
    lastUnless: joined(last?.unless),
  });
}

type Rows = Readonly<Record<string, ProgramRow>>;

/** Subcommands by their first words: `server delete` is the `delete` of `server`. */
function nested(rows: Rows): Rows {
  const found = new Map<string, ProgramRow>();
  for (const [key, row] of Object.entries(rows)) {
    for (const name of namesOf(key)) {
      const [first = name, ...rest] = name.split(' ');
      const now = rest.length === 0 ? row : { subcommands: { [rest.join(' ')]: row } };
      found.set(first, merged(found.get(first) ?? {}, now));
    }
  }
  return Object.fromEntries(found);
}

/** Two parts of one row: `rm: {flags: [-r]}` and `rm cache: {}`. */
function merged(a: ProgramRow, b: ProgramRow): ProgramRow {
  if (a.subcommands === undefined || b.subcommands === undefined) return { ...a, ...b };
  const subcommands = new Map(Object.entries(nested(a.subcommands)));
  for (const [name, row] of Object.entries(nested(b.subcommands)))
    subcommands.set(name, merged(subcommands.get(name) ?? {}, row));
  return { ...a, ...b, subcommands: Object.fromEntries(subcommands) };
}

function subcommandsOf<Row, Spec>(
  rows: Readonly<Record<string, Row>>,
  compile: (row: Row) => Spec,
): Readonly<Record<string, Spec>> {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([key, row]) => namesOf(key).map((name) => [name, compile(row)] as const)),
  );
}

function joined(words: readonly string[] | undefined): string | undefined {
  return words?.join(' ');
}

function listed(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(' ');
}

function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Without the keys that say nothing, as JSON leaves them out. */
function defined<T extends object>(object: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
