import type { Redirection as SyntaxRedirection } from 'unbash';
import { LIMITS } from '../../reading/bounds.ts';
import { resolvePath } from '../../reading/path.ts';
import { fillPlaceholders } from '../../reading/placeholders.ts';
import type { Redirection } from '../../reading/reading.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { expandHereDocument, expandToOneWord, writtenAt } from '../expand/expand.ts';
import type { Expansion } from '../expand/expansion.ts';
import { offsetIn, spanIn } from '../parse/source.ts';
import type { CommandBuilder, Frame, Interpreter } from '../scope/interpreter.ts';
import { cwdOf, filesOf, setVariable, single, variableOf } from '../scope/scope.ts';
import { contentAt, keepContentAt } from '../scope/written-files.ts';
import { addPlace } from './network-effects.ts';

/** True if one of these may keep its command from running. */
export function mayFail(redirections: readonly Redirection[]): boolean {
  return redirections.some(
    ({ kind, target }) =>
      kind !== 'duplicate' && !kind.startsWith('here') && knownText(target) !== '/dev/null',
  );
}

export interface Redirected {
  readonly redirections: readonly Redirection[];
  /** The content of standard input, if it is redirected. */
  readonly input: Word | undefined;
  /** The file that standard output goes to; the empty word if it goes elsewhere than to the pipe or the caller. */
  readonly output: Word | undefined;
  readonly append: boolean;
}

const NO_REDIRECTIONS: Redirected = {
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

export function readRedirections(
  redirections: readonly SyntaxRedirection[],
  expansion: Expansion,
): Redirected {
  if (redirections.length === 0) return NO_REDIRECTIONS;
  const found: Redirection[] = [];
  let { input, output, append } = NO_REDIRECTIONS;
  for (const redirection of redirections) {
    if (found.length >= LIMITS.redirections) {
      const span = spanIn(expansion.source, redirection.pos, redirection.end);
      expansion.interpreter.gap('too_many_steps', span, 'The command has too many redirections to be read');
      break;
    }
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
    } else if (/^(?:write|append|read_write)$/.test(kind)) keepUnknown(target, expansion);
  }
  return { redirections: found, input, output, append };
}

/** Output to other descriptors than standard output is not followed: nobody knows the content of its file. */
function keepUnknown(target: Word, { scope, interpreter }: Expansion): void {
  const path = resolvePath(target, { cwd: cwdOf(scope), home: interpreter.context.home });
  const { budget } = interpreter;
  keepContentAt(filesOf(scope), path, unknownWord('what is written'), { certainty: 'certain', budget });
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
    const target = quoted ? fillPlaceholders(text, source.placeholders) : expandHereDocument(body, expansion);
    if (source.text.startsWith(knownText(target) ?? '\0', body.pos))
      notePlace(target, offsetIn(source, body.pos), expansion);
    return { kind: 'here_document', descriptor, target, span };
  }
  const target =
    redirection.target === undefined ? EMPTY_WORD : expandToOneWord(redirection.target, expansion);
  if (redirection.type === 'HereString') {
    const line = joinWords(target, textWord('\n'));
    const at =
      redirection.target === undefined ? undefined : writtenAt(redirection.target, target, expansion);
    notePlace(line, at, expansion);
    return { kind: 'here_string', descriptor, target: line, span };
  }
  const duplicates = redirection.operator === '<&' || redirection.operator === '>&';
  const isNumber = /^(?:[0-9]+-?|-)$/.test(knownText(target) ?? '');
  const opened = duplicates ? openedAs(knownText(target) ?? '', expansion) : undefined;
  if (opened !== undefined)
    return { kind: redirection.operator === '<&' ? 'read' : 'write', descriptor, target: opened, span };
  const kind = redirection.operator === '>&' && !isNumber ? 'write' : KINDS[redirection.operator];
  return { kind, descriptor, target, span };
}

/** Remembers the place of a text that is written as it is. */
function notePlace(text: Word, at: number | undefined, { interpreter }: Expansion): void {
  const [only] = text;
  if (at !== undefined && only?.type === 'text' && text.length === 1) interpreter.places.set(only, at);
}

/** `exec 3<>/dev/tcp/host/port`: later output to `&3` goes there. A command that reads from `exec < file` is not followed. */
export function rememberDescriptors(
  { redirections, input }: Redirected,
  { span }: CommandBuilder,
  { scope, interpreter }: Frame,
): void {
  for (const { descriptor, kind, target } of redirections) {
    if (descriptor !== undefined && kind !== 'duplicate' && isConnection(target))
      setVariable(scope, descriptorVariable(String(descriptor)), single(target, true));
  }
  if (input !== undefined)
    interpreter.gap('unknown_script', span, 'Cannot follow what reads the input that exec opens');
}

function openedAs(descriptor: string, { scope }: Expansion): Word | undefined {
  return variableOf(scope, descriptorVariable(descriptor))?.values.at(-1);
}

/** The variable under which an open descriptor is remembered. */
function descriptorVariable(descriptor: string): string {
  return `descriptor ${descriptor}`;
}

function inputOf({ kind, target }: Redirection, expansion: Expansion): Word {
  if (kind === 'here_document' || kind === 'here_string') return target;
  if (kind === 'duplicate') return unknownWord('a descriptor');
  return readFile(target, expansion);
}

/** The content of a file as far as the script tells; unknown with the file as origin if it does not. */
function readFile(target: Word, { scope, interpreter }: Expansion): Word {
  const [only] = target;
  const content = only !== undefined && target.length === 1 ? interpreter.contents.get(only) : undefined;
  if (content !== undefined) return content;
  if (isConnection(target)) {
    return unknownWord('the data from the network', [{ type: 'network', source: target }]);
  }
  const path = resolvePath(target, { cwd: cwdOf(scope), home: interpreter.context.home });
  return (
    contentAt(filesOf(scope), path, interpreter.budget) ??
    unknownWord('the content of a file', [{ type: 'file', source: path }])
  );
}

const TO_NETWORK = /^\/dev\/(tcp|udp)\/(.*)$/s;

/** True for the paths that shells make a connection of. */
export function isConnection(target: Word): boolean {
  return TO_NETWORK.test(leadingText(target));
}

export function addRedirectionEffects(
  command: CommandBuilder,
  redirections: readonly Redirection[],
  interpreter: Interpreter,
): void {
  for (const { kind, target, span } of redirections) {
    if (kind === 'duplicate' || kind === 'here_document' || kind === 'here_string') continue;
    const [only] = target;
    if (only !== undefined && interpreter.contents.has(only)) continue;
    const match = TO_NETWORK.exec(leadingText(target));
    if (match !== null) {
      const place = joinWords(textWord((match[2] ?? '').replace('/', ':')), target.slice(1));
      addPlace(command, 'connect', place, match[1] ?? 'tcp', span);
      continue;
    }
    if (kind === 'read' || kind === 'read_write') interpreter.path(command, 'read', target, { span });
    if (kind !== 'read') interpreter.path(command, 'write', target, { span, append: kind === 'append' });
  }
}
