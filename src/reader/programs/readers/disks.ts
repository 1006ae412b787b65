import { readRemotePath } from '../../reading/url.ts';
import { EMPTY_WORD, knownText, leadingText } from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { usePath } from '../interpret/effects-of-words.ts';
import { hasFlag } from '../interpret/flags.ts';

/** A mount hides the files of its folder; a folder that is mounted is like a link to it. */
const mount: ProgramReader = (call) => {
  const { parsed, command, interpreter } = call;
  const valuesOf = (...names: readonly string[]) =>
    parsed.flags.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
  const options = valuesOf('-o', '--options').flatMap((value) => (knownText(value) ?? '').split(','));
  // A remount keeps the files and changes the rules.
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

/** Commands of parted that only show something, with how many words follow them. */
const SHOWS: ReadonlyMap<string, number> = new Map(
  Object.entries({ print: 0, p: 0, unit: 1, u: 1, 'align-check': 2, version: 0, help: 0, quit: 0, q: 0 }),
);
/** The words that may follow `print`. */
const PRINTED = /^(?:devices|free|list|all|json|\d+)$/;

/** `parted DISK print` looks at a disk; with any other command, or with none, it may change it. */
const parted: ProgramReader = (call) => {
  const [disk, ...rest] = call.parsed.operands;
  if (disk === undefined || call.command.idle) return undefined;
  const words = rest.map(({ word }) => knownText(word) ?? '');
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const more = SHOWS.get(word);
    if (more === undefined) return write();
    at += more;
    if (/^p/.test(word) && PRINTED.test(words[at + 1] ?? '')) at++;
  }
  return words.length === 0 ? write() : undefined;

  function write(): undefined {
    if (disk !== undefined) usePath(call, 'write', disk);
    return undefined;
  }
};

/** Programs that mount one folder over another, or change how a disk is divided. */
export const DISK_READERS: Readonly<Record<string, ProgramReader>> = { mount, parted };
