import { knownText, leadingText, type Word } from '../../../reading/word.ts';
import type { Call, CommandBuilder, Interpreter } from '../../../shell/scope/interpreter.ts';
import { hasFlag } from '../../interpret/flags.ts';
import { NO_PATCH } from './effects.ts';

/** The files that a command has put away. */
interface Saved {
  /** The files and folders; undefined for all that git knows. */
  readonly paths: readonly Word[] | undefined;
  /** True if it includes the staged changes. */
  readonly staged: boolean;
}

/**
 * True if an earlier command, which must have succeeded, saved all that git would overwrite: `git stash push -- a`, `cp a b`,
 * `git diff a > a.patch`.
 */
export function isSavedBefore(call: Call, subcommand: string): boolean {
  let saved: readonly Saved[] = [];
  for (const index of call.command.behind) {
    const command = call.interpreter.commands[index];
    if (command === undefined || command.remote !== call.command.remote) continue;
    saved = takesBack(command) ? [] : [...saved, ...(savedBy(command, call.interpreter) ?? [])];
  }
  if (saved.length === 0) return false;
  const { parsed, command } = call;
  const isAll =
    subcommand === 'reset' || hasFlag(parsed, '--force', '-f', '--pathspec-from-file', '--patch', '-p');
  const withStaged =
    isAll || hasFlag(parsed, '--source', '-s', '--staged', '-S') || hasCommit(call, subcommand);
  const fitting = saved.filter(({ staged }) => staged || !withStaged);
  if (fitting.some(({ paths }) => paths === undefined)) return true;
  if (isAll) return false;
  const written = command.effects.flatMap((effect) =>
    effect.type === 'path' && effect.use === 'write' ? [knownText(effect.path)] : [],
  );
  const kept = fitting.flatMap(({ paths = [] }) => paths.map(knownText));
  return written.length > 0 && written.every((path) => kept.some((one) => isAtOrBelow(path, one)));
}

function isAtOrBelow(path: string | undefined, folder: string | undefined): boolean {
  if (path === undefined || folder === undefined) return false;
  return path === folder || path.startsWith(`${folder}/`) || (folder === '.' && !/^(?:\/|\.\.)/.test(path));
}

/** `git checkout COMMIT -- a` overwrites staged changes as well. */
function hasCommit({ args, parsed }: Call, subcommand: string): boolean {
  if (subcommand !== 'checkout') return false;
  const dashes = args.findIndex(({ word }) => knownText(word) === '--');
  const [, first, second] = parsed.operands;
  return dashes < 0 ? second !== undefined : first !== undefined && first.arg < dashes;
}

/** True if it brings back saved changes, or throws them away. */
function takesBack({ name, operands, effects }: CommandBuilder): boolean {
  const [first, second] = operands.map((word) => knownText(word) ?? '');
  const isStash =
    name === 'git' && first === 'stash' && /^(?:pop|apply|drop|clear|branch)$/.test(second ?? '');
  const isDelete =
    !MOVES.has(name ?? '') && effects.some((effect) => effect.type === 'path' && effect.use === 'delete');
  return isStash || isDelete || name === 'patch' || (name === 'git' && /^(?:apply|am)$/.test(first ?? ''));
}

function savedBy(command: CommandBuilder, interpreter: Interpreter): readonly Saved[] | undefined {
  const found = findSaved(command);
  if (found === undefined) return undefined;
  const paths = found.paths?.map((word) => interpreter.resolve(word, command));
  return [{ ...found, paths }];
}

const MOVES = new Set(['mv', 'move-item']);
const COPIES = new Set(['cp', 'copy-item', ...MOVES]);

function findSaved(command: CommandBuilder): Saved | undefined {
  const { name, operands, subcommands, idle } = command;
  if (idle) return undefined;
  if (name !== undefined && COPIES.has(name)) return copiedBy(command);
  const [subcommand, nested] = operands.map((word) => knownText(word));
  if (name !== 'git') return undefined;
  const flagged = (...names: readonly string[]) => command.flags.some((flag) => names.includes(flag.name));
  if (flagged('--pathspec-from-file', '-p', '--patch', '-i', '--interactive')) return undefined;
  if (subcommand === 'stash') {
    if (flagged('-S', '--staged') || (nested !== undefined && nested !== 'push' && nested !== 'save'))
      return undefined;
    const paths = nested === 'save' ? [] : operands.slice(Math.max(2, subcommands));
    return withPaths(paths, true);
  }
  if (subcommand === 'commit') {
    const paths = operands.slice(1);
    const isAll = flagged('-a', '--all');
    return isAll || paths.length > 0 ? withPaths(isAll ? [] : paths, true) : undefined;
  }
  if (subcommand !== 'diff' || flagged('--cached', '--staged', ...NO_PATCH)) return undefined;
  const target = command.redirections.findLast(({ kind }) => kind === 'write' || kind === 'append')?.target;
  if (target === undefined || /^\/dev\//.test(leadingText(target))) return undefined;
  const isHead = nested === 'HEAD';
  const paths = operands.slice(isHead ? 2 : 1);
  return paths.some((word) => leadingText(word).includes('..')) ? undefined : withPaths(paths, isHead);
}

function withPaths(words: readonly Word[], staged: boolean): Saved | undefined {
  if (words.length === 0) return { paths: undefined, staged };
  // `:!a` leaves something out.
  if (words.some((word) => leadingText(word).startsWith(':'))) return undefined;
  return { paths: words, staged };
}

/** cp and mv leave their sources under another name. */
function copiedBy({ effects }: CommandBuilder): Saved | undefined {
  const taken = effects.flatMap((effect) =>
    effect.type === 'path' && effect.use === 'read' ? [effect.path] : [],
  );
  // Nothing is written where it goes to /dev/null.
  const isKept = effects.some((effect) => effect.type === 'path' && effect.use === 'write');
  return isKept ? { paths: taken, staged: false } : undefined;
}
