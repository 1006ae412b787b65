import type { ProgramRow } from '../../../model/program-row.ts';
import type { Role } from '../../../model/roles.ts';
import { LIMITS } from '../../reading/bounds.ts';
import { globPieces } from '../../reading/glob-pieces.ts';
import type { Span } from '../../reading/reading.ts';
import { readRemotePath } from '../../reading/url.ts';
import {
  EMPTY_WORD,
  isDetermined,
  knownText,
  leadingText,
  originsOf,
  showWord,
  textWord,
  unknownWord,
  type Word,
  wordFrom,
} from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import type { Arg, Call, Operand } from '../../shell/scope/interpreter.ts';
import { flagRole, rowTable } from '../spec/row-table.ts';
import { addConnection } from './add-connection.ts';
import { LOADED_FILE } from './arguments.ts';
import { argumentSpan } from './effects-of-words.ts';
import { keepFetchedCopies } from './fetched-copies.ts';
import { asksForHelp, isDryRun, isHarmless, keyHolds, valueArgument } from './flags.ts';
import { noteLoadedFor } from './loaded-environment.ts';
import { addMount } from './mounts.ts';
import { isFetched, NAMES_PLACE } from './named-places.ts';
import { addPuts, type FilePlacement } from './puts.ts';
import { commandIn } from './run-configured.ts';
import { runInner } from './run-inner.ts';

export function addRowEffects(call: Call, levels: readonly [ProgramRow, ...ProgramRow[]]): void {
  const { parsed, command, interpreter } = call;
  const row = levels.at(-1) ?? levels[0];
  const has = (when: true | readonly string[] | undefined) => keyHolds(parsed, when);
  if (asksForHelp(parsed, row) || isHarmless(parsed, row)) return;
  const recursive = has(row.recursive);
  const operands = parsed.operands.slice(parsed.subcommands);
  const roles = rowTable(row).operands;
  const first = roles.first.slice(has(roles.firstUnless) ? 1 : 0);
  // `--out other`: the files that are read stay as they are.
  const writesElsewhere = parsed.flags.some(({ name }) => flagRole(levels, name) === 'write');
  const dryRun = isDryRun(parsed, levels);
  const how: How = {
    recursive,
    bars: mayBlock(row, operands[0]?.word ?? EMPTY_WORD),
    opens: row.bars !== undefined && OPEN_MODE.test(showWord(operands[0]?.word ?? EMPTY_WORD)),
    sources: wordsOf(operands.slice(first.length, -1)),
    target: has(row.in_place) ? 'name' : 'either',
    spreads: has(row.spreads),
    edits: has(row.edits) && !writesElsewhere,
    removes: has(row.removes) && !dryRun,
    append: has(row.append),
    scheme: row.scheme ?? levels[0].scheme ?? 'http',
    dryRun,
    onlyShowsNames: has(row.quiet) && !call.frame.captured,
  };
  const quiet = has(row.quiet) && !has(row.speaks);
  const unshown = (role: Role | undefined) => (role === 'read' && quiet ? 'list' : role);
  const byFlag: How = { ...how, sources: wordsOf(operands), target: 'folder', removes: false };
  for (const flag of parsed.flags) {
    const role = flag.value === undefined ? undefined : unshown(flagRole(levels, flag.name));
    if (role !== undefined && flag.value !== undefined)
      addRole(role, flag.value, valueArgument(call.args, flag), byFlag, call);
  }
  const rest = unshown(roles.rest);
  const last = has(roles.lastUnless) ? undefined : roles.last;
  operands.forEach((operand, index) => {
    const role = roleOf(index, operands.length, first, rest, last);
    if (role !== undefined) addRole(role, operand.word, call.args[operand.arg], how, call);
  });
  if (last === 'to' && !dryRun) keepFetchedCopies(call, operands.slice(first.length), how.scheme, recursive);
  if (!dryRun) addManifest(call, levels[0]);
  const used = operands.length > first.length;
  if (row.fallback !== undefined && rest !== undefined && !used && !parsed.openEnded) {
    interpreter.path(command, pathUse(rest) ?? 'read', textWord(row.fallback), { recursive });
  }
}

/** `npm install left-pad`: the file in which a project lists its packages. */
function addManifest({ parsed, command, interpreter, span }: Call, { manifest }: ProgramRow): void {
  if (manifest === undefined || keyHolds(parsed, manifest.unless)) return;
  const words = parsed.operands.map(({ word }) => showWord(word)).join(' ');
  if (!new RegExp(manifest.by).test(words)) return;
  const folder = parsed.flags.find(({ name }) => manifest.folder?.includes(name))?.value;
  const path = folder === undefined ? textWord(manifest.file) : [...folder, ...textWord(`/${manifest.file}`)];
  interpreter.path(command, 'write', path, { span });
}

/** A mode with which everybody may write: 777, a+w. */
const OPEN_MODE = /^(?:[0-7]*[2367]|(?:.*,)?(?:[ug]*[ao][augo]*)?[+=][rxX]*w.*)$/s;

function mayBlock({ bars }: ProgramRow, first: Word): boolean {
  return bars !== undefined && (bars === true || !new RegExp(bars.unless).test(showWord(first)));
}

function wordsOf(operands: readonly Operand[]): readonly Word[] {
  return operands.map(({ word }) => word);
}

function roleOf(
  index: number,
  count: number,
  first: readonly Role[],
  rest: Role | undefined,
  last: Role | undefined,
): Role | undefined {
  if (index < first.length) return first[index];
  return last !== undefined && index === count - 1 && index > 0 ? last : rest;
}

function pathUse(role: Role): 'read' | 'list' | 'write' | 'delete' | 'execute' | undefined {
  return role === 'read' || role === 'list' || role === 'write' || role === 'delete' || role === 'execute'
    ? role
    : undefined;
}

/** The facts that hold for all words of a command. */
interface How {
  readonly recursive: boolean;
  readonly bars: boolean;
  readonly opens: boolean;
  /** The files that are put into the target operand. */
  readonly sources: readonly Word[];
  readonly target: FilePlacement['target'];
  /** True if it does not show where below the target things are put. */
  readonly spreads: boolean;
  /** True if the files that it reads are written back. */
  readonly edits: boolean;
  /** True if they are deleted. */
  readonly removes: boolean;
  readonly append: boolean;
  readonly scheme: string;
  readonly dryRun: boolean;
  /** True if nothing of the files is printed, and no other command learns their names. */
  readonly onlyShowsNames: boolean;
}

function addRole(role: Role, word: Word, arg: Arg | undefined, how: How, call: Call): void {
  const { command, interpreter } = call;
  const { recursive, bars, opens, edits, removes, append, scheme, dryRun, onlyShowsNames } = how;
  const span = arg?.span ?? call.span;
  if (knownText(word) === '-' || word.length === 0) return;
  if (
    removes &&
    (role === 'read' || role === 'list' || role === 'from') &&
    readRemotePath(word) === undefined
  )
    interpreter.path(command, 'delete', word, { recursive, span });
  switch (role) {
    case 'text':
    case 'port':
    case 'secret':
    case 'login':
    case 'settings':
      return;
    case 'read':
    case 'execute':
      if (isFetched(word)) addPlace(command, 'download', word, scheme, span);
      // An edit shows nothing of the file. The program chooses the files of a folder that it edits.
      else if (edits && role === 'read') {
        interpreter.path(command, 'list', word, { recursive, span });
        if (!dryRun) interpreter.path(command, 'write', word, { span });
      } else interpreter.path(command, role, word, { recursive, span });
      return;
    case 'script':
      runInner(call, commandIn(word), span);
      return;
    case 'unread':
      addRemoteCode(command, originsOf(word), span, interpreter);
      interpreter.gap(
        'unknown_script',
        span,
        `Cannot tell which command ${command.name ?? 'a program'} runs`,
      );
      return;
    case 'list':
    case 'write':
    case 'delete':
      // A dry run only looks.
      interpreter.path(command, dryRun ? 'list' : role, word, {
        recursive,
        bars,
        opens,
        span,
        append: append && role === 'write',
      });
      return;
    case 'into':
      addPuts(call, word, { ...how, span });
      return;
    case 'append':
      interpreter.path(command, 'write', word, { append: true, span });
      return;
    case 'move': {
      // A shell leaves quoted wildcards alone, mmv reads them.
      const known = command.name === 'mmv' ? knownText(word) : undefined;
      const path = known === undefined ? word : globPieces(known, { escapes: true, stopsAtSlash: true });
      interpreter.path(command, 'read', path, { recursive: true, span });
      interpreter.path(command, 'delete', path, { recursive: true, span });
      return;
    }
    case 'files': {
      const known = knownText(word);
      if (known !== undefined && known.length <= LIMITS.pathChars && !known.startsWith('!'))
        interpreter.path(
          command,
          onlyShowsNames ? 'list' : 'read',
          globPieces(known, { escapes: true, stopsAtSlash: true }),
          { span },
        );
      return;
    }
    case 'edit':
      // `+10` and `+command` come first.
      if (leadingText(word).startsWith('+')) return;
      interpreter.path(command, 'read', word, { span });
      interpreter.path(command, 'write', word, { span });
      return;
    case 'download':
    case 'upload':
    case 'connect':
    case 'listen':
      // A socket is a file here.
      if (!/^(?:(?:unix|npipe|file):|\/(?!\/))/i.test(leadingText(word)))
        addPlace(command, role, word, scheme, span);
      return;
    case 'host':
    case 'hosted':
    case 'url':
    case 'remote':
      if (NAMES_PLACE[role](word)) addPlace(command, 'connect', word, scheme, span);
      return;
    case 'places':
      interpreter.path(command, 'read', word, { span });
      addPlace(command, 'connect', unknownWord(`what ${showWord(word)} names`), scheme, span);
      return;
    case 'conninfo':
      addConnection(word, scheme, call, span);
      return;
    case 'from':
    case 'to': {
      const isElsewhere = readRemotePath(word) !== undefined;
      if (!isElsewhere && !dryRun) {
        if (role === 'to') addPuts(call, word, { ...how, span });
        else interpreter.path(command, 'read', word, { recursive, span });
      }
      // `h:/x` is a drive on one system and a host on the others.
      if (isElsewhere || /^[a-zA-Z]:\//.test(leadingText(word)))
        addPlace(command, dryRun ? 'connect' : role === 'from' ? 'download' : 'upload', word, scheme, span);
      return;
    }
    case 'at-file': {
      const lead = leadingText(word).replace(/;(?:type|filename)=.*$/s, '');
      const mark = /^(?:[^=@<]*=)?[@<]/.exec(lead)?.[0];
      const file: Word = [...textWord(lead.slice(mark?.length)), ...word.slice(1)];
      // `-` is standard input.
      if (mark !== undefined && knownText(file) !== '-') interpreter.path(command, 'read', file, { span });
      return;
    }
    case 'mount':
      addMount(call, word, span);
      return;
    case 'module':
      if (isFileName(leadingText(word))) interpreter.path(command, 'execute', word, { span });
      return;
    case 'loads':
      noteLoadedFor(call, word);
      return;
    case 'mention':
      addMention(word, span, call);
      return;
    case 'named-read': {
      const name = /^[^=/]*=/.exec(leadingText(word))?.[0] ?? '';
      interpreter.path(command, 'read', wordFrom(word, name.length), { span });
      return;
    }
    default:
      role satisfies never;
  }
}

/** Code is named by a path, or by a name that a registry or the program itself knows. */
function isFileName(name: string): boolean {
  return /^[./~]|\.(?:[cm]?[jt]sx?|rb|py|go|java|jar|lua|exs?|jl|swift)$/.test(name);
}

function addMention(word: Word, span: Span, { command, interpreter }: Call): void {
  if (leadingText(word).includes('://')) addPlace(command, 'connect', word, 'http', span);
  else interpreter.path(command, 'mention', word, { span });
}

/** Adds the known effects of a program without a row: its operands are named, URLs may be used. */
export function addMentions(call: Call): void {
  const { parsed } = call;
  const mention = (word: Word, arg: number) => addMention(word, argumentSpan(call, arg), call);
  for (const { word, arg } of parsed.operands as readonly Operand[]) mention(word, arg);
  for (const { name, value, arg } of parsed.flags) {
    if (value === undefined || !isDetermined(value)) continue;
    if (name === LOADED_FILE) noteLoadedFor(call, value);
    else mention(value, arg);
  }
}
