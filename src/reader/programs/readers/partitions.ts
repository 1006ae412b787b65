import { knownText } from '../../reading/word.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { usePath } from '../interpret/effects-of-words.ts';

/** Commands of parted that only show something, with how many words follow them. */
const SHOWS: Readonly<Record<string, number>> = {
  print: 0,
  p: 0,
  unit: 1,
  u: 1,
  'align-check': 2,
  version: 0,
  help: 0,
  quit: 0,
  q: 0,
};
/** What `print` may be followed by. */
const PRINTED = /^(?:devices|free|list|all|json|\d+)$/;

/** `parted DISK print` looks at a disk; with any other command, or with none, it may change it. */
const parted: ProgramReader = (call) => {
  const [disk, ...rest] = call.parsed.operands;
  if (disk === undefined || call.command.idle) return undefined;
  const words = rest.map(({ word }) => knownText(word) ?? '');
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const more = Object.hasOwn(SHOWS, word) ? SHOWS[word] : undefined;
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

/** Programs that change how a disk is divided. */
export const PARTITION_READERS: Readonly<Record<string, ProgramReader>> = { parted };
