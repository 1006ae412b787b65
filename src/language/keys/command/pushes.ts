import type { Json } from '../../../lib/json.ts';
import { isRooted } from '../../../lib/path/drive-path.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import { and, anyTruth, or, type Truth } from '../../../model/truth.ts';
import type { ReadCommand, Reading } from '../../../reader/reading/reading.ts';
import { knownText, textWord, type Word, wordPasses } from '../../../reader/reading/word.ts';
import { anyName, listOf, subcommandTest } from './names.ts';
import type { CommandTest } from './test.ts';

const isPush = subcommandTest(['git', ['push', 'send-pack']]);

/** The words that a command begins with if it pushes; `needsOf` counts on them. */
export const PUSH_WORDS = { run: 'git', words: ['push', 'send-pack'] } as const;

/** Compiles a test on the branches of a push: from refspecs, `--all`, or the current branch. Git's settings are not read. */
export function pushTest(spec: Json): CommandTest {
  const fits = anyName(spec);
  const fitsBelow = (before: string, after: string) =>
    listOf(spec).some((name) => {
      const [lead = '', ...rest] = name.split('*');
      if (rest.length === 0) return name.startsWith(before) && name.endsWith(after);
      return lead.startsWith(before) || before.startsWith(lead);
    });
  return (command, reading, surroundings) => {
    if (command.idle) return false;
    const pushes = isPush(command);
    if (pushes === false) return false;
    const has = (...names: readonly string[]) => command.flags.some(({ name }) => names.includes(name));
    if (has('--all', '--branches', '--mirror')) return pushes;
    const checkedOut = (): Truth => {
      const branch = checkedOutBranch(command, reading, surroundings);
      return branch === null ? false : branch === undefined ? 'unknown' : wordPasses(branch, fits);
    };
    const changes = (refspec: string): Truth => {
      const [source = '', destination = source] = refspec.replace(/^\+/, '').split(':');
      if (source === '' && destination === '') return true;
      if (!refspec.includes(':') && /^(?:HEAD|@)$/.test(source)) return checkedOut();
      const name = destination.replace(/^(?:refs\/)?heads\//, '');
      if (name.startsWith('refs/')) return false;
      const [before = '', ...after] = name.split('*');
      return after.length > 0 ? fitsBelow(before, after.join('*')) : fits(name);
    };
    const refspecs = refspecsOf(command);
    const named = anyTruth(refspecs, (word) => wordPasses(word, changes));
    if (refspecs.length > 0 || has('--tags')) return and(pushes, or(named, open(command)));
    return and(pushes, or(checkedOut(), open(command)));
  };
}

/** The branches that a push names, or the one that is checked out, for people. */
export function pushedBranches(command: ReadCommand): readonly string[] {
  if (isPush(command) === false) return [];
  const refspecs = refspecsOf(command).map((word) => knownText(word) ?? 'a branch that is not known');
  return refspecs.length > 0 ? refspecs : ['the branch that is checked out'];
}

function open({ openEnded }: ReadCommand): Truth {
  return openEnded ? 'unknown' : false;
}

/** The operands behind the remote; `tag NAME` names no branch. */
function refspecsOf({ operands }: ReadCommand): readonly Word[] {
  const given = operands.slice(2);
  const isTag = (index: number) => knownText(given[index] ?? []) === 'tag';
  return given.filter((_, index) => !isTag(index) && !(index > 0 && isTag(index - 1)));
}

/** Flags whose value is the branch that is made and checked out. */
const NEW_BRANCH: ReadonlySet<string> = new Set([
  '-b',
  '-B',
  '-c',
  '-C',
  '--create',
  '--force-create',
  '--orphan',
]);

/**
 * The branch at a command: by the script's last `git checkout` or `git switch`, else the repository's. Null if none, undefined
 * if unknown.
 */
function checkedOutBranch(
  command: ReadCommand,
  { commands }: Reading,
  surroundings: Surroundings,
): Word | null | undefined {
  const before = commands.slice(0, commands.indexOf(command));
  const cwd = knownText(command.cwd);
  const last = before.findLast((each) => switched(each, surroundings) !== undefined);
  if (last !== undefined && knownText(last.cwd) === cwd) return switched(last, surroundings);
  if (command.remote || cwd === undefined) return undefined;
  const isStart = cwd === '' || cwd === '.';
  if (!isStart && !isRooted(cwd)) return undefined;
  const repository = surroundings.repository?.(isStart ? undefined : cwd);
  const branch = repository === null ? null : repository?.branch;
  return typeof branch === 'string' ? textWord(branch) : branch;
}

/** The branch that a command checks out; undefined if it checks out none. */
function switched(command: ReadCommand, { isThere }: Surroundings): Word | undefined {
  const { name, operands, flags, args, idle } = command;
  const subcommand = knownText(operands[0] ?? []);
  if (name !== 'git' || idle || (subcommand !== 'checkout' && subcommand !== 'switch')) return undefined;
  const at = args.indexOf(operands[0] ?? []);
  const made = flags.find((flag) => NEW_BRANCH.has(flag.name) && flag.arg > at);
  if (made !== undefined) return made.value;
  const [branch] = operands.slice(1);
  const isAlone = operands.length === 2 && !args.some((word) => knownText(word) === '--');
  if (branch === undefined || !isAlone) return undefined;
  const text = knownText(branch);
  const cwd = knownText(command.cwd);
  const isFile =
    subcommand === 'checkout' &&
    text !== undefined &&
    cwd !== undefined &&
    isThere?.(`${cwd}/${text}`) === true;
  return isFile ? undefined : branch;
}
