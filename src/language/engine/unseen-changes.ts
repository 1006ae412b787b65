import { fromDrive } from '../../lib/path/drive-path.ts';
import type { Event } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { Surroundings } from '../../model/surroundings.ts';
import type { Effect, PathEffect, ReadCommand, Reading } from '../../reader/reading/reading.ts';
import { joinWords, knownText, showWord, textWord, type Word } from '../../reader/reading/word.ts';
import { changedFacts } from '../keys/call/changed-facts.ts';
import { setShellTexts, shellTexts } from '../keys/call/shell-reading.ts';
import { TRAITS } from '../keys/call/traits.ts';
import { compileCommandTest } from '../keys/command/spec.ts';

const known = new WeakMap<Event, Facts>();

/** The call with files that it may change without naming them: in folders it visits, or by formatters and merges. For facts. */
export function withUnseenChanges(facts: Facts): Facts {
  const before = known.get(facts.event);
  if (before !== undefined) return before;
  const found = shellTexts(facts);
  const mayChange = found?.texts.some(({ summary }) => (summary.traits & CHANGES) !== 0) === true;
  const made = found !== undefined && mayChange ? changed(facts, found) : facts;
  known.set(facts.event, made);
  known.set(made.event, made);
  return made;
}

const CHANGES = TRAITS.write | TRAITS.delete | TRAITS.changes;

function changed(facts: Facts, { texts, complete }: NonNullable<ReturnType<typeof shellTexts>>): Facts {
  const { surroundings } = facts;
  const root = surroundings.repository?.()?.root ?? surroundings.workspace;
  const test = compileCommandTest({ changes: 'files' });
  let isAny = false;
  const readings = texts.map(({ reading }): Reading => {
    const read = reading();
    const gone = new Set<string>();
    const isFile = (path: string): boolean => !gone.has(path) && surroundings.isFile?.(path) === true;
    const commands = read.commands.map((command): ReadCommand => {
      const isUnseen = !command.remote && !command.idle && test(command, read, surroundings) !== false;
      const added = [
        ...below(command, isFile),
        ...(isUnseen ? [changedBelow(folderOf(command, surroundings), command)] : []),
      ];
      const effects = added.filter(({ path }) => isNear(path, root));
      for (const effect of command.effects)
        if (effect.type === 'path' && effect.use === 'delete') gone.add(showWord(effect.path));
      isAny ||= effects.length > 0;
      return effects.length === 0 ? command : { ...command, effects: [...command.effects, ...effects] };
    });
    return { ...read, commands };
  });
  if (!isAny) return facts;
  const event = facts.event.with({ ...facts.event.subject });
  setShellTexts(event, readings, complete);
  return changedFacts(facts, { event, surroundings });
}

/** The contents of the folders that a command changes or deletes; nothing is below a file, or a copy of it. */
function below(command: ReadCommand, isFile: (path: string) => boolean): readonly PathEffect[] {
  const paths = command.effects.filter((effect: Effect) => effect.type === 'path');
  const through = new Set(paths.filter(({ recursive }) => recursive).map(({ path }) => showWord(path)));
  const isOne = ({ path }: PathEffect): boolean => isFile(knownText(path) ?? '');
  const sources = paths.filter(({ use, recursive }) => use === 'read' && recursive);
  if (sources.length > 0 && sources.every(isOne)) return [];
  return paths
    .filter(({ use, path }) => (use === 'write' || use === 'delete') && through.has(showWord(path)))
    .filter((effect) => sources.length > 0 || !isOne(effect))
    .map((effect) => ({ ...effect, path: anyBelow(effect.path) }));
}

/** The folder below which a command may change any file: git changes all of its repository. */
function folderOf({ name, cwd }: ReadCommand, { repository }: Surroundings): Word {
  const root = name === 'git' ? repository?.(knownText(cwd))?.root : undefined;
  return root === undefined ? cwd : textWord(fromDrive(root) ?? root);
}

function changedBelow(folder: Word, { span }: ReadCommand): PathEffect {
  return {
    type: 'path',
    use: 'write',
    written: folder,
    path: anyBelow(folder),
    recursive: false,
    name: undefined,
    bars: false,
    append: false,
    only: undefined,
    chosen: true,
    span,
  };
}

function anyBelow(folder: Word): Word {
  return [...joinWords(folder, textWord('/')), { type: 'glob', pattern: '**' }];
}

/** True if a path may lie in the repository. */
function isNear(path: Word, root: string | undefined): boolean {
  const [first] = path;
  if (first?.type !== 'text' || !first.text.startsWith('/') || root === undefined) return true;
  const folder = knownText(path.slice(0, -1)) ?? first.text;
  return `${root}/`.startsWith(folder) || folder.startsWith(`${root}/`);
}
