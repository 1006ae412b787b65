import type { Effect, NetworkEffect, ReadCommand, Reading, Span } from '../../../reader/reading/reading.ts';
import { effectUrl } from '../../../reader/reading/url.ts';
import type { Word } from '../../../reader/reading/word.ts';

/** How much of a word is shown. */
const MAX_WORD_CHARS = 200;

const PATH_VERBS = {
  read: 'reads',
  write: 'writes',
  empty: 'empties',
  delete: 'deletes',
  list: 'lists',
  execute: 'runs the file',
  mention: 'is given',
} as const;

const NETWORK_VERBS = {
  upload: 'sends to',
  download: 'fetches',
  connect: 'connects to',
  listen: 'listens on',
} as const;

/** The same where no word names the place. */
const CONFIGURED = {
  upload: 'sends to its configured destination',
  download: 'fetches from its configured source',
  connect: 'connects to its configured destination',
  listen: 'listens where it is configured to',
} as const;

export interface ReadingTextOptions {
  /** False to leave out where each part is in the text. */
  readonly places: boolean;
}

const WITH_PLACES: ReadingTextOptions = { places: true };

/** A reading as a tree: commands with place and cause, inner commands and effects below them, unknown parts between `‹` and `›`. */
export function describeReading(
  reading: Reading,
  { places }: ReadingTextOptions = WITH_PLACES,
): readonly string[] {
  const lines: string[] = [];
  const depths: number[] = [];
  reading.commands.forEach((command, index) => {
    const depth = command.parent === undefined ? 0 : (depths[command.parent] ?? 0) + 1;
    depths[index] = depth;
    const indent = '  '.repeat(depth);
    const found = [...(places ? [placeOf(command.span)] : []), ...notes(command)];
    lines.push(`${indent}${commandLine(command)}${found.length === 0 ? '' : `  [${found.join('; ')}]`}`);
    for (const effect of command.effects) lines.push(`${indent}  - ${describeEffect(effect)}`);
  });
  for (const gap of reading.gaps) lines.push(`! ${gap.message}${places ? ` [${placeOf(gap.span)}]` : ''}`);
  return lines;
}

/** A command as it could be written: words in quotes where they need them. */
export function commandLine({ program, args, redirections }: ReadCommand): string {
  const words = program.length === 0 ? args : [program, ...args];
  const files = redirections.flatMap(({ kind, target }) => {
    const sign = {
      read: '<',
      write: '>',
      append: '>>',
      read_write: '<>',
      here_string: '<<<',
      here_document: '<<',
      duplicate: '',
    }[kind];
    return sign === '' || sign === '<<' ? [] : [`${sign} ${shown(target)}`];
  });
  return [...words.map(shown), ...files].join(' ');
}

function notes(command: ReadCommand): readonly string[] {
  const { via, privileged, remote, openEnded } = command;
  const found: string[] = [];
  if (via.length > 0)
    found.push(
      via.map(({ kind, name }) => (kind === 'substitution' ? name : `${name} (${kind})`)).join(' > '),
    );
  if (privileged) found.push('privileged');
  if (remote) found.push('remote');
  if (openEnded) found.push('more words may follow');
  return found;
}

/** One effect as the end of a sentence about the command. */
export function describeEffect(effect: Effect): string {
  switch (effect.type) {
    case 'path': {
      const verb = effect.append ? 'appends to' : PATH_VERBS[effect.use];
      if (effect.only !== undefined)
        return `${verb} what is named ${shown(effect.only)} below ${shown(effect.path)}`;
      const below = effect.chosen ? ' and some of what is below' : ' and everything below';
      const inside = effect.name === undefined ? '' : `, or ${shown(effect.name)} in it`;
      return `${verb} ${shown(effect.path)}${inside}${effect.recursive ? below : ''}`;
    }
    case 'network':
      return describePlace(effect);
    case 'remote_code': {
      const from = effect.source === undefined ? '' : ` from ${shown(effect.source)}`;
      return effect.origin === 'network' ? `runs code fetched${from}` : 'runs code out of a decoder';
    }
    default:
      return effect satisfies never;
  }
}

function describePlace(effect: NetworkEffect): string {
  const { use, target, port } = effect;
  if (target.length === 0) return CONFIGURED[use];
  const beside = port === undefined ? '' : `, port ${shown(port)}`;
  return `${NETWORK_VERBS[use]} ${shown(target)} (${effectUrl(effect)?.scheme ?? effect.scheme}${beside})`;
}

function placeOf({ start, end }: Span): string {
  return `${start}-${end}`;
}

function shown(word: Word): string {
  let text = '';
  for (const part of word) {
    if (part.type === 'unknown') text += `‹${part.source}›`;
    else text += part.type === 'glob' ? part.pattern : part.text;
  }
  const short = text.length > MAX_WORD_CHARS ? `${text.slice(0, MAX_WORD_CHARS)}…` : text;
  const plain = short !== '' && !/[\s'"\\;&|<>()#]/.test(short);
  return plain ? short : `'${short.replaceAll('\n', '⏎').replaceAll("'", "'\\''")}'`;
}
