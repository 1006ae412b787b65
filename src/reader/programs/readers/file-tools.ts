import { baseName, inFolder } from '../../reading/path.ts';
import {
  EMPTY_WORD,
  knownText,
  leadingText,
  mixedWord,
  textWord,
  type Word,
  wordFrom,
} from '../../reading/word.ts';
import type { Call, Operand, ProgramReader } from '../../shell/scope/interpreter.ts';
import { newScope } from '../../shell/scope/scope.ts';
import { argumentSpan, usePath } from '../interpret/effects-of-words.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';
import { contentOf, rememberContent } from '../interpret/input-text.ts';
import { addPuts, type FilePlacement, isFolderHere } from '../interpret/puts.ts';

/** dd's operands: `if=file of=file`. */
const dd: ProgramReader = (call) => {
  const values = new Map<string, Operand>();
  call.args.forEach(({ word }, arg) => {
    const [name = '', first] = leadingText(word).split('=', 2);
    if (first !== undefined)
      values.set(name, {
        word: wordFrom(word, name.length + 1),
        arg,
      });
  });
  const from = values.get('if');
  const to = values.get('of');
  if (from !== undefined) usePath(call, 'read', from);
  if (to === undefined) return undefined;
  usePath(call, 'write', to);
  // A write over a part of a file leaves the rest.
  if (['seek', 'oseek', 'conv'].some((name) => values.has(name))) return EMPTY_WORD;
  const content = from === undefined ? call.command.input : call.interpreter.fileAt(call, from.word);
  const isNothing = knownText(values.get('count')?.word ?? textWord('all')) === '0';
  const isPart = ['count', 'skip', 'iseek'].some((name) => values.has(name));
  const left = isPart && content !== undefined ? mixedWord('a part of a file', [content]) : content;
  rememberContent(call, to, isNothing ? EMPTY_WORD : left);
  return EMPTY_WORD;
};

/** The output of a program that only reports its work. */
function reportOutput(call: Call): Word | undefined {
  return hasFlag(call.parsed, '-v', '--verbose') ? undefined : EMPTY_WORD;
}

/** The sources and the target of cp and the like. */
function sourcesAndTarget({ parsed }: Call): { readonly sources: readonly Operand[]; readonly target: Word } {
  const { operands } = parsed;
  const folder = flagValue(parsed, '-t', '--target-directory');
  if (folder !== undefined) return { sources: operands, target: folder };
  // ln makes a link to its only operand where it runs.
  if (operands.length === 1) return { sources: operands, target: textWord('.') };
  return { sources: operands.slice(0, -1), target: operands.at(-1)?.word ?? EMPTY_WORD };
}

/** cp, mv and the like: a file's content is that of the file it is made of, known or not. */
const copyContent: ProgramReader = (call) => {
  const { operands } = call.parsed;
  const { sources, target } = sourcesAndTarget(call);
  const [from, to] = operands;
  // The file that is there stays, unless ln gets `-f`.
  const mayFail = call.command.name === 'ln' && !hasFlag(call.parsed, '-f', '--force');
  const scope = mayFail ? newScope('branch', call.frame.scope) : call.frame.scope;
  const made = { ...call, frame: { ...call.frame, scope } };
  if (from !== undefined && to !== undefined && to.word === target && sources.length === 1)
    rememberContent(made, to, contentOf(from.word, call));
  for (const { word } of sources) call.interpreter.copyFiles(made, word, target);
  return reportOutput(call);
};

/** `cp -l`, `cp -s`: links are made instead of copies. */
const copy: ProgramReader = (call) => {
  if (hasFlag(call.parsed, '-l', '--link'))
    linkHard(call, hasFlag(call.parsed, '-r', '-R', '-a', '--recursive', '--archive'));
  if (hasFlag(call.parsed, '-s', '--symbolic-link')) linkSymbolically(call);
  hideEnvironment(call);
  return copyContent(call);
};

/** Files that hold variables wherever they lie, by their names. */
const ENVIRONMENT =
  /(?:^|\/)\.env(?:rc|\.(?:local|production|prod|development|dev|staging|stage|test|secrets?|private|vault|ci)|\.[\w-]+\.local)?$/;
/** Folders whose files others get to see. */
const SHOWN = /(?:^|\/)(?:public|static|www|html|htdocs|wwwroot)\//;

/** `cp ../.env .env` shows the variables to nobody, and the copy is as well known as the original. */
function hideEnvironment({ command, frame }: Call): void {
  const pathsOf = (use: 'read' | 'write') =>
    command.effects.flatMap((effect) =>
      effect.type === 'path' && effect.use === use ? [knownText(effect.path) ?? ''] : [],
    );
  const written = pathsOf('write');
  const isAlike = [...pathsOf('read'), ...written].every((path) => ENVIRONMENT.test(path));
  if (frame.remote || written.length === 0 || !isAlike || written.some((path) => SHOWN.test(path))) return;
  command.effects = command.effects.map((effect) =>
    effect.type === 'path' && effect.use === 'read' ? { ...effect, use: 'list' } : effect,
  );
}

/** A hard link is the file itself under another name: a read or write of the one is one of the other. */
function linkHard(call: Call, recursive: boolean): void {
  for (const { word, arg } of sourcesAndTarget(call).sources) {
    const span = argumentSpan(call, arg);
    call.interpreter.path(call.command, 'read', word, { span, recursive });
    call.interpreter.path(call.command, 'write', word, { span, recursive, append: true });
  }
}

function linkSymbolically(call: Call): void {
  const { interpreter } = call;
  const { sources, target } = sourcesAndTarget(call);
  for (const { word } of sources) {
    // A link is resolved from its own folder, unless ln works the path out.
    const to = hasFlag(call.parsed, '-r', '--relative') ? interpreter.resolve(word, call.command) : word;
    if (!isFolderHere(target, call)) interpreter.keepLink(call, target, to);
    interpreter.keepLink(call, inFolder(target, baseName(word)), to);
  }
}

/** `install -d folder`. */
const install: ProgramReader = (call) => {
  if (hasFlag(call.parsed, '-d', '--directory'))
    for (const operand of call.parsed.operands) usePath(call, 'write', operand);
  return copyContent(call);
};

/** A link has the content of its target; the files below it are those below its target. */
const link: ProgramReader = (call) => {
  const { parsed, command, span } = call;
  const { sources, target } = sourcesAndTarget(call);
  const recursive = hasFlag(parsed, '-s', '--symbolic');
  const isName = command.name === 'link' || hasFlag(parsed, '-T', '--no-target-directory');
  const isFolder = parsed.operands.length === 1 || hasFlag(parsed, '-t', '--target-directory');
  const words = sources.map(({ word }) => word);
  const put = (how: FilePlacement['target']) =>
    addPuts(call, target, { sources: words, target: how, recursive, spreads: false, span });
  put(isName ? 'name' : isFolder ? 'folder' : 'either');
  // A link to a folder that has the name already is replaced.
  if (hasFlag(parsed, '-n', '--no-dereference')) put('name');
  if (recursive) linkSymbolically(call);
  else linkHard(call, false);
  return copyContent(call);
};

/** `truncate -s 0`, `truncate -r /dev/null`: nothing is left. */
const truncate: ProgramReader = (call) => {
  const size = knownText(flagValue(call.parsed, '-s', '--size') ?? EMPTY_WORD) ?? '';
  const model = knownText(flagValue(call.parsed, '-r', '--reference') ?? EMPTY_WORD);
  const isNothing = size === '' ? model === '/dev/null' : /^0+[A-Za-z]*$/.test(size);
  if (isNothing) for (const operand of call.parsed.operands) rememberContent(call, operand, EMPTY_WORD);
  return EMPTY_WORD;
};

/** `sponge file`: all of the input, once it has ended. */
const sponge: ProgramReader = (call) => {
  if (hasFlag(call.parsed, '-a')) return undefined;
  for (const operand of call.parsed.operands) rememberContent(call, operand, call.command.input);
  return undefined;
};

/** Programs whose words change files in ways of their own. */
export const FILE_TOOL_READERS: Readonly<Record<string, ProgramReader>> = {
  dd,
  dcfldd: dd,
  cp: copy,
  mv: copyContent,
  install,
  ln: link,
  link,
  truncate,
  sponge,
};
