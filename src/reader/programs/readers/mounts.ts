import { readRemotePath } from '../../reading/url.ts';
import { EMPTY_WORD, knownText, leadingText } from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { hasFlag } from '../interpret/flags.ts';

/** What is mounted on a folder is in the place of all that is there; a folder that is mounted is like a link to it. */
const mount: ProgramReader = (call) => {
  const { parsed, command, interpreter } = call;
  const valuesOf = (...names: readonly string[]) =>
    parsed.flags.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
  const options = valuesOf('-o', '--options').flatMap((value) => (knownText(value) ?? '').split(','));
  // What is there stays, under other rules.
  if (options.includes('remount') || parsed.flags.some(({ name }) => name.startsWith('--make-')))
    return undefined;
  const words = [
    ...valuesOf('--source'),
    ...parsed.operands.map(({ word }) => word),
    ...valuesOf('--target'),
  ];
  const [source] = words;
  const folder = words.at(-1) ?? EMPTY_WORD;
  interpreter.path(command, 'write', folder, { recursive: true });
  if (source === undefined || words.length < 2) return undefined;
  const isFolder =
    hasFlag(parsed, '-B', '--bind', '-R', '--rbind', '-M', '--move') ||
    options.some((option) => option === 'bind' || option === 'rbind');
  const isShare = /^(?:\/\/|\\\\)[^/\\]/.test(leadingText(source));
  if (isShare || readRemotePath(source) !== undefined) {
    command.effects = command.effects.filter((effect) => effect.type !== 'path' || effect.written !== source);
    addPlace(command, 'connect', source, isShare ? 'smb' : 'nfs', call.span);
    return undefined;
  }
  interpreter.path(command, 'read', source, { recursive: isFolder });
  if (isFolder) interpreter.keepLink(call, folder, interpreter.resolve(source, command));
  return undefined;
};

/** Programs that put one folder in the place of another. */
export const MOUNT_READERS: Readonly<Record<string, ProgramReader>> = { mount };
