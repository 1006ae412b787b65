import type { Assignment, Span } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  originsOf,
  showWord,
  textWord,
  type UnknownPart,
  type Word,
  type WordPart,
} from '../../reading/word.ts';
import type { Call, CommandBuilder, Interpreter } from '../../shell/scope/interpreter.ts';
import { type Scope, setVariable, single } from '../../shell/scope/scope.ts';

/** Programs that print the whole environment if all their words match. */
const PRINTERS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[0v]|--null|[A-Za-z_]\w*=.*)$/s,
  printenv: /^(?:-0|--null)$/,
  set: /^$/,
  export: /^-p$/,
  declare: /^(?:-[px]|\w+)$/,
  typeset: /^(?:-[px]|\w+)$/,
};

/** Programs that load `.env` unless they are given another file. */
export const LOADERS: ReadonlySet<string> = new Set(['dotenv', 'dotenv-cli', 'env-cmd', 'dotenvx']);
/** Code that loads `.env` before it runs: `node -r dotenv/config`, `python -m dotenv`. */
const LOADS_FIRST = /^(?:--(?:require|import)=)?dotenv\/(?:config|register)$/;
/** Flags and letters with which a program prints its environment as well. */
const PRINTS_ALL = /^(?:g?make\b.*\s(?:-\w*p|--print-data-base)|ps [a-z]*e[a-z]*(?:\s|$))/;
/** Programs that run code they are given. */
const RUNS_CODE =
  /^(?:[gmn]?awk|bun|deno|elixir|groovy|i?python[\d.]*|julia|lua\w*|node|nodejs|perl|php|pwsh|powershell|pypy3?|raku|Rscript|ruby|tclsh|ts-node|tsx)$/;
/** Code that reads variables of its environment. */
const READS =
  /\b(?:process|Bun|Deno|meta)\.env\b|\bos\.environb?\b|\bENV\b|\$_ENV\b|\bENVIRON\b|\bgetenv\b|-c(?:ommand)?\s+\$env:\w+\s*(?:$|[;|])|\b(?:echo|[Ww]rite-\w+)\s+["']?\$env:/;
/** The same for jq and yq, where `env` is a name for other things too. */
const READS_IN_JQ = /(?<![-.\w"'$/]|--arg(?:json)? )env\b(?!\s*:|\.(?:json|ya?ml)\b)|\$ENV\b|\bstrenv\b/;
const NAMED =
  /\b(?:(?:process|Bun|Deno|meta)\.env(?:\.|\[["'])|os\.environ\[["']|ENV(?:\[["']|\.)|(?:str)?env(?:\(|\.))(\w+)/g;
const PRINTS = /\b(?:console\.\w+|print|puts|echo|stdout)\b/;
/** Code that says or sends a value in other ways, or hands it to a program. */
const TELLS =
  /\$env:|\b(?:warn|std(?:err|out)|raise|throw|die|fetch|https?|urlopen|requests|axios|socket|write\w*|system|exec\w*|spawn\w*|subprocess|say|p|pp|inspect|dump)\b/i;
/** Variables that everybody may see. */
const KNOWN =
  /^(?:HOME|USER|LOGNAME|PWD|OLDPWD|PATH|SHELL|TERM|LANG|LC_\w+|TMPDIR|HOSTNAME|UID|EUID|PPID|SHLVL|RANDOM|SECONDS|VIRTUAL_ENV|\w*(?:ENV|HOST|PORT|REGION|STAGE|VERSION|DEBUG|LEVEL|NAME|DIR))$/;

/** How many files are remembered. */
const MAX_LOADED = 32;

/** Remembers the files that a program loads on its own. */
export function noteLoadedByItself(call: Call): void {
  const { name = '' } = call.command;
  const texts = call.args.map(({ word }) => knownText(word) ?? '');
  const loads =
    (LOADERS.has(name) &&
      !call.parsed.flags.some(
        ({ value, name: flag }) => value !== undefined && /^(?:-e|-f|--file|--env-file)$/.test(flag),
      )) ||
    texts.some((text) => LOADS_FIRST.test(text));
  if (loads) noteLoadedFor(call, textWord('.env'));
}

/** Remembers that the variables of a file are in the environment of a shell from now on. */
export function noteLoaded({ frame, span, interpreter }: Call, file: Word | undefined): void {
  note(file, shellOf(frame.scope), span, interpreter);
}

/** Remembers that a command loads a file for the command it runs: `docker run --env-file .env`, `node --env-file=.env`. */
export function noteLoadedFor({ command, span, interpreter }: Call, file: Word): void {
  interpreter.path(command, 'list', file, { span });
  note(interpreter.resolve(file, command), command, span, interpreter);
}

/** `export $(grep -v '^#' .env | xargs)`, `env $(cat .env) cmd`, `A=$(cat key) cmd`: remembers the files that are so loaded. */
export function noteLoadedByWords({ command, frame, span, interpreter }: Call): void {
  if (!loadsByWords(command)) return;
  const into = command.name === 'export' ? shellOf(frame.scope) : command;
  for (const word of loadedWords(command, frame.environment)) {
    for (const { type, source } of originsOf(word))
      if (type === 'file')
        note(source, into, span, interpreter, command.args.includes(word) && isOnlyPrinted(word));
  }
}

function note(
  file: Word | undefined,
  into: Scope | CommandBuilder,
  span: Span,
  { loaded, exported, gap }: Interpreter,
  isWhole = true,
): void {
  if (loaded.length >= MAX_LOADED)
    gap('too_many_steps', span, 'Too many files are loaded into the environment');
  else if (file !== undefined) {
    loaded.push({ file, into, isWhole });
    if ('effects' in into || !isWhole) return;
    setVariable(into, LOADED_FROM, single(file, true));
    exported.add(LOADED_FROM);
  }
}

/** Remembers that a shell runs a text that is not known: it may give any name another meaning. */
export function noteUnknown({ frame, interpreter: { exported } }: Call, text: Word): void {
  if (knownText(text) !== undefined) return;
  setVariable(shellOf(frame.scope), LOADED_FROM, single(text, true));
  exported.add(LOADED_FROM);
}

/** The variables that a file sets are unknown, so the file is listed as one of them. */
export const LOADED_FROM = 'DOTENV_FILE';

/** The files that a command loads for its inner commands, as variables of those. */
export function loadedVariables(command: CommandBuilder, { loaded }: Interpreter): readonly Assignment[] {
  return loaded.flatMap(({ file, into, isWhole }) =>
    into === command && isWhole ? [{ name: LOADED_FROM, value: file }] : [],
  );
}

/** Programs that only print what they read, unless an effect, a redirection or a command that they run says more. */
const FILTERS =
  /^(?:|awk|base64|cat|cut|echo|[ef]?grep|gawk|head|jq|mawk|printf|read|rev|sed|sort|tac|tail|tr|uniq|xargs|yq)$/;
/** Words with which a filter shows more than its output. */
const SHOWS_MORE: readonly RegExp[] = [
  /\/(?:dev|inet|proc)\//,
  /^[jy]q .*(?<![.\w"'])(?:debug|error|halt_error|stderr|fromjson|tonumber|include|import)\b/s,
  /^(?:[gm]?awk|jq|sed|yq) -(?:f|-f.*)$/s,
  // `w file`, and any code with a letter between its parts.
  /^sed (?:.*[^A-Za-z])?[egpiImM\d]{0,9}[wW]\s*\S|^sed s([A-Za-z]).*?\1.*?\1/s,
  /^sort --(?:o|comp)/,
  /^yq -(?:s|-split-exp|v|-verb.*)$/s,
  /^xargs -(?:[pt]|-interactive|-verb.*)$/s,
];
/** Programs that leave the output of the command they run as it is. */
const PASSES_ON = /^(?:command|doas|env|nice|(?:ba|da|z)?sh|sudo|time|timeout|xargs)$/;

/** A file that was only read to be loaded counts as in `. ./.env`. Called after all text was read, as output may go further. */
export function hideLoadedReads(commands: readonly CommandBuilder[]): void {
  const loaders = commands.flatMap((command, index) => (loadsByWords(command) ? [index] : []));
  if (loaders.length === 0 || commands.some(showsAll)) return;
  const takers = takersOfFiles(commands);
  const runners = new Set(commands.map((command) => (isFilter(command) ? undefined : command.parent)));
  for (const index of loaders) {
    const command = commands[index];
    if (command === undefined) continue;
    const inside = new Set([index]);
    const others = new Set(otherParts(command).map(({ printer }) => printer));
    for (const each of inside)
      for (const feeder of commands[each]?.fedBy ?? [])
        if (
          isFilter(commands[feeder]) &&
          !runners.has(feeder) &&
          !others.has(feeder) &&
          isPassedOn(feeder, index, commands)
        )
          inside.add(feeder);
    // `env` may also run the output.
    const isTaken = (taker: number) =>
      inside.has(taker) || (commands[taker]?.name === undefined && commands[taker]?.parent === index);
    for (const feeder of inside) {
      const draft = commands[feeder];
      const isKept = (taker: number) => isTaken(taker) || isRunBy(commands[taker], command, commands);
      if (draft === undefined || feeder === index || !draft.feeds.every(isKept)) continue;
      draft.effects = draft.effects.map((effect) =>
        effect.type === 'path' &&
        effect.use === 'read' &&
        takers.get(showWord(effect.path))?.every(isTaken) !== false
          ? { ...effect, use: 'execute' }
          : effect,
      );
    }
  }
}

/** `$(exec >&2; cat .env)`, `set -x`, `sh -xc`: more is shown than the commands say. */
function showsAll({ name = '', args, substitutions, redirections }: CommandBuilder): boolean {
  const texts = args.map((word) => knownText(word) ?? '');
  if (name === 'exec')
    return (
      substitutions > 0 &&
      redirections.some(({ kind, descriptor = 1 }) => kind !== 'read' && descriptor === 1)
    );
  if (name === 'shopt') return texts.includes('xtrace');
  const isShell = /^(?:ba|da|z|m?k)?sh$/.test(name) && texts.some((text) => /^-\w*c/.test(text));
  return (name === 'set' || isShell) && texts.some((text) => /^(?:-\w*x|xtrace$)/.test(text));
}

function isFilter(command: CommandBuilder | undefined): boolean {
  if (command === undefined || !FILTERS.test(knownText(command.program) ?? '\0')) return false;
  const { name, args, flags, effects, redirections } = command;
  const words = [...flags.map((flag) => flag.name), ...args.map((word) => knownText(word) ?? '')];
  const [first = EMPTY_WORD] = args;
  // The message of any other may hold its words.
  const isQuiet = name === 'echo' || (name === 'printf' && /^(?:%s|[^%])*$/.test(knownText(first) ?? '%'));
  if (!isQuiet && args.some((word) => knownText(word) === undefined)) return false;
  return (
    effects.every((effect) => effect.type === 'path' && effect.use === 'read') &&
    redirections.every(({ kind, descriptor }) => kind === 'read' || descriptor === 2) &&
    !words.some((word) => SHOWS_MORE.some((each) => each.test(`${name} ${word}`)))
  );
}

/** True if its output gets to the loader whatever runs it. */
function isPassedOn(feeder: number, loader: number, commands: readonly CommandBuilder[]): boolean {
  const end = commands[loader]?.parent;
  for (
    let at = commands[feeder]?.parent;
    at !== undefined && at !== end && at !== loader;
    at = commands[at]?.parent
  )
    if (!PASSES_ON.test(commands[at]?.name ?? '')) return false;
  return true;
}

/** By file, the commands that are given what it holds. */
function takersOfFiles(commands: readonly CommandBuilder[]): ReadonlyMap<string, readonly number[]> {
  const takers = new Map<string, number[]>();
  for (const [index, { args, input = EMPTY_WORD }] of commands.entries()) {
    for (const { type, source } of [...args, input].flatMap(originsOf)) {
      if (type !== 'file') continue;
      const file = showWord(source);
      const known = takers.get(file);
      if (known === undefined) takers.set(file, [index]);
      else known.push(index);
    }
  }
  return takers;
}

/** True if a command takes the output of others for variables, and shows none of it. */
function loadsByWords(command: CommandBuilder): boolean {
  const { name, args, flags } = command;
  const takesWords = name === 'export' || name === 'env';
  if ((takesWords && flags.length > 0) || loadedWords(command).length === 0) return false;
  if (name === 'export') return args.every(isLoaded);
  if (name === 'env' && args.every(isLoaded)) return false;
  return otherParts(command).every(
    ({ variable, printer, origins }) => origins.length === 0 && (variable ?? printer) !== undefined,
  );
}

/** The unknown parts of the words and of the input, without those that are loaded. */
function otherParts({ name, args, input = EMPTY_WORD }: CommandBuilder): readonly UnknownPart[] {
  if (name === 'export') return [];
  const program = name === 'env' ? args.findIndex((word) => !isLoaded(word)) : 0;
  return [...args.slice(program), input].flat().filter((part) => part.type === 'unknown');
}

/** The words and values that bring the output of others into the environment. */
function loadedWords(
  { name, args, assignments }: CommandBuilder,
  own: readonly Assignment[] = assignments,
): readonly Word[] {
  const words = name === 'export' || name === 'env' ? args.filter(isLoaded) : [];
  return [...words, ...own.map(({ value }) => value)].filter(isPrinted);
}

/** A word that names variables, or holds nothing but the output of a command. */
function isLoaded(word: Word): boolean {
  return isOnlyPrinted(word) || /^\w+=/.test(leadingText(word));
}

/** A word that holds nothing but the output of a command. */
function isOnlyPrinted(word: Word): boolean {
  return word.length > 0 && word.every(({ type }) => type === 'unknown') && isPrinted(word);
}

function isPrinted(word: Word): boolean {
  return originsOf(word).length > 0;
}

/** The shell that a scope belongs to: the variables that it loads are gone when it ends. */
function shellOf(scope: Scope): Scope {
  let shell = scope;
  while (shell.parent !== undefined && shell.kind !== 'subshell' && shell.kind !== 'process')
    shell = shell.parent;
  return shell;
}

function isWithin(scope: Scope, shell: Scope): boolean {
  for (let layer: Scope | undefined = scope; layer !== undefined; layer = layer.parent)
    if (layer === shell) return true;
  return false;
}

/** A command that prints the environment shows the variables that were loaded into it. */
export function addLoadedReads(call: Call): void {
  const { command, frame, span, interpreter } = call;
  if (interpreter.loaded.length === 0 || !showsVariables(call)) return;
  const { commands } = interpreter;
  const makers = [command, ...makersOf([...command.args, command.input ?? EMPTY_WORD].flat(), commands)];
  for (const { file, into } of interpreter.loaded) {
    // In a container, the printer does not see the file itself.
    if ('effects' in into) {
      if (makers.some((each) => into === each || isRunBy(each, into, commands)))
        interpreter.path(into, 'read', file, { span });
    } else if (isWithin(frame.scope, into)) interpreter.path(command, 'read', file, { span });
  }
}

function showsVariables({ command, args, frame, interpreter }: Call): boolean {
  const { name = '', redirections, input = EMPTY_WORD } = command;
  const texts = args.map(({ word }) => knownText(word) ?? '\0');
  const how = Object.hasOwn(PRINTERS, name) ? PRINTERS[name] : undefined;
  if (how !== undefined && texts.every((text) => how.test(text))) return true;
  if (PRINTS_ALL.test([name, ...texts].join(' '))) return true;
  const files = redirections.filter(({ kind }) => kind === 'write' || kind === 'append');
  const isTurned = redirections.some(({ kind, descriptor = 1 }) => kind === 'duplicate' && descriptor === 1);
  const captured = frame.captured && !isTurned;
  if (name === 'printenv' && texts.some((text) => !KNOWN.test(text)))
    return files.length > 0 ? files.some(({ target }) => knownText(target) !== '/dev/null') : !captured;
  const code = [...texts, knownText(input) ?? '']
    .join(' ')
    .replace(NAMED, (whole, variable: string) => (KNOWN.test(variable) ? '' : whole));
  const tells = PRINTS.test(code) || TELLS.test(code);
  if (RUNS_CODE.test(name) && READS.test(code) && tells && !(captured && files.length === 0)) return true;
  // Output that goes to another program, or into a file, is not shown.
  if (captured || files.length > 0) return false;
  if (name === 'envsubst') return true;
  const isShown = (word: Word) => showsLoaded(word, interpreter);
  if (name === 'echo' || name === 'printf') return args.some(({ word }) => isShown(word));
  if (SHOWS_INPUT.test(name) && isShown(input))
    return !/grep$/.test(name) || !command.flags.some((flag) => QUIET.test(flag.name));
  if (name === 'jq' || name === 'yq') return READS_IN_JQ.test(code);
  return READS.test(code) && (PRINTS.test(code) || /(?:^|\s)-(?:p|-print)\b/.test(code));
}

/** Filters, and programs that show their input otherwise. */
const SHOWS_INPUT =
  /^(?:base64|cat|cut|[ef]?grep|head|hexdump|less|more|nl|od|rev|sed|sort|tac|tail|tee|tr|uniq|xxd)$/;
const QUIET = /^(?:-[cql]|--(?:count|quiet|silent|files-with-matches))$/;

/** `$TOKEN`, `${!NAME}`, `$(printenv TOKEN)` */
function showsLoaded(word: Word, { commands }: Interpreter): boolean {
  const isNamed = (part: WordPart) =>
    part.type === 'unknown' &&
    (part.source.startsWith('${!') || (part.variable !== undefined && isSecretive(part.variable)));
  return word.some(isNamed) || [...makersOf(word, commands)].some(({ name }) => name === 'printenv');
}

/** The commands that printed a text, also through filters. */
function makersOf(
  word: Word,
  commands: readonly CommandBuilder[],
  makers = new Set<CommandBuilder>(),
): ReadonlySet<CommandBuilder> {
  for (const part of word) {
    const maker = part.type === 'unknown' ? commands[part.printer ?? -1] : undefined;
    if (maker === undefined || makers.has(maker)) continue;
    makers.add(maker);
    if (SHOWS_INPUT.test(maker.name ?? '')) makersOf(maker.input ?? EMPTY_WORD, commands, makers);
  }
  return makers;
}

function isSecretive(variable: string): boolean {
  return /^[A-Za-z_]\w*$/.test(variable) && !KNOWN.test(variable);
}

function isRunBy(
  draft: CommandBuilder | undefined,
  command: CommandBuilder,
  commands: readonly CommandBuilder[],
): boolean {
  for (let index = draft?.parent; index !== undefined; index = commands[index]?.parent)
    if (commands[index] === command) return true;
  return false;
}
