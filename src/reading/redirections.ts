import type { Redirection as SyntaxRedirection } from 'unbash';
import { expandHereDocument, expandWhole } from './expand.ts';
import type { Expansion } from './expansion.ts';
import { fillHoles } from './holes.ts';
import { resolvePath } from './path.ts';
import type { NetworkEffect, Redirection } from './reading.ts';
import { cwdOf, fileContent } from './scope.ts';
import { spanIn } from './source.ts';
import type { Draft, Walker } from './walker.ts';
import { EMPTY_WORD, joinWords, knownText, leadingText, textWord, unknownWord, type Word } from './word.ts';

/** What the redirections of a command come to. */
export interface Redirected {
  readonly redirections: readonly Redirection[];
  /** What standard input is, if it is redirected. */
  readonly input: Word | undefined;
  /** The file that standard output goes to; the empty word if it goes elsewhere than to the pipe or the caller. */
  readonly output: Word | undefined;
  readonly append: boolean;
}

/** No redirections at all. */
export const NO_REDIRECTIONS: Redirected = {
  redirections: [],
  input: undefined,
  output: undefined,
  append: false,
};

const KINDS = {
  '>': 'write',
  '>|': 'write',
  '&>': 'write',
  '>>': 'append',
  '&>>': 'append',
  '<': 'read',
  '<>': 'read_write',
  '<&': 'duplicate',
  '>&': 'duplicate',
} as const;

/** Expands the redirections of a command. */
export function readRedirections(
  redirections: readonly SyntaxRedirection[],
  expansion: Expansion,
): Redirected {
  if (redirections.length === 0) return NO_REDIRECTIONS;
  const found: Redirection[] = [];
  let { input, output, append } = NO_REDIRECTIONS;
  for (const redirection of redirections) {
    const read = readRedirection(redirection, expansion);
    found.push(read);
    const { kind, descriptor, target } = read;
    const isInput = descriptor === undefined ? redirection.operator.startsWith('<') : descriptor === 0;
    const isOutput = descriptor === undefined ? !redirection.operator.startsWith('<') : descriptor === 1;
    if (isInput && !isOutput) input = inputOf(read, expansion);
    else if (isOutput && kind === 'duplicate') output = EMPTY_WORD;
    else if (isOutput) {
      output = target;
      append = kind === 'append';
    }
  }
  return { redirections: found, input, output, append };
}

function readRedirection(redirection: SyntaxRedirection, expansion: Expansion): Redirection {
  const { source } = expansion;
  const span = spanIn(source, redirection.pos, redirection.end);
  const { descriptor: written } = redirection;
  const descriptor = written?.type === 'FileDescriptor' ? written.value : undefined;
  if (redirection.type === 'HereDoc') {
    const { body, operator, delimiter } = redirection;
    const text = operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text;
    const quoted = delimiter?.quoted === true || body.parts === undefined;
    const target = quoted ? fillHoles(text, source.holes) : expandHereDocument(body, expansion);
    return { kind: 'here_document', descriptor, target, span };
  }
  const target = redirection.target === undefined ? EMPTY_WORD : expandWhole(redirection.target, expansion);
  if (redirection.type === 'HereString') {
    return { kind: 'here_string', descriptor, target: joinWords(target, textWord('\n')), span };
  }
  const duplicates = redirection.operator === '<&' || redirection.operator === '>&';
  const isNumber = /^(?:[0-9]+-?|-)$/.test(knownText(target) ?? '');
  const kind = duplicates && !isNumber ? 'write' : KINDS[redirection.operator];
  return { kind, descriptor, target, span };
}

function inputOf({ kind, target }: Redirection, expansion: Expansion): Word {
  if (kind === 'here_document' || kind === 'here_string') return target;
  if (kind === 'duplicate') return unknownWord('a descriptor');
  return readFile(target, expansion);
}

/** The content of a file as far as the script tells; unknown with the file as origin if it does not. */
function readFile(target: Word, { place, walker }: Expansion): Word {
  const [only] = target;
  const content = only !== undefined && target.length === 1 ? walker.contents.get(only) : undefined;
  if (content !== undefined) return content;
  if (TO_NETWORK.test(leadingText(target))) {
    return unknownWord('what comes from the network', [{ type: 'network', source: target }]);
  }
  const path = resolvePath(target, { cwd: cwdOf(place.scope), home: walker.context.home });
  return (
    fileContent(place.scope, path) ?? unknownWord('the content of a file', [{ type: 'file', source: path }])
  );
}

const TO_NETWORK = /^\/dev\/(tcp|udp)\/(.*)$/s;

/** Adds what the redirections of a command do. */
export function addRedirectionEffects(
  command: Draft,
  redirections: readonly Redirection[],
  walker: Walker,
): void {
  for (const { kind, target, span } of redirections) {
    if (kind === 'duplicate' || kind === 'here_document' || kind === 'here_string') continue;
    const [only] = target;
    if (only !== undefined && walker.contents.has(only)) continue;
    const match = TO_NETWORK.exec(leadingText(target));
    if (match !== null) {
      command.effects.push(connection(match[1] ?? 'tcp', match[2] ?? '', target, span));
      continue;
    }
    if (kind === 'read' || kind === 'read_write') walker.path(command, 'read', target, { span });
    if (kind !== 'read') walker.path(command, 'write', target, { span, append: kind === 'append' });
  }
}

function connection(scheme: string, rest: string, target: Word, span: NetworkEffect['span']): NetworkEffect {
  const place = joinWords(textWord(rest.replace('/', ':')), target.slice(1));
  return { type: 'network', use: 'connect', target: place, scheme, span };
}
