import type { Assignment, Span } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  originsOf,
  showWord,
  textWord,
  type Word,
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
/** Code that shows variables of its environment. */
const SHOWS = /\b(?:process|Bun|Deno|meta)\.env\b|\bos\.environ\b|\bENV\b|\$_ENV\b|\bENVIRON\b|\bgetenv\b/;
const NAMED = /\b(?:(?:process|Bun|Deno|meta)\.env(?:\.|\[["'])|os\.environ\[["']|ENV\[["'])(\w+)/g;
const PRINTS = /\b(?:console\.\w+|print|puts|echo|stdout)\b/;
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

/** A file that was only read to be loaded counts as in `. ./.env`. Called after all text was read, as output may go further. */
export function hideLoadedReads(commands: readonly CommandBuilder[]): void {
  let takers: ReadonlyMap<string, readonly number[]> | undefined;
  for (const [index, command] of commands.entries()) {
    if (!loadsByWords(command)) continue;
    takers ??= takersOfFiles(commands);
    const inside = new Set([index]);
    for (const each of inside) for (const feeder of commands[each]?.fedBy ?? []) inside.add(feeder);
    if ([...inside].some((each) => each !== index && mayShow(commands[each]))) continue;
    for (const feeder of inside) {
      const draft = commands[feeder];
      const isTaken = (taker: number) => inside.has(taker) || isRunBy(commands[taker], command, commands);
      if (draft === undefined || feeder === index || !draft.feeds.every(isTaken)) continue;
      draft.effects = draft.effects.map((effect) =>
        effect.type === 'path' &&
        effect.use === 'read' &&
        takers?.get(showWord(effect.path))?.every((each) => inside.has(each)) !== false
          ? { ...effect, use: 'execute' }
          : effect,
      );
    }
  }
}

/** Its output goes where somebody sees it as well. */
function mayShow(command: CommandBuilder | undefined): boolean {
  const shown = command?.redirections.some(
    ({ kind, descriptor }) => kind !== 'read' && (descriptor ?? 1) === 1,
  );
  return command?.name === 'tee' || shown === true;
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
  const { name, args, flags, input = EMPTY_WORD } = command;
  const takesWords = name === 'export' || name === 'env';
  if ((takesWords && flags.length > 0) || loadedWords(command).length === 0) return false;
  const program = takesWords ? args.findIndex((word) => !isLoaded(word)) : 0;
  if (program < 0) return name === 'export';
  return name !== 'export' && ![...args.slice(program), input].some(isPrinted);
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
export function addLoadedReads({ command, args, frame, span, interpreter }: Call): void {
  if (interpreter.loaded.length === 0 || !showsVariables({ command, args, frame })) return;
  for (const { file, into } of interpreter.loaded) {
    // In a container, the printer does not see the file itself.
    if ('effects' in into) {
      if (into === command || isRunBy(command, into, interpreter.commands))
        interpreter.path(into, 'read', file, { span });
    } else if (isWithin(frame.scope, into)) interpreter.path(command, 'read', file, { span });
  }
}

function showsVariables({ command, args, frame }: Pick<Call, 'command' | 'args' | 'frame'>): boolean {
  const { name = '', redirections } = command;
  const how = Object.hasOwn(PRINTERS, name) ? PRINTERS[name] : undefined;
  if (how !== undefined && args.every(({ word }) => how.test(knownText(word) ?? '\0'))) return true;
  // Output that goes to another program, or into a file, is not shown.
  if (frame.captured || redirections.some(({ kind }) => kind === 'write' || kind === 'append')) return false;
  if (name === 'envsubst') return true;
  if (name === 'printenv') return args.some(({ word }) => !KNOWN.test(knownText(word) ?? ''));
  if (name === 'echo' || name === 'printf')
    return args.some(({ word }) =>
      word.some(
        (part) => part.type === 'unknown' && part.variable !== undefined && isSecretive(part.variable),
      ),
    );
  const code = args
    .map(({ word }) => knownText(word) ?? '')
    .join(' ')
    .replace(NAMED, (whole, variable: string) => (KNOWN.test(variable) ? '' : whole));
  return SHOWS.test(code) && (PRINTS.test(code) || /(?:^|\s)-(?:p|-print)\b/.test(code));
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
