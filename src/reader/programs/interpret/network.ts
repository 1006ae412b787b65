import { own } from '../../../lib/json.ts';
import type { NetworkUse, ProgramRow } from '../../../model/program-row.ts';
import type { Role } from '../../../model/roles.ts';
import type { ReadCommand } from '../../reading/reading.ts';
import { EMPTY_WORD, knownText, leadingText, showWord, type Word, wordFrom } from '../../reading/word.ts';
import { addPlace, sendText, setPort } from '../../shell/run/network-effects.ts';
import type { Call, CommandBuilder } from '../../shell/scope/interpreter.ts';
import { flagRole, rowTable } from '../spec/row-table.ts';
import { argumentSpan } from './effects-of-words.ts';
import { hasFlag, keyHolds } from './flags.ts';

/** Completes a command's network effects once its own words and its reader have added theirs. */
export function finishNetwork(call: Call, levels: readonly [ProgramRow, ...ProgramRow[]]): void {
  const [program] = levels;
  const { command } = call;
  const use = mayUseNetwork(program) ? useOf(call, levels) : undefined;
  if (use !== undefined && !isLocalDestination(call, levels))
    addDestinations(call, use, program.scheme ?? 'http');
  addOwnVariables(call, program);
  if (!command.effects.some(({ type }) => type === 'network')) return;
  addPlaceVariables(command);
  setPort(command, portOf(call, levels) ?? variable(command, program.environment?.port));
  if (program.sends_input === true) sendText(command, command.input);
}

const talkers = new WeakMap<ProgramRow, boolean>();

/** True if the row of a program, or of one of its subcommands, goes to the network. Kept: nearly none does. */
export function mayUseNetwork(row: ProgramRow): boolean {
  let goes = talkers.get(row);
  if (goes === undefined) {
    const { network, network_with, subcommands = {} } = row;
    goes = (network ?? network_with) !== undefined || Object.values(subcommands).some(mayUseNetwork);
    talkers.set(row, goes);
  }
  return goes;
}

/** `https_proxy=… curl …`: variables may lead it to another place than its words do. */
function addPlaceVariables(command: CommandBuilder): void {
  for (const { name, value } of command.assignments) {
    const isSocket = /^(?:unix|npipe|file):/i.test(leadingText(value));
    if (PLACE_VARIABLES.test(name) && value.length > 0 && !isSocket && knownText(value) !== 'direct')
      addPlace(command, 'connect', value, 'http', command.span);
  }
}

/** `PGHOST=… psql`: variables that one program goes by. */
function addOwnVariables({ command, parsed }: Call, { environment, scheme = 'http' }: ProgramRow): void {
  const places = environment?.places;
  if (places === undefined || hasFlag(parsed, '--help', '--version')) return;
  for (const name of places) {
    const value = variable(command, name);
    // A folder holds the socket of a server here.
    if (value !== undefined && value.length > 0 && !/^(?:\/|(?:unix|npipe|file):)/i.test(leadingText(value)))
      addPlace(command, 'connect', value, scheme, command.span);
  }
}

function variable({ assignments }: CommandBuilder, wanted: string | undefined): Word | undefined {
  return wanted === undefined ? undefined : assignments.findLast(({ name }) => name === wanted)?.value;
}

const USES = ['download', 'upload', 'connect'] as const satisfies readonly NetworkUse[];

/** The command's use of the network, as its rows say; undefined if it has none. */
function useOf({ parsed }: Call, levels: readonly ProgramRow[]): NetworkUse | undefined {
  let found: NetworkUse | 'none' | undefined;
  levels.forEach(({ network, network_with }, index) => {
    if ((network ?? network_with) === undefined) return;
    const byWord = typeof network === 'object' ? useOfWord(network, parsed, index) : network;
    const byFlag = USES.find((use) => keyHolds(parsed, network_with?.[use]));
    found = byFlag ?? byWord ?? found;
  });
  if (found === undefined || found === 'none' || hasFlag(parsed, '--help', '--version')) return undefined;
  const isOff = levels.some(
    ({ offline, harmless }) => keyHolds(parsed, offline) || keyHolds(parsed, harmless),
  );
  return isOff ? undefined : found;
}

type Words = Exclude<ProgramRow['network'], string | undefined>;

/** The use that a word names: one that is written out counts before one with wildcards. */
function useOfWord(
  network: Words,
  { operands, openEnded }: Call['parsed'],
  index: number,
): NetworkUse | 'none' | undefined {
  const operand = operands[index]?.word;
  if (operand === undefined && openEnded) return undefined;
  const name = operand === undefined ? '.' : (knownText(operand) ?? leadingText(operand));
  const uses = ['none', ...USES] as const;
  const fits = (word: string) => operand !== undefined && word.includes('*') && fitsGlob(word, name);
  return (
    uses.find((use) => network[use]?.includes(name) === true) ??
    uses.find((use) => network[use]?.some(fits) === true)
  );
}

/** `*` matches any characters; there is at most one at either end. */
function fitsGlob(glob: string, name: string): boolean {
  const text = glob.replace(/^\*|\*$/g, '');
  if (glob.startsWith('*')) return glob.endsWith('*') ? name.includes(text) : name.endsWith(text);
  return name.startsWith(text);
}

/** A URL at the start of a word, as package managers take them too: `git+https://…`, `name @ https://…`. */
const NAMED_URL = /^(?:[\w@/.,[\]-]+?\s*@\s*)?(?:[a-z]+\+)?(?=([a-z][a-z0-9-]*):\/\/)/i;

/** URLs among the words are where the command goes; where it names no place, it goes where it is set up to go. */
function addDestinations(call: Call, use: NetworkUse, scheme: string): void {
  const { command, parsed, span } = call;
  const known = new Set<Word>();
  command.effects = command.effects.map((effect) => {
    if (effect.type !== 'network') return effect;
    known.add(effect.target);
    return effect.use === 'connect' ? { ...effect, use } : effect;
  });
  const words = [...parsed.operands.slice(parsed.subcommands), ...parsed.flags.map(asOperand)];
  for (const { word, arg } of words) {
    const lead = leadingText(word);
    const start = NAMED_URL.exec(lead);
    if (start === null || start[1] === 'file' || known.has(word)) continue;
    const url = wordFrom(word, start[0].length);
    // A sentence that begins with a URL is none.
    if (/\s/.test(showWord(url))) continue;
    addPlace(command, use, url, scheme, argumentSpan(call, arg));
  }
  const goes = command.effects.some((effect) => effect.type === 'network' && effect.use !== 'listen');
  if (!goes) addPlace(command, use, EMPTY_WORD, scheme, span);
}

function asOperand({ value, arg }: Call['parsed']['flags'][number]): {
  readonly word: Word;
  readonly arg: number;
} {
  return { word: value ?? EMPTY_WORD, arg };
}

/** True if its destination is a folder of this machine. */
function isLocalDestination({ parsed }: Call, levels: readonly ProgramRow[]): boolean {
  const place = operandOf(parsed, levels, 'remote') ?? EMPTY_WORD;
  return /^(?:\.{1,2}(?:\/|$)|\/(?!\/)|~|file:)/i.test(leadingText(place));
}

/** The first operand that is this to a command. */
function operandOf(
  { operands, subcommands }: Call['parsed'],
  levels: readonly ProgramRow[],
  role: Role,
): Word | undefined {
  const row = levels.at(-1);
  const at = row === undefined ? -1 : rowTable(row).operands.first.indexOf(role);
  return at < 0 ? undefined : operands[subcommands + at]?.word;
}

/** The port that is in a word of its own. */
function portOf({ parsed }: Call, levels: readonly ProgramRow[]): Word | undefined {
  const flag = parsed.flags.findLast(({ name }) => flagRole(levels, name) === 'port');
  return flag?.value ?? operandOf(parsed, levels, 'port');
}

/** Variables that say where programs go on the network, or by way of which host. */
const PLACE_VARIABLES =
  /^(?:(?:https?|all|ftp)_proxy|npm_config_(?:registry|https?_proxy|proxy)|pip_(?:extra_)?index_url|pip_proxy|uv_(?:default_)?index(?:_url)?|goproxy|aws_endpoint_url(?:_\w+)?|rustup_dist_server|yarn_registry|yarn_npm_registry_server|cargo_(?:http_proxy|registries_\w+_index)|bundle_mirror__\w+|twine_repository_url|hf_endpoint|homebrew_\w+_(?:domain|git_remote)|vault_addr)$/i;

/** How deep subcommands are. */
const MAX_SUBCOMMANDS = 3;

/** True if an unknown subcommand may use the network: `git "$X"`. */
export function mayGoUnseen({
  rows,
  operands,
  openEnded,
  effects,
}: Pick<ReadCommand, 'rows' | 'operands' | 'openEnded' | 'effects'>): boolean {
  if (!openEnded && !operands.slice(0, MAX_SUBCOMMANDS).some((word) => knownText(word) === undefined))
    return false;
  if (effects.some(({ type }) => type === 'network')) return false;
  let row: ProgramRow | undefined = rows[0];
  for (let at = 0; row !== undefined && subcommandDecides(row); at++) {
    const word = operands[at];
    if (word === undefined) return openEnded;
    const known = knownText(word);
    if (known === undefined) return true;
    row = own(row.subcommands ?? {}, known);
  }
  return false;
}

/** True if the next word decides whether it goes to the network. */
function subcommandDecides({ network, subcommands = {} }: ProgramRow): boolean {
  return typeof network === 'object' || Object.values(subcommands).some(mayUseNetwork);
}
