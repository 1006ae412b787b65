import { takeChars } from '../../reading/bounds.ts';
import {
  joinWords,
  knownChars,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
} from '../../reading/word.ts';
import { addPlace } from '../../shell/run/network-effects.ts';
import { noteFetchedRun } from '../interpret/fetched-runs.ts';
import type { FoundCall } from './code.ts';
import type { CallUse } from './code-calls.ts';
import type { CodePlace } from './code-place.ts';
import { readOpen } from './open-call.ts';
import { commandLine, inDirectory, runProgram, runShell, runWords } from './run-from-code.ts';
import { textValue, UNKNOWN_VALUE, type Value, wordOf } from './values.ts';

/** What the name of a file may go without where it is loaded. */
const ENDINGS: Readonly<Partial<Record<CodePlace['language'], readonly string[]>>> = {
  javascript: ['', '.js', '.cjs', '.mjs', '.ts'],
  ruby: ['', '.rb'],
};

/** The commands of which all is true that is true of a call with two paths. */
const COMMANDS = {
  move: ['mv'],
  copy: ['cp', '-r'],
  'copy-tree': ['cp', '-rT'],
  link: ['ln', '-T'],
  symlink: ['ln', '-sT'],
} as const;

/**
 * Does what the table says of a call.
 *
 * @param runCode reads a text as code of the same language
 */
export function useCall(
  kind: CallUse,
  found: FoundCall,
  place: CodePlace,
  runCode: (source: Word, place: CodePlace) => void,
): void {
  const { args, receiver } = found;
  const [first, second] = args;
  const { call, walker, span } = place;
  const path = (word: Word, how: 'read' | 'write' | 'delete' | 'list', recursive = false) => {
    if (leadingText(word).includes('://')) network(word, 'download', place);
    else walker.path(call.command, how, word, { recursive, span });
  };
  const subject = wordOf(first ?? found.named.get('file') ?? found.named.get('path') ?? receiver);
  // `Path("x").unlink()`, `Path("x").write_text(data)`: the path stands before the dot.
  const own = receiver?.type === 'text' ? receiver.word : subject;
  switch (kind) {
    case 'shell':
      if (args.length > 0)
        runShell(first?.type === 'list' ? commandLine(first.items) : subject, inDirectory(found, place));
      return;
    case 'argv':
    case 'program':
      runProgram(kind, found, place);
      return;
    case 'code':
      if (args.length > 0) runCode(subject, place);
      return;
    case 'load':
      // Other names are those of modules.
      if (!/^[./~]/.test(leadingText(subject)) && place.language === 'javascript') return;
      if (!/[./]/.test(leadingText(subject)) && place.language === 'ruby') return;
      path(subject, 'read');
      // Data runs nothing.
      if (!showWord(subject).endsWith('.json'))
        for (const ending of ENDINGS[place.language] ?? [''])
          noteFetchedRun(call, joinWords(subject, textWord(ending)), span, walker);
      return;
    case 'chdir':
      if (args.length > 0) enter(subject, place);
      return;
    case 'read':
    case 'list':
      path(own, kind);
      return;
    case 'write':
    case 'write-tree':
      path(own, 'write', kind === 'write-tree');
      return;
    case 'delete':
      for (const word of deleted(found, place, own)) path(word, 'delete');
      return;
    case 'delete-tree':
      for (const word of deleted(found, place, own)) path(word, 'delete', true);
      return;
    case 'open':
      readOpen(found, place, (word) => runShell(word, place));
      return;
    case 'move':
    case 'copy':
    case 'copy-tree':
    case 'link':
    case 'symlink': {
      const words = COMMANDS[kind].map((word) => textValue(textWord(word)));
      const other = receiver?.type === 'text' ? (first ?? UNKNOWN_VALUE) : (second ?? UNKNOWN_VALUE);
      const paths = [textValue(own), other];
      // `Path(link).symlink_to(target)`.
      const isTurned = receiver?.type === 'text' && (kind === 'link' || kind === 'symlink');
      runWords([...words, ...(isTurned ? paths.reverse() : paths)], place);
      return;
    }
    case 'rights':
      walker.path(call.command, 'write', own, { bars: true, span });
      return;
    case 'download':
    case 'upload':
    case 'connect':
    case 'listen':
      if (args.length > 0 || found.named.has('url')) network(hostOf(found), kind, place);
      return;
    case 'save': {
      if (args.length === 0) return;
      network(subject, 'download', place);
      const file = wordOf(second ?? found.named.get('filename') ?? found.named.get('destfile'));
      walker.path(call.command, 'write', file, { span });
      walker.keepFile(call, file, unknownWord('what is fetched', [{ type: 'network', source: subject }]));
      return;
    }
    case 'request':
      network(wordOf(second ?? found.named.get('url')), 'connect', place);
      return;
    default:
      kind satisfies never;
  }
}

/** Goes to a folder, as far as paths may still be put together. */
function enter(folder: Word, { call, walker, folder: place }: CodePlace): void {
  const cwd = walker.resolve(folder, call.command);
  place.cwd = takeChars(walker.budget, knownChars(cwd)) ? cwd : unknownWord('a folder');
}

/** The paths that a call deletes: in Perl and Ruby each of its arguments. */
function deleted({ args }: FoundCall, { language }: CodePlace, own: Word): readonly Word[] {
  const [first] = args;
  if (first?.type === 'list') return first.items.map(wordOf);
  if (language !== 'perl' && language !== 'ruby') return [own];
  const paths = args
    .flatMap((arg) => (arg.type === 'list' ? arg.items : [arg]))
    .filter(({ type }) => type === 'text');
  return paths.length > 1 ? paths.map(wordOf) : [own];
}

/** A URL, a host, or a host and a port. */
function hostOf({ args, named }: FoundCall): Word {
  const [first, second] = args;
  const given = first ?? named.get('url');
  if (given?.type === 'list') return withPort(given.items[0], given.items[1]);
  if (given?.type === 'object') {
    const host = given.entries.get('host') ?? given.entries.get('hostname') ?? given.entries.get('url');
    return withPort(host, given.entries.get('port'));
  }
  const isPort = /^[0-9]+$/.test(knownText(wordOf(given)) ?? '');
  return isPort ? withPort(second, given) : wordOf(given);
}

function withPort(host: Value | undefined, port: Value | undefined): Word {
  return port === undefined ? wordOf(host) : joinWords(joinWords(wordOf(host), textWord(':')), wordOf(port));
}

function network(
  target: Word,
  how: 'download' | 'upload' | 'connect' | 'listen',
  { call, span }: CodePlace,
): void {
  addPlace(call.command, how, target, 'http', span);
}
