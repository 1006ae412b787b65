import { posix } from 'node:path';
import { OPEN_CLASSES, type ToolCall } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import type { HidingReason } from '../../../model/history.ts';
import type { ProgramRow } from '../../../model/program-row.ts';
import { isProgramFolder } from '../../../reader/commands/run-file.ts';
import { LOADED_FROM } from '../../../reader/programs/interpret/loaded-environment.ts';
import { otherSpellings } from '../../../reader/programs/spec/row-table.ts';
import type { ReadCommand } from '../../../reader/reading/reading.ts';
import { EMPTY_WORD, knownText } from '../../../reader/reading/word.ts';
import { partOfTests } from './part-of-tests.ts';
import { shellReadings } from './shell-reading.ts';

/** Flags with which programs of any kind only show something, or do what may be nothing: in any case, with or without dashes inside. */
const ONLY_SHOWS: ReadonlySet<string> = new Set(
  `-h --help --usage --version --dryrun -whatif --justprint --recon --collectonly --co --listtest --listtests --list --norun
  --setupplan --setuponly --fixtures --markers --showconfig --printconfig --ifpresent --ignorescripts --passwithnotests --filter
  --grep --testnamepattern --changed --changedsince --onlychanged --onlyfailures --lastcommit`.split(/\s+/),
);
/** Variables that decide which code a program runs. */
const CHOOSES_CODE =
  /^(?:PATH|IFS|ENV|BASH_ENV|SHELL|HOME|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|npm_.*|PYTHON(?:PATH|STARTUP|HOME|USERBASE)|RUBYOPT|RUBYLIB|PERL5?(?:LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|(?:GNU)?MAKE(?:FLAGS|FILES)|JUST_JUSTFILE|COMPOSER|BUNDLE_GEMFILE|MIX_EXS|UV_(?:PROJECT|ENV_FILE|WORKING_DIR.*)|GRADLE_USER_HOME|DOTNET_STARTUP_HOOKS|JAVA_HOME|CDPATH|ZDOTDIR|CARGO_(?:BUILD|TARGET|ALIAS|HOME).*|RUSTC.*|GO(?:FLAGS|WORK|ROOT|ENV)|PYTEST_(?:ADDOPTS|PLUGINS)|JEST_.*|BUN_.*|DENO_.*)$/i;
/** Values of them that change no code: the size of the heap, the usual folders of sources. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS:
    /^(?:(?:--max[-_]old[-_]space[-_]size=\d+|--experimental-vm-modules|--no-warnings|--enable-source-maps|--trace-warnings)(?: +|$))*$/,
  PYTHONPATH: /^(?:(?:\.\/?|(?:\.\/)?(?:src|lib)\/?)(?::|$))*$/,
  GOFLAGS: /^(?:-(?:mod=(?:mod|vendor|readonly)|race|v|buildvcs=\w+)(?: +|$))*$/,
  JAVA_HOME: /^\/(?:usr\/lib\/jvm|Library\/Java)\/(?!.*\.\.)/,
};
/** Files that shells read for their variables by convention; any other may have functions and a `PATH` of its own. */
const SETTINGS_FILE =
  /(?:^|\/)(?:(?:\.?v?env[\w.-]*|\.tox\/\w+)\/bin\/activate(?:\.\w+)?|\.env[\w.-]*)$|^(?:~|\/opt|\/usr|\/etc|\/nix|\/(?:home|Users)\/[^/]+\/\.[^/]+|\/root\/\.[^/]+)(?:\/|$)/;
/** Settings of package managers that do the same, given as flags. */
const CHOOSING_FLAG = /^--(?:node-options|(?:user|global)config)(?:=|$)/i;
/** Flags of shells that name a file which they run first. */
const START_FILE = /^--?(?:rcfile|init-file)$/;
/** Flags that name a file that is written. */
const WRITES = /^--?(?:junit|output|out|report|log|cov|html|xml|json|o=)/i;
/** Programs that lie in the folder of a project by convention. */
const WRAPPERS = /^(?:\.\/)?(?:gradlew|mvnw|bin\/(?:rails|rake|rspec)|manage\.py|(?:[\w-]+\/)*[\w-]+\.sh)$/;
/** Folders where projects keep the programs that they have installed. */
const INSTALLED = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/[^/]+$/;

/**
 * Finds out if a command of a call surely does its work, and does it here: in the repository that the agent works in, and not in
 * another folder, on another machine, by a program of that name that lies elsewhere.
 *
 * @returns the reason against it; undefined if there is none
 */
export function hidingReasonOf(facts: Facts): (command: ReadCommand) => HidingReason | undefined {
  const { surroundings } = facts;
  let nested: Nested | undefined;
  let root: string | undefined;
  const isHere = (path: string, cwd: string): boolean => {
    root ??= surroundings.repository?.()?.root ?? String(facts.event.context.cwd ?? '');
    if (path.startsWith('~')) return false;
    const real = surroundings.realPath(posix.resolve(cwd.startsWith('/') ? cwd : root, path));
    return root !== '' && (real === root || real.startsWith(`${root}/`));
  };
  const isShell = isOwnShell(facts.event.tool);
  const one = (command: ReadCommand): HidingReason | undefined => {
    if (!isShell) return 'machine';
    nested ??= nestedIn(facts);
    if (command.idle || showsOnly(command)) return 'dry_run';
    const { remote, cwd, program, args, assignments, wrapper, flags } = command;
    const file = knownText(program);
    const folder = knownText(cwd);
    if (remote) return 'machine';
    if (file === undefined || folder === undefined) return 'elsewhere';
    // A folder in another repository counts as here: facts keep the repository of each call.
    const isOwn = folder.startsWith('/') && (surroundings.repository?.(folder) ?? undefined) !== undefined;
    if (folder.split('/').includes('node_modules') || (!isOwn && !isHere('.', folder))) return 'elsewhere';
    const isPath = file.includes('/') || file.includes('\\');
    if (isPath && !isProgramFolder(file) && !INSTALLED.test(file) && !WRAPPERS.test(file)) return 'code';
    if (/sh$/.test(file) && args.some((word) => START_FILE.test(knownText(word) ?? ''))) return 'code';
    const chooses = assignments.some(
      ({ name, value, same }) =>
        same !== true &&
        (name === '' ||
          (name === LOADED_FROM && !SETTINGS_FILE.test(knownText(value) ?? '')) ||
          (CHOOSES_CODE.test(name) && HARMLESS[name]?.test(knownText(value) ?? '') !== true)),
    );
    if (chooses) return 'code';
    // `npm --prefix /tmp/other test`, `make --directory=../other test`; an unknown word could be either.
    // The operands of a program that only runs another, such as `flock /tmp/lock npm test`, choose no place.
    const words = wrapper ? flags.map(({ value }) => value ?? EMPTY_WORD) : args;
    const isPlaced = words.every((word) => {
      const text = knownText(word);
      if (text === undefined) return false;
      // Neither a path nor a setting; all packages of Bazel.
      if (!/[/.~=-]/.test(text) || text === '//...') return true;
      const [, place] =
        /^(?:(?:-[^=]*=)+|-[A-Z])?((?:\/|\.\.?(?:\/|$)|~|[^=]*\/\.\.(?:\/|$)).*)$/s.exec(text) ?? [];
      return place === undefined || WRITES.test(text) || isHere(place, folder);
    });
    if (words.some((word) => CHOOSING_FLAG.test(knownText(word) ?? ''))) return 'code';
    if (!isPlaced) return 'elsewhere';
    // `python -m pytest` is both.
    const within = wrapper ? [] : (nested.inner.get(command) ?? []);
    for (const each of [command, ...within]) {
      const part = cachedPart(each, nested.outer.get(each));
      if (part !== undefined) return part;
    }
    return undefined;
  };
  const found = new Map<ReadCommand, HidingReason | undefined>();
  const known = (command: ReadCommand): HidingReason | undefined => {
    if (!found.has(command)) found.set(command, one(command));
    return found.get(command);
  };
  return (command) => {
    let reason = known(command);
    for (
      let each = nested?.outer.get(command);
      each !== undefined && reason === undefined;
      each = nested?.outer.get(each)
    )
      reason = known(each);
    return reason;
  };
}

/** Of a tool that nobody explains, nobody knows where it runs a command, or if it does. */
function isOwnShell(call: ToolCall | undefined): boolean {
  const { classes = [], unsure } = call ?? {};
  return unsure !== true && classes.includes('shell') && !OPEN_CLASSES.some((name) => classes.includes(name));
}

/** The commands that others run, with those, and the other way round. */
interface Nested {
  readonly outer: ReadonlyMap<ReadCommand, ReadCommand>;
  readonly inner: ReadonlyMap<ReadCommand, readonly ReadCommand[]>;
}

function nestedIn(facts: Facts): Nested {
  const outer = new Map<ReadCommand, ReadCommand>();
  for (const { commands } of shellReadings(facts) ?? [])
    for (const command of commands) {
      const by = command.parent === undefined ? undefined : commands[command.parent];
      if (by !== undefined) outer.set(command, by);
    }
  const inner = Map.groupBy(outer.keys(), (command) => outer.get(command) ?? command);
  return { outer, inner };
}

type Part = ReturnType<typeof partOfTests>;
const parts = new WeakMap<ReadCommand, { readonly outer: ReadCommand | undefined; readonly part: Part }>();

function cachedPart(command: ReadCommand, outer: ReadCommand | undefined): Part {
  const before = parts.get(command);
  if (before !== undefined && before.outer === outer) return before.part;
  const part = partOfTests(command, outer);
  parts.set(command, { outer, part });
  return part;
}

const shown = new WeakMap<ReadCommand, boolean>();

/** The same commands come again and again. */
function showsOnly(command: ReadCommand): boolean {
  const known = shown.get(command) ?? onlyShows(command);
  shown.set(command, known);
  return known;
}

function onlyShows(command: ReadCommand): boolean {
  const { rows, args, operands } = command;
  const [first] = operands;
  const start = first === undefined ? args.length : args.indexOf(first);
  const isLeftOut = (text: string) => rows.some((row) => skipPattern(row)?.test(text));
  if (isLeftOut(operands.map((word) => knownText(word) ?? '?').join(' '))) return true;
  return args.some((arg, index) => {
    const text = knownText(arg) ?? '';
    const [flag = ''] = text.split('=', 1);
    return [text, flag].some(
      (word) =>
        isShowing(word) ||
        (showsVersion(word, command) && (word === '-V' || index < start)) ||
        isLeftOut(word),
    );
  });
}

function isShowing(word: string): boolean {
  if (!word.startsWith('-')) return false;
  const [, dashes = '', name = ''] = /^(--?)(.*)$/s.exec(word.toLowerCase()) ?? [];
  return ONLY_SHOWS.has(dashes + name.replaceAll('-', '')) || (dashes === '--' && name.startsWith('list-'));
}

/** `npx -v jest` shows a version, and so do most programs; the rows of those that say more list it as `-v,--verbose`. */
function showsVersion(word: string, command: ReadCommand): boolean {
  return /^-v$/i.test(word) && !otherSpellings(command, word).includes('--verbose');
}

const patterns = new Map<string, RegExp>();

/** The words with which programs leave their work out, by their rows. */
function skipPattern({ leaves_out: pattern }: ProgramRow): RegExp | undefined {
  if (pattern === undefined) return undefined;
  const known = patterns.get(pattern) ?? new RegExp(pattern);
  patterns.set(pattern, known);
  return known;
}
