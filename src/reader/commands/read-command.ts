import { fromDrive } from '../../lib/path/drive-path.ts';
import { hideLoadedReads } from '../programs/interpret/loaded-environment.ts';
import { mayGoUnseen } from '../programs/interpret/network.ts';
import {
  type Budget,
  isExhausted,
  LIMITS,
  newBudget,
  noteGap,
  sizeProblem,
  takeChars,
  takeStep,
} from '../reading/bounds.ts';
import { resolvePath } from '../reading/path.ts';
import type { PathUse, Reading, ReadingContext, Span } from '../reading/reading.ts';
import {
  FOUND_FILES,
  knownChars,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import { readBody, readStatements } from '../shell/control/statements.ts';
import { outermostSource, type Source } from '../shell/parse/source.ts';
import { runScript } from '../shell/run/script.ts';
import { either, type Flow, indexesOf, newFlow } from '../shell/scope/flow.ts';
import type { CommandBuilder, Frame, Interpreter, PathOptions } from '../shell/scope/interpreter.ts';
import { CERTAIN, hideStatus } from '../shell/scope/run-certainty.ts';
import { certaintyOf, cwdOf, filesOf, newScope, type Scope, single } from '../shell/scope/scope.ts';
import { keepLink, throughLinks } from '../shell/scope/symbolic-links.ts';
import { contentAt, copyFiles, keepContentAt, keepTreeAt } from '../shell/scope/written-files.ts';
import { readText } from './read-text.ts';
import { runCommand } from './run-command.ts';

const TOO_MUCH = {
  too_long: 'The command is longer than 1 MiB',
  too_many_steps: 'The command has too many parts to be read',
  too_deep: 'The command is nested too deeply to be read',
} as const;

/** Reads the simple commands, words and effects of a shell command. Pure, bounded, never throws; `gaps` names unreadable parts. */
export function readCommand(text: string, context: ReadingContext): Reading {
  // A carriage return at the end of a line counts as a blank, so offsets stay the same.
  const source = outermostSource(text.includes('\r') ? text.replace(/\r(?=\n|$)/g, ' ') : text);
  const reason = sizeProblem(text);
  if (reason !== undefined) {
    return {
      commands: [],
      complete: false,
      gaps: [{ reason, span: source.span, message: TOO_MUCH[reason] }],
    };
  }
  const scope = startScope(context);
  const interpreter = newInterpreter(context, scope, source.span);
  const frame = startFrame(interpreter, source, scope, context);
  readText(frame);
  const hasTraps = interpreter.traps.length > 0;
  for (const runTrap of interpreter.traps.splice(0)) runTrap();
  const { budget } = interpreter;
  const { gaps } = budget;
  if (isExhausted(budget)) noteGap(budget, 'too_many_steps', source.span, TOO_MUCH.too_many_steps);
  hideLoadedReads(interpreter.commands);
  const isUncertain = hasTraps || gaps.length > 0;
  for (const command of interpreter.commands) {
    command.mayGoUnseen = mayGoUnseen(command);
    if (!isUncertain) continue;
    command.certainty = UNCERTAIN;
    command.behind = [];
  }
  if (!isUncertain) noteOwn(interpreter, frame.flow);
  return { commands: interpreter.commands, complete: gaps.length === 0, gaps };
}

/** For a script with traps or unreadable parts, of which nothing is certain. */
const UNCERTAIN = { ...hideStatus(CERTAIN, 'exit', false), own: false };

/** Marks the commands that have succeeded if the script has. */
function noteOwn({ commands }: Interpreter, { succeeded, ended }: Flow): void {
  for (const index of indexesOf(either(succeeded, ended), commands.length)) {
    const command = commands[index];
    if (command !== undefined) command.certainty = { ran: command.certainty.ran, own: true };
  }
}

function startScope(context: ReadingContext): Scope {
  const scope = newScope('subshell', undefined);
  const cwd =
    context.cwd === undefined
      ? undefined
      : resolvePath(textWord(fromDrive(context.cwd) ?? context.cwd), { cwd: undefined, home: context.home });
  scope.cwd = cwd;
  // Tools start shells without arguments.
  scope.positional = [];
  scope.variables.set('0', single(textWord('sh')));
  return scope;
}

function startFrame(
  interpreter: Interpreter,
  source: Source,
  scope: Scope,
  { language }: ReadingContext,
): Frame {
  return {
    interpreter,
    source,
    scope,
    language: language ?? 'sh',
    choices: undefined,
    input: undefined,
    via: [],
    parent: undefined,
    privileged: false,
    remote: false,
    captured: false,
    flow: newFlow(undefined),
    runCertainty: CERTAIN,
    substitutions: 0,
    environment: [],
    depth: 0,
    scriptDepth: 0,
    calls: [],
  };
}

function newInterpreter(context: ReadingContext, scope: Scope, whole: Span): Interpreter {
  const budget = newBudget();
  const start = cwdOf(scope);
  const interpreter: Interpreter = {
    context,
    budget,
    whole,
    commands: [],
    contents: new WeakMap(),
    loaded: [],
    links: new Map(),
    places: new WeakMap(),
    seen: new WeakSet(),
    cased: new Map(),
    integers: new Set(['RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'OPTIND', 'HISTCMD', 'MAILCHECK']),
    traps: [],
    running: new Set(),
    exportsAll: false,
    stopsOnErrors: false,
    exported: new Set(),
    idleVariables: new Set(),
    aliases: new Set(),
    runScript: (script, frame) => runScript(script, frame, readText),
    runStatements: readStatements,
    runBody: readBody,
    runCommand: (argv, frame, extras) => runCommand(argv, frame, extras),
    enter: (frame, span, chars) => enter(budget, frame, span, chars),
    gap: (reason, span, message) => noteGap(budget, reason, span, message),
    path: (command, use, written, options) => addPath(interpreter, command, use, written, options),
    fileAt: ({ frame, command }, path) => {
      const resolved = interpreter.resolve(path, command);
      // Reading a descriptor or a terminal reads no file.
      if (mayBeDevice(resolved)) return unknownWord('what a device gives');
      return contentAt(filesOf(frame.scope), resolved, budget);
    },
    keepFile: ({ frame: { scope }, command }, path, content) => {
      const how = { certainty: certaintyOf(scope), budget };
      keepContentAt(filesOf(scope), interpreter.resolve(path, command), content, how);
    },
    copyFiles: ({ frame: { scope }, command }, from, to) => {
      const how = { certainty: certaintyOf(scope), budget };
      copyFiles(filesOf(scope), interpreter.resolve(from, command), interpreter.resolve(to, command), how);
    },
    keepLink: ({ command }, path, target) =>
      keepLink(interpreter.resolve(path, command), target, interpreter),
    keepTree: (call, folder, content) => {
      const path = interpreter.resolve(folder, call.command);
      const among = showWord(path) === showWord(start);
      keepTreeAt(filesOf(call.frame.scope), path, { content, among });
    },
    resolve: (path, command) => resolvePath(path, { cwd: command.cwd, home: context.home }),
  };
  return interpreter;
}

/** True if wildcards may match a name in the folders of devices. */
function mayBeDevice(path: Word): boolean {
  const known = knownText(path);
  const lead = leadingText(path);
  return ['/dev/', '/proc/'].some((folder) => {
    if (known !== undefined) return known.startsWith(folder) && known !== '/dev/null';
    const isCut = path[1]?.type === 'glob' && lead !== '' && folder.startsWith(lead);
    return isCut || lead.startsWith(folder);
  });
}

function enter(budget: Budget, frame: Frame, span: Span, chars: number): boolean {
  if (frame.scriptDepth >= LIMITS.scriptDepth || frame.depth >= LIMITS.depth) {
    noteGap(budget, 'too_deep', span, 'The command is nested too deeply to be read');
    return false;
  }
  return takeStep(budget) && takeChars(budget, chars);
}

/** The cost of a path's character in read characters, because many policies look at it. */
const LOOKS_AT_PATHS = 8;
/** The additional cost of a partly unknown path, which is compared with each glob. */
const LOOKS_AT_UNKNOWN = 1_000;
/** Devices that every program may use and that keep nothing. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|tty|stdin|stdout|stderr|fd\/[0-9]+)$/;

function addPath(
  interpreter: Interpreter,
  command: CommandBuilder,
  use: PathUse,
  written: Word,
  options: PathOptions = {},
): void {
  const [first] = written;
  if (first === undefined || (written.length === 1 && interpreter.contents.has(first))) return;
  const takesMany = use === 'delete' || use === 'empty' || options.bars === true || options.opens === true;
  const found = takesMany ? foundBelow(written) : undefined;
  if (found !== undefined) {
    const { folder, only, closest } = found;
    addPath(interpreter, command, use, folder, { ...options, recursive: true, only, chosen: true });
    if (options.recursive === true && closest !== undefined)
      addPath(interpreter, command, use, closest, options);
    if (use !== 'write') return;
  }
  if (HARMLESS_DEVICE.test(knownText(written) ?? '') || --interpreter.budget.paths < 0) return;
  const { recursive = false, name, bars = false, append = false, only, chosen = false } = options;
  const { span = command.span } = options;
  const resolved = interpreter.resolve(written, command);
  const { stayedIn } = command;
  // `cd build; rm -rf *` deletes here if that folder does not exist.
  const stayed =
    use === 'delete' && recursive && stayedIn !== undefined
      ? [interpreter.resolve(written, { ...command, cwd: stayedIn })]
      : [];
  for (const path of [resolved, ...throughLinks(resolved, use, interpreter), ...stayed]) {
    const looks = knownChars(path) * LOOKS_AT_PATHS + (knownText(path) === undefined ? LOOKS_AT_UNKNOWN : 0);
    if (!takeChars(interpreter.budget, looks)) return;
    if (use === 'write' && interpreter.running.size > 0 && interpreter.running.has(showWord(path)))
      interpreter.gap('unknown_script', span, 'Cannot tell what a script runs that writes to its own file');
    command.effects.push({
      type: 'path',
      use,
      written,
      path,
      recursive,
      name,
      bars,
      append,
      only,
      chosen,
      span,
    });
  }
}

interface Found {
  /** The folder where the search starts. */
  readonly folder: Word;
  /** The names that it looks for, with the known folders around them. */
  readonly only: Word;
  /** The path that it may find in that folder itself; undefined if it can have any name. */
  readonly closest: Word | undefined;
}

/** The search of a word that means all paths that find prints; undefined for other words. */
function foundBelow(word: Word): Found | undefined {
  const at = word.findIndex((part) => part.type === 'unknown' && part.source === FOUND_FILES);
  const [folder, rest] = [word.slice(0, at), word.slice(at + 1)];
  if (at < 1) return undefined;
  const behind = showWord(rest);
  const name = behind.endsWith('/') ? '' : behind.replace(/^\/+/, '');
  return {
    folder,
    only: name === '' ? word.slice(at, at + 1) : textWord(name),
    closest: name === '' ? undefined : [...folder, ...rest],
  };
}
