import { resolvePath } from '../../reading/path.ts';
import { joinList, textWord, type Word } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import type { Arg, Frame } from '../../shell/scope/interpreter.ts';
import { cwdOf, newScope } from '../../shell/scope/scope.ts';
import { frameInside } from '../interpret/run-inner.ts';
import type { CodeFrame } from './code-frame.ts';
import type { CodeRow } from './rows.ts';
import { type FoundCall, NO_NAMES, textValue, UNKNOWN_VALUE, type Value, wordOf } from './values.ts';
import { noteVariable } from './variables.ts';

/**
 * Code may set a variable too late, or for other commands: each command runs without the variables of the code, and with each of
 * their values.
 */
function innerFrames({ call, input, environment }: CodeFrame): readonly Frame[] {
  const values = [...Map.groupBy(environment.values(), ({ name }) => name).values()];
  const count = Math.max(0, ...values.map(({ length }) => length));
  const sets = Array.from({ length: count }, (_, index) =>
    values.flatMap((some) => some[index] ?? some.at(-1) ?? []),
  );
  return [[], ...sets].map((set) => {
    const frame = frameInside(call, { kind: 'interpreter', name: call.command.name ?? '' });
    return { ...frame, input, environment: [...frame.environment, ...set] };
  });
}

export function runShell(script: Word, frame: CodeFrame): void {
  const { call, span } = frame;
  const arg = { word: script, span };
  // Below a shell of Windows, the system's shell is cmd.
  const language = call.frame.language === 'sh' ? 'sh' : 'cmd';
  for (const inner of innerFrames(frame))
    runShellText(call, arg, { ...inner, language }, 'a command that code runs');
}

export function runWords(words: readonly Value[], frame: CodeFrame): void {
  const { call, interpreter, span } = frame;
  const argv: readonly Arg[] = words
    .filter((value) => value.type !== 'object')
    .map((value) => ({ word: wordOf(value), span }));
  for (const inner of innerFrames(frame)) interpreter.runCommand(argv, inner);
  if (argv.length === 0)
    interpreter.gap('unknown_code', call.span, 'Cannot tell which program the code runs');
}

/** Runs the argument of a call: a script, a program given as a list or as words, or one as a text. */
export function runArgument(row: CodeRow, found: FoundCall, frame: CodeFrame): void {
  const { named } = found;
  // `system({"A" => "b"}, "ls")` of Ruby
  const [first, ...others] = found.args;
  const isText = first?.type === 'text' || first?.type === 'list';
  const isSet = frame.language === 'ruby' && !isText && others.length > 0;
  const args = isSet ? others : found.args;
  const options = args.find((arg) => arg.type === 'object')?.entries ?? NO_NAMES;
  const listed = scriptIn(row, args[0]) ?? args[0] ?? named.get('args') ?? named.get('cmd');
  if (listed === undefined) return;
  const input = named.get('input') ?? options.get('input');
  const set = isSet ? first : (named.get('env') ?? options.get('env'));
  const environment = new Map(frame.environment);
  for (const [name, value] of set?.type === 'object' ? set.entries : [])
    if (value.type === 'text') noteVariable(environment, name, value.word);
  const here = { ...frame, environment, ...(input !== undefined && { input: wordOf(input) }) };
  const there = inDirectory(
    ['cwd', 'workdir', 'directory', 'dir_path']
      .map((name) => named.get(name) ?? options.get(name))
      .find((value) => value !== undefined),
    here,
  );
  const words = row.runs === 'shell' ? undefined : programWords(row, listed, args, options, frame);
  if (words !== undefined) runWords(words, there);
  else runShell(listed.type === 'list' ? joinList(listed.items.map(wordOf)) : wordOf(listed), there);
}

/** The script that is in an object: `{ command: "ls" }`. */
function scriptIn({ runs }: CodeRow, given: Value | undefined): Value | undefined {
  if (runs !== 'shell' || given?.type !== 'object') return undefined;
  return given.entries.get('command') ?? given.entries.get('cmd') ?? given.entries.get('script');
}

/** The words of the program that is run; undefined if it is one text for a shell. */
function programWords(
  { runs, own_name }: CodeRow,
  listed: Value,
  args: readonly Value[],
  options: ReadonlyMap<string, Value>,
  { language }: CodeFrame,
): readonly Value[] | undefined {
  if (own_name !== undefined) {
    const [file = UNKNOWN_VALUE, next, ...rest] = args.slice(own_name - 2);
    return next?.type === 'list' ? [file, ...next.items.slice(1)] : [file, ...rest];
  }
  if (listed.type === 'list') return listed.items;
  const more = [args[1], options.get('args'), options.get('cmd')].find((value) => value?.type === 'list');
  if (more?.type === 'list') return listed.type === 'object' ? more.items : [listed, ...more.items];
  if (listed.type === 'object') return [UNKNOWN_VALUE];
  const isWords = language !== 'javascript' && (runs === 'words' || language !== 'python');
  const words = isWords ? args.filter(({ type }) => type !== 'object') : [listed];
  return runs === 'words' || words.length > 1 ? words : undefined;
}

/** `cwd="dir"`, `{ cwd: "dir" }`: where the program runs. */
function inDirectory(given: Value | undefined, frame: CodeFrame): CodeFrame {
  if (given === undefined) return frame;
  const { call, interpreter } = frame;
  const scope = newScope('process', call.frame.scope);
  scope.cwd = resolvePath(wordOf(given), { cwd: cwdOf(scope), home: interpreter.context.home });
  return { ...frame, call: { ...call, frame: { ...call.frame, scope } } };
}

/** Acts in the folder where the code started and in those it has entered, as it may be in any of them. */
export function inFolders(frame: CodeFrame, use: (here: CodeFrame) => void): void {
  const { cwd } = frame.folder;
  use(frame);
  if (cwd === undefined) return;
  const { call } = frame;
  const started = call.command.cwd;
  const scope = newScope('subshell', call.frame.scope);
  scope.cwd = cwd;
  call.command.cwd = cwd;
  use({ ...frame, call: { ...call, frame: { ...call.frame, scope } } });
  call.command.cwd = started;
}

/** Runs a command of which all is true that is true of a call with two paths. */
export function runLike(command: string, { args, receiver }: FoundCall, frame: CodeFrame): void {
  const [first = UNKNOWN_VALUE, second = UNKNOWN_VALUE] = args;
  const words = command.split(' ').map((word) => textValue(textWord(word)));
  // `Path(link).symlink_to(target)`
  const paths = receiver?.type !== 'text' ? [first, second] : [receiver, first];
  const isTurned = receiver?.type === 'text' && command.startsWith('ln ');
  runWords([...words, ...(isTurned ? paths.reverse() : paths)], frame);
}
