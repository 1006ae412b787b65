import { isFetched } from '../programs/interpret/named-places.ts';
import { frameInside } from '../programs/interpret/run-inner.ts';
import { programRow } from '../programs/spec/rows.ts';
import { programName } from '../reading/program-name.ts';
import type { Via } from '../reading/reading.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  originsOf,
  showWord,
  textWord,
  type Word,
  type WordPart,
} from '../reading/word.ts';
import { addRemoteCode, runFileText } from '../shell/run/shell-text.ts';
import type { Arg, Call, Interpreter, ShellLanguage } from '../shell/scope/interpreter.ts';
import { filesOf, variableOf } from '../shell/scope/scope.ts';

/** A program's name that is computed is a gap; code that it may run is read all the same: a written file, or the next word. */
export function runComputedProgram(head: Arg, call: Call): void {
  const { interpreter } = call;
  const { word, span } = head;
  addRemoteCode(call.command, originsOf(word), span, interpreter);
  const reason = isMade(word) ? 'unknown_script' : 'unknown_program';
  interpreter.gap(reason, span, `Cannot tell which program "${showWord(word)}" is`);
  if (interpreter.fileAt(call, word) !== undefined) runFile(head, call);
  // An unquoted variable may be empty: then the next word is the program.
  const [only] = word;
  const next = call.args[0];
  const mayVanish = word.length === 1 && only?.type === 'unknown' && only.splits;
  if (
    !mayVanish ||
    next === undefined ||
    programRow(programName(next.word), interpreter.context.programs) === undefined
  )
    return;
  const via: readonly Via[] = [...call.frame.via, { kind: 'wrapper', name: showWord(word) }];
  interpreter.runCommand(call.args, { ...call.frame, via, parent: call.index });
}

/** True for a name that the script itself makes of a value, and not a file in a folder. False for values from outside. */
function isMade(word: Word): boolean {
  const isFile = word.some((part) => part.type === 'text' && part.text.includes('/'));
  const made = (part: WordPart) =>
    part.type === 'unknown' && part.variable === undefined && /^\$\{|\[@\]$/.test(part.source);
  return !isFile && word.some(made);
}

/** Folders whose programs have their usual names. */
const PROGRAM_FOLDER = /^(?:\/usr(?:\/local)?|\/opt\/homebrew|\/opt\/local|\/snap)?\/s?bin\/[^/]+$/;

/** True for a program in a folder where systems keep them. */
export function isProgramFolder(path: string): boolean {
  return PROGRAM_FOLDER.test(path);
}

/** A program named by its path: a file that is run. It is read if the script itself wrote it. */
export function runFile(head: Arg, call: Call): void {
  const { interpreter } = call;
  // `npx https://…`
  if (isFetched(head.word))
    addRemoteCode(call.command, [{ type: 'network', source: head.word }], head.span, interpreter);
  const content = interpreter.fileAt(call, head.word);
  if (content === undefined && PROGRAM_FOLDER.test(knownText(head.word) ?? '')) return;
  interpreter.path(call.command, 'execute', head.word, { span: head.span });
  if (content === undefined) return;
  const language = languageOf(head.word);
  if (language !== undefined) {
    const inside = frameInside(call, { kind: 'source', name: showWord(head.word) });
    runFileText(call, head, content, { ...inside, language, input: undefined }, 'the file that is run');
    return;
  }
  const via: readonly Via[] = [...call.frame.via, { kind: 'source', name: showWord(head.word) }];
  const program = copiedProgram(content);
  if (program !== undefined)
    interpreter.runCommand([{ ...head, word: program }, ...call.args], {
      ...call.frame,
      via,
      parent: call.index,
    });
  const named = interpreterOf(content, interpreter).map((word) => ({
    word: textWord(word),
    span: head.span,
  }));
  interpreter.runCommand([...named, head, ...call.args], { ...call.frame, via, parent: call.index });
}

/** The shell that runs files of this kind. */
function languageOf(file: Word): ShellLanguage | undefined {
  const [, ending = ''] = /\.(ps1|cmd|bat)$/i.exec(knownText(file) ?? '') ?? [];
  if (ending === '') return undefined;
  return ending.toLowerCase() === 'ps1' ? 'powershell' : 'cmd';
}

/** The interpreter in the first line of a script: `#!/usr/bin/env python3`; else a shell reads it. */
function interpreterOf(content: Word, { context }: Interpreter): readonly string[] {
  const [, line = ''] = /^#!(.*)\n/.exec(leadingText(content)) ?? [];
  const words = line.trim().split(/\s+/);
  const name = words
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
    .find((word) => !NO_INTERPRETER.test(word));
  return programRow(name, context.programs) === undefined ? ['sh'] : words;
}

/** `env` with its flags and the variables that it sets. */
const NO_INTERPRETER = /^(?:env|-.*|.*=.*)?$/;

/** The program that a file is a copy of, or a link to. */
function copiedProgram(content: Word): Word | undefined {
  const [origin, ...others] = originsOf(content);
  if (origin?.type !== 'file' || others.length > 0 || content.length > 1) return undefined;
  return PROGRAM_FOLDER.test(knownText(origin.source) ?? '') ? origin.source : undefined;
}

/** Runs a program that the script may have put into a folder of the search path; any folder, if no table has it. */
export function runWrittenFile(head: Arg, name: string, isForeign: boolean, call: Call): void {
  const path = name === '' ? undefined : filesOf(call.frame.scope).named.get(name);
  if (path === undefined || !(isForeign || isLookedThrough(path.slice(0, path.lastIndexOf('/')), call)))
    return;
  runFile({ ...head, word: textWord(path) }, call);
}

/** True for a folder that programs are looked for in, as usual or because the script says so. */
function isLookedThrough(folder: string, { frame }: Call): boolean {
  if (/(?:^|\/)s?bin$/.test(folder)) return true;
  const folders = variableOf(frame.scope, 'PATH')?.values.at(-1) ?? EMPTY_WORD;
  return folders.some((part) => part.type === 'text' && part.text.split(':').includes(folder));
}
