import { programRow } from '../programs/spec/rows.ts';
import { takeChars } from '../reading/bounds.ts';
import type { Redirection } from '../reading/reading.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  splittingWord,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';
import { spanIn } from '../shell/parse/source.ts';
import type { Arg } from '../shell/scope/interpreter.ts';
import { ALIASES, ALSO_PROGRAMS, FETCHERS } from './aliases.ts';
import { type Argument, bind, parameterOf } from './bind.ts';
import type { CallContext, CmdletCall } from './cmdlet-call.ts';
import { outputOf } from './cmdlet-output.ts';
import { SPECIAL } from './cmdlets.ts';
import { isRunnable, objectsOf, runNestedObjects, runObjects } from './runtime-objects.ts';
import type { PsArguments, PsFrame, Value } from './state.ts';
import type { CommandWord, PipelineStage } from './syntax.ts';
import { joinedValues, knownValue, unknownValue, wordOf } from './values.ts';
import { programPath, providerOf } from './windows-path.ts';

/** The cost of a command, in characters that are read. */
const CHARS_PER_COMMAND = 500;
/** Of a program that may be one of several so many are followed. */
const MAX_HEADS = 8;

export function readCommand(
  stage: PipelineStage,
  at: PsFrame,
  piped: Value | undefined,
  redirections: readonly Redirection[],
): Value {
  const [head, ...words] = stage.words;
  if (head === undefined) return piped ?? [];
  if (!takeChars(at.interpreter.budget, CHARS_PER_COMMAND)) return unknownValue('the output of a command');
  const heads = at.read.expression(head.value, { ...at, captured: true });
  const given = words.flatMap((word) => argumentsOf(word, at));
  const span = spanIn(at.source, stage.start, stage.end);
  const call = { at, piped, redirections, span, given };
  const topic = piped === undefined ? {} : { topic: piped };
  if (isRunnable(heads, at))
    return runObjects(heads, { values: given.map(({ value }) => value), ...topic }, at);
  return heads
    .slice(0, MAX_HEADS)
    .flatMap((word) =>
      runHead(word, spanIn(at.source, head.start, head.end), stage.calls === undefined, call),
    );
}

/** Runs the thing that a first word names; `isWord`: without a sign that calls it. */
function runHead(word: Word, headSpan: Arg['span'], isWord: boolean, called: CallContext): Value {
  const { at, given } = called;
  const head: Arg = { word: programPath(word, true), span: headSpan };
  const written = knownText(word);
  if (written === undefined) return runProgram(head, called);
  const name = cmdletName(written, given, at, isWord);
  const defined = at.state.functions.get(name) ?? [];
  if (defined.length > 0)
    return defined.flatMap((block) => at.read.call(block, functionArguments(called), at));
  if (isCmdlet(name)) return runCmdlet({ ...called, name, head: headSpan });
  const isWritten = /[\\/]/.test(name) || name === written.toLowerCase();
  return runProgram(isWritten ? head : { word: textWord(name), span: headSpan }, called);
}

function functionArguments({ given, piped }: CallContext): PsArguments {
  const named = new Map<string, Value>();
  const values: Value[] = [];
  for (let index = 0; index < given.length; index++) {
    const argument = given[index];
    if (argument?.parameter === undefined) values.push(argument?.value ?? []);
    else named.set(argument.parameter.slice(1).toLowerCase(), argument.given ?? given[++index]?.value ?? []);
  }
  return piped === undefined ? { named, values } : { named, values, topic: piped };
}

const VERB_NOUN =
  /^(?:add|backup|block|checkpoint|clear|close|compare|compress|connect|convert(?:from|to)?|copy|debug|disable|disconnect|dismount|edit|enable|enter|exit|expand|export|find|foreach|format|get|grant|group|import|initialize|install|invoke|join|limit|lock|measure|merge|mount|move|new|open|optimize|out|ping|pop|protect|publish|push|read|receive|redo|register|remove|rename|repair|reset|resize|resolve|restart|restore|resume|revoke|save|search|select|send|set|show|skip|sort|split|start|step|stop|submit|suspend|switch|sync|tee|test|trace|unblock|undo|uninstall|unlock|unprotect|unregister|update|use|wait|watch|where|write)-[a-z]+$/;

function isCmdlet(name: string): boolean {
  return SPECIAL[name] !== undefined || VERB_NOUN.test(name);
}

/** The command that a name means, in small letters: aliases are followed, modules in front of a name go. */
function cmdletName(written: string, given: readonly Argument[], at: PsFrame, isWord: boolean): string {
  let name = written.toLowerCase();
  for (let step = 0; step < 4 && at.state.aliases.has(name); step++)
    name = at.state.aliases.get(name) ?? name;
  const behind = /^[\w.]+[\\/]([a-z]+-[a-z]+)$/.exec(name)?.[1];
  if (behind !== undefined && isCmdlet(behind)) return behind;
  if (name === 'scriptblock' || name === 'set-environment') return `${name}.exe`;
  const target = ALIASES.get(name);
  const fetches =
    FETCHERS.has(name) &&
    given.some(
      ({ parameter }) =>
        parameter !== undefined &&
        /^-[A-Z]?[a-z]+[A-Z][a-z]|^-uri|^-outf|^-meth/i.test(parameter) &&
        parameterOf(programRow('invoke-webrequest') ?? {}, parameter) !== undefined,
    );
  if (fetches) return 'invoke-webrequest';
  if (target === undefined || (!isWord && /[\\/.]/.test(name))) return name;
  if (
    name === 'sc' &&
    /^(?:\\\\\S+|query(?:ex)?|start|stop|config|create|delete|failure|pause|continue|qc|description|sdset|sdshow|boot|control|interrogate)$/i.test(
      knownValue(given[0]?.value ?? []) ?? '',
    )
  )
    return name;
  const row = programRow(target);
  const isForeign = (parameter: string) => row === undefined || parameterOf(row, parameter) === undefined;
  const foreign = given.some(({ parameter, value }) =>
    parameter !== undefined ? isForeign(parameter) : /^--[a-z]|^-\w+=|^-\d+$/.test(knownValue(value) ?? ''),
  );
  return ALSO_PROGRAMS.has(name) && foreign ? name : target;
}

/** A word of a command with its value; the members of a table that is spread out. */
function argumentsOf(word: CommandWord, at: PsFrame): readonly Argument[] {
  const span = spanIn(at.source, word.start, word.end);
  const frame = { ...at, captured: true };
  const value = at.read.expression(word.value, frame);
  if (word.value.type === 'splat') {
    const tables = objectsOf(value, at).filter((thing) => thing.type === 'table');
    if (tables.length === 0)
      return value.map((each) => ({
        // A parameter among the items of a list is none by the letter; here it counts as one by its form.
        parameter: /^-[a-z]\w*$/i.exec(knownText(each) ?? '')?.[0],
        given: undefined,
        value: [splittingWord(each)],
        isBare: false,
        span,
      }));
    return tables.flatMap((table) =>
      table.type === 'table'
        ? [...table.entries].map(([name, given]) => ({
            parameter: `-${name}`,
            given,
            value: given,
            isBare: false,
            span,
          }))
        : [],
    );
  }
  const { type } = word.value;
  const isBare = (type === 'text' || type === 'joined') && word.value.bare === true;
  const given = word.given === undefined ? undefined : at.read.expression(word.given, frame);
  return [{ parameter: word.parameter, given, value, isBare, span }];
}

function runProgram(head: Arg, called: CallContext): Value {
  const { at, piped, given } = called;
  const isShell = /^(?:.*\/)?(?:pwsh|powershell)(?:\.exe)?$/i.test(knownText(head.word) ?? '');
  // A shell gets the text of a block, and others may do anything with it.
  if (!isShell) runBlocks(given, piped, at);
  const args = given.flatMap(({ parameter, given: joined, value, isBare, span }): readonly Arg[] => {
    const words =
      parameter !== undefined && joined !== undefined
        ? joinedValues([[textWord(`${parameter}:`)], joined])
        : value.map((word) => blockText(word, at) ?? word);
    return words.map((word) => ({ word: programPath(word, isBare), span }));
  });
  return run([head, ...args], called);
}

function blockText(word: Word, at: PsFrame): Word | undefined {
  const block = objectsOf([word], at).find((thing) => thing.type === 'block');
  return block?.type === 'block' ? textWord(block.text) : undefined;
}

function run(argv: readonly Arg[], { at, piped, redirections, span }: Omit<CallContext, 'given'>): Value {
  const input = piped === undefined ? at.input : piped.length === 0 ? EMPTY_WORD : linesIn(piped);
  const printed = at.interpreter.runCommand(argv, { ...at, input }, { redirections, span, direct: false });
  return printed.length === 0 ? [] : [printed];
}

function linesIn(piped: Value): Word {
  const [only] = piped;
  return only !== undefined && piped.length === 1
    ? only
    : wordOf(piped.flatMap((word, index) => (index > 0 ? [textWord('\n'), word] : [word])));
}

/** Any command may run the blocks that it is given. */
function runBlocks(given: readonly Argument[], piped: Value | undefined, at: PsFrame): void {
  for (const argument of given)
    runNestedObjects(argument.given ?? argument.value, { topic: piped ?? [unknownWord('$_')] }, at);
}

/** Runs a cmdlet: its words are put in the order of its parameters, by any of their names. */
function runCmdlet(call: CmdletCall): Value {
  const { name, at, piped, span, given, head } = call;
  const special = SPECIAL[name];
  if (special !== undefined) return special(call);
  runBlocks(given, piped, at);
  const row = programRow(name, at.interpreter.context.programs);
  const nameArg: Arg = { word: textWord(name), span: head };
  if (row === undefined) {
    const words = given.flatMap(({ value, given: joined }) => [...value, ...(joined ?? [])]);
    return run([nameArg, ...words.map((word) => ({ word: programPath(word, true), span }))], call);
  }
  // Switches of cmd are read as cmd takes them.
  const words = name === 'remove-item' ? given.map(withoutSlash) : given;
  const bound = bind(row, words, piped, at.state.looksOnly, CHANGES.test(name));
  const [provider] = bound.slots.flat().flatMap((word) => providerOf(word) ?? []);
  if (provider !== undefined) {
    const value = bound.slots.length > 1 ? undefined : bound.named.get('-value');
    return runProvider(provider, call, value === undefined ? bound.slots : [...bound.slots, value], nameArg);
  }
  const put = run([nameArg, ...bound.args], { ...call, piped: bound.takesInput ? [] : piped });
  return outputOf(name, bound, put, at);
}

/** `rd /s /q x` and `del /f /s x` fail in PowerShell; they are read as those of cmd. */
function withoutSlash(argument: Argument): Argument {
  const letter = argument.isBare ? /^\/([sqf])$/i.exec(knownValue(argument.value) ?? '')?.[1] : undefined;
  if (letter === undefined) return argument;
  return { ...argument, parameter: letter.toLowerCase() === 's' ? '-Recurse' : '-Force', value: [] };
}

/** Cmdlets that change the things that the pipeline brings. */
const CHANGES = /^(?:stop|suspend|restart|set|remove|disable|clear|unregister)-/;

/** Cmdlets that only look at the things of a provider. */
const LOOKS = /^(?:get|test|resolve|select|convert)-/;

/** Runs a cmdlet on things behind `HKLM:`, `Env:` and the like, which are no files. */
function runProvider(provider: string, call: CmdletCall, slots: readonly Value[], head: Arg): Value {
  const { name, at, span } = call;
  const words = slots.flat();
  const runAs = (...argv: readonly Word[]) =>
    run(
      argv.map((word) => ({ word, span })),
      call,
    );
  if (provider === 'registry') {
    const verb = LOOKS.test(name) ? 'query' : /^(?:remove|clear)-/.test(name) ? 'delete' : 'add';
    const keys = words.map((word) =>
      word.map((part) => (part.type === 'text' ? { ...part, text: registryKey(part.text) } : part)),
    );
    return runAs(textWord('reg'), textWord(verb), ...keys);
  }
  const sets = /^(?:set|new)-/.test(name);
  const variable = leadingText(words[0] ?? EMPTY_WORD).replace(/^\w+:[\\/]*/, '');
  if (provider === 'env' && LOOKS.test(name) && name !== 'test-path')
    return variable === '' || variable === '*'
      ? runAs(textWord('printenv'))
      : at.read.expression({ type: 'variable', name: `env:${variable.toLowerCase()}` }, at);
  if (provider === 'env' && sets)
    return runAs(
      textWord('export'),
      ...joinedValues([[textWord(`${variable.toUpperCase()}=`)], words.slice(1, 2)]),
    );
  const target = provider === 'alias' && sets ? knownText(words.at(-1) ?? []) : undefined;
  if (target !== undefined) at.state.aliases.set(variable.toLowerCase(), target.toLowerCase());
  if (provider === 'function' && sets)
    for (const thing of objectsOf(words, at))
      if (thing.type === 'block') at.state.functions.set(variable.toLowerCase(), [thing.block]);
  return run(
    [
      { word: textWord('write-output'), span },
      { ...head, word: textWord(provider) },
    ],
    call,
  );
}

/** The name of a key as programs take it. */
function registryKey(text: string): string {
  const key = text.replace(/^(?:microsoft\.powershell\.core[\\/])?registry::/i, '').replaceAll('/', '\\');
  return key.replace(/^(hk\w+):\\?/i, '$1\\');
}

/** Runs a cmdlet with words that are in the order of its parameters already. */
export function runWords(name: string, words: readonly Word[], at: PsFrame, piped?: Value): Value {
  const span = at.source.span;
  const given = words.map((word): Argument => {
    const parameter = /^-[A-Z]\w+$/.exec(knownText(word) ?? '')?.[0];
    return { parameter, given: undefined, value: [word], isBare: false, span };
  });
  return runCmdlet({ name, head: span, at, piped, redirections: [], span, given });
}
