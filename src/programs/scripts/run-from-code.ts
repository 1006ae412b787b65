import { resolvePath } from '../../reading/path.ts';
import type { Via } from '../../reading/reading.ts';
import { joinWords, textWord, type Word } from '../../reading/word.ts';
import { runShellText } from '../../shell/run/shell-text.ts';
import { cwdOf, newScope } from '../../shell/scope/scope.ts';
import type { Arg, Place } from '../../shell/scope/walker.ts';
import type { FoundCall } from './code.ts';
import type { CodePlace } from './code-place.ts';
import { UNKNOWN_VALUE, type Value, wordOf } from './values.ts';

function innerPlace({ call }: CodePlace): Place {
  const via: readonly Via[] = [...call.place.via, { kind: 'interpreter', name: call.command.name ?? '' }];
  return {
    ...call.place,
    scope: newScope('process', call.place.scope),
    via,
    parent: call.index,
    input: undefined,
  };
}

/** Reads a text as a shell script that code runs. */
export function runShell(script: Word, place: CodePlace): void {
  const { call, walker, span } = place;
  runShellText(
    call,
    { word: script, span, at: undefined },
    innerPlace(place),
    'a command that code runs',
    walker,
  );
}

/** Words as one line. */
export function commandLine(items: readonly Value[]): Word {
  return items
    .map(wordOf)
    .reduce<Word>(
      (line, word, index) => (index === 0 ? word : joinWords(joinWords(line, textWord(' ')), word)),
      [],
    );
}

/** Programs given as a list, as several words, or as one text. */
export function runProgram(kind: 'argv' | 'program', found: FoundCall, place: CodePlace): void {
  const listed = found.args[0] ?? found.named.get('args') ?? found.named.get('cmd');
  if (listed === undefined) return;
  const words = programWords(kind, listed, found, place);
  const there = inDirectory(found, place);
  if (words === undefined) runShell(wordOf(listed), there);
  else runWords(words, there);
}

/**
 * Does something where the code was started and where it has gone since: it may have gone there in a function that is
 * not called, or be back again.
 */
export function inFolders(place: CodePlace, use: (here: CodePlace) => void): void {
  const { cwd } = place.folder;
  use(place);
  if (cwd === undefined) return;
  const { call } = place;
  const started = call.command.cwd;
  const scope = newScope('subshell', call.place.scope);
  scope.cwd = cwd;
  call.command.cwd = cwd;
  use({ ...place, call: { ...call, place: { ...call.place, scope } } });
  call.command.cwd = started;
}

/** `cwd="dir"`, `{ cwd: "dir" }`: where the program runs. */
export function inDirectory({ args, named }: FoundCall, place: CodePlace): CodePlace {
  const options = args.find((arg) => arg.type === 'object');
  const given = named.get('cwd') ?? (options?.type === 'object' ? options.entries.get('cwd') : undefined);
  if (given === undefined) return place;
  const { call, walker } = place;
  const scope = newScope('process', call.place.scope);
  scope.cwd = resolvePath(wordOf(given), { cwd: cwdOf(scope), home: walker.context.home });
  return { ...place, call: { ...call, place: { ...call.place, scope } } };
}

/** The words of the program that is run; undefined if it is one text for a shell. */
function programWords(
  kind: 'argv' | 'program',
  listed: Value,
  { args, names }: FoundCall,
  place: CodePlace,
): readonly Value[] | undefined {
  const [, second] = args;
  const options = args.find((arg) => arg.type === 'object');
  const more =
    options?.type === 'object' ? (options.entries.get('args') ?? options.entries.get('cmd')) : undefined;
  if (listed.type === 'list') return listed.items;
  if (listed.type === 'object') return more?.type === 'list' ? more.items : [UNKNOWN_VALUE];
  const last = names.at(-1) ?? '';
  if (/^(?:exec|spawn)[vl]/.test(last) || last.startsWith('posix_spawn')) return withoutName(last, args);
  if (last === 'create_subprocess_exec') return args;
  if (second?.type === 'list') return [listed, ...second.items];
  if (more?.type === 'list') return [listed, ...more.items];
  const words = args.filter((arg) => arg.type === 'text');
  const several = words.length > 1 && (place.language === 'ruby' || place.language === 'perl');
  if (several) return words;
  return kind === 'argv' ? [listed] : undefined;
}

/** `execvp(file, [name, …])`, `execl(file, name, …)`, `spawnv(mode, file, [name, …])`: the name is not an argument. */
function withoutName(name: string, args: readonly Value[]): readonly Value[] {
  const given = name.startsWith('spawn') ? args.slice(1) : args;
  const [file = UNKNOWN_VALUE, next, ...rest] = given;
  return next?.type === 'list' ? [file, ...next.items.slice(1)] : [file, ...rest];
}

/** Reads values as the words of a command. */
export function runWords(words: readonly Value[], place: CodePlace): void {
  const { call, walker, span } = place;
  const argv: readonly Arg[] = words
    .filter((value) => value.type !== 'object')
    .map((value) => ({ word: wordOf(value), span, at: undefined }));
  walker.runCommand(argv, innerPlace(place));
  if (argv.length === 0) walker.gap('unknown_code', call.span, 'Cannot tell which program the code runs');
}
