import { baseName, inFolder } from '../../reading/path.ts';
import { isFileUrl, readUrl } from '../../reading/url.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  showWord,
  textWord,
  unknownWord,
  type Word,
  withoutWildcards,
  wordFrom,
} from '../../reading/word.ts';
import type { Call, Operand, ProgramReader } from '../../shell/scope/interpreter.ts';
import { addNetworkEffect, argumentSpan, usePath } from '../interpret/effects-of-words.ts';
import { flagValue, hasFlag } from '../interpret/flags.ts';

/** Flags of curl with which it sends something. */
const CURL_SENDS =
  '-d --data --data-ascii --data-binary --data-urlencode --json -F --form --url-query --data-raw --form-string -T --upload-file'.split(
    ' ',
  );

const curl: ProgramReader = (call) => {
  const { parsed, command, interpreter } = call;
  if (hasFlag(parsed, '--help', '--version', '-V', '-M', '--manual')) return undefined;
  const sends = hasFlag(parsed, ...CURL_SENDS) && !hasFlag(parsed, '-G', '--get');
  const urls = [...parsed.operands];
  for (const { name, value, arg } of parsed.flags) {
    if (value === undefined) continue;
    if (name === '--url') urls.push({ word: value, arg });
    const isFile = (name === '-b' || name === '--cookie') && !leadingText(value).includes('=');
    if (isFile) usePath(call, 'read', { word: value, arg });
    // It connects there, whichever host the URL names: `host:port:address`, `host:port:other:port`.
    const isRedirect = name === '--resolve' || name === '--connect-to';
    const place = isRedirect ? /^[^:]*:[^:]*:(.+)$/s.exec(leadingText(value))?.[1] : undefined;
    if (place !== undefined)
      addNetworkEffect(call, 'connect', joinWords(textWord(place), value.slice(1)), arg, 'http');
  }
  for (const { word, arg } of urls) {
    // curl takes ranges and lists apart on its own: `http://10.0.0.[1-9]`, `{a,b}.example`.
    const isOne = !/^(?:[a-z]+:\/\/)?[^/]*(?:\{|\[[\da-z]+-)/i.test(leadingText(withoutWildcards(word)));
    addNetworkEffect(
      call,
      sends ? 'upload' : 'download',
      isOne ? word : unknownWord(showWord(word)),
      arg,
      'http',
    );
    const file = isFileUrl(leadingText(word)) ? readUrl(word)?.path : undefined;
    if (file !== undefined) interpreter.path(command, 'read', file, { span: argumentSpan(call, arg) });
  }
  const isAll = hasFlag(parsed, '--remote-name-all');
  const byName = isAll || hasFlag(parsed, '-O', '--remote-name');
  const printed = saveDownloads(call, urls, { file: ['-o', '--output'], folder: ['--output-dir'] }, byName);
  // Each of these flags is for one URL; the others are printed.
  const saved = parsed.flags.filter(({ name }) => /^(?:-[oO]|--output|--remote-name)$/.test(name));
  return isAll || saved.length >= urls.length ? printed : fetched(call);
};

const wget: ProgramReader = (call) => {
  const { parsed, interpreter } = call;
  const uploads = hasFlag(parsed, '--post-data', '--post-file', '--body-data', '--body-file');
  for (const { word, arg } of parsed.operands)
    addNetworkEffect(call, uploads ? 'upload' : 'download', word, arg, 'http');
  if (hasFlag(parsed, '--spider')) return EMPTY_WORD;
  const byName = !hasFlag(parsed, '-O', '--output-document');
  const printed = saveDownloads(
    call,
    parsed.operands,
    { file: ['-O', '--output-document'], folder: ['-P', '--directory-prefix'], index: 'index.html' },
    byName,
  );
  if (byName && hasFlag(parsed, '-r', '--recursive', '-m', '--mirror', '-p', '--page-requisites', '-x'))
    interpreter.keepTree(call, flagValue(parsed, '-P', '--directory-prefix') ?? textWord('.'), fetched(call));
  return printed;
};

/** HTTPie and its kin: `[METHOD] URL [name=value | name@file | Header:value]…`. */
const httpie: ProgramReader = (call) => {
  const { operands } = call.parsed;
  const isMethod = operands.length > 1 && /^[a-z]+$/i.test(leadingText(operands[0]?.word ?? EMPTY_WORD));
  const [url, ...items] = operands.slice(isMethod ? 1 : 0);
  if (url === undefined) return undefined;
  let sends = call.command.input !== undefined && !hasFlag(call.parsed, '-I', '--ignore-stdin', '--raw');
  for (const { word, arg } of items) {
    const lead = leadingText(word);
    // `name=value`, `name:=json`, `name@file`, `name=@file`; a header has a colon, a query `==`.
    const [mark = ''] = /^[^=:@]*(?::?=(?!=)@?|@)/.exec(lead) ?? [];
    sends ||= mark !== '';
    if (mark.endsWith('@')) usePath(call, 'read', { word: wordFrom(word, mark.length), arg });
  }
  // `:8000/x` is on this machine.
  const isHere = leadingText(url.word).startsWith(':');
  const target = isHere ? joinWords(textWord('localhost'), url.word) : url.word;
  const scheme = call.command.name?.endsWith('s') ? 'https' : 'http';
  addNetworkEffect(call, sends ? 'upload' : 'download', target, url.arg, scheme);
  const byName = hasFlag(call.parsed, '-d', '--download') && !hasFlag(call.parsed, '-o', '--output');
  return saveDownloads(call, [{ ...url, word: target }], { file: ['-o', '--output'] }, byName);
};

/** A program that saves a download under a name that a flag gives, or else under that of the URL. */
const saver: ProgramReader = (call) => {
  const places = { file: ['-o', '--out', '--output'], folder: ['-d', '--dir'] };
  return saveDownloads(call, call.parsed.operands, places, !hasFlag(call.parsed, ...places.file));
};

/** Programs that fetch and send over HTTP. */
export const FETCH_READERS: Readonly<Record<string, ProgramReader>> = {
  curl,
  wget,
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
  aria2c: saver,
  axel: saver,
};

/** Flags that name the place of a download. */
interface SavePlaces {
  readonly file: readonly string[];
  readonly folder?: readonly string[];
  /** The name of the download from a URL that ends in a slash. */
  readonly index?: string;
}

/** The output of a program that fetches, with the addresses that it comes from. */
export function fetched(call: Call): Word {
  const urls = call.command.effects.filter((effect) => effect.type === 'network' && effect.use !== 'listen');
  const origins = urls.map((effect) => ({
    type: 'network' as const,
    source: effect.type === 'network' ? effect.target : EMPTY_WORD,
  }));
  return unknownWord(`the output of ${call.command.name ?? 'a program'}`, origins);
}

/** Names of a program's output instead of a file. */
const PRINTED = /^(?:-|\/dev\/(?:stdout|stderr|tty|fd\/\d+)|\/proc\/[^/]+\/fd\/\d+)$/;

/** Remembers the files that a download is saved in, so that running them later in the script is seen. Returns the printed part of it. */
export function saveDownloads(
  call: Call,
  urls: readonly Operand[],
  { file, folder, index }: SavePlaces,
  byName: boolean,
): Word {
  const { parsed, command, interpreter } = call;
  const content = fetched(call);
  const directory = folder === undefined ? undefined : flagValue(parsed, ...folder);
  const save = (name: Word, arg: number) => {
    const path = directory === undefined ? name : inFolder(directory, name);
    interpreter.path(command, 'write', path, { span: argumentSpan(call, arg) });
    interpreter.keepFile(call, path, content);
  };
  const targets = parsed.flags.filter(({ name, value }) => value !== undefined && file.includes(name));
  let isPrinted = targets.length === 0 && !byName;
  for (const { value = EMPTY_WORD, arg } of targets)
    if (PRINTED.test(knownText(value) ?? '')) isPrinted = true;
    else save(value, arg);
  for (const { word, arg } of byName ? urls : []) {
    const path = readUrl(word, 'http')?.path;
    const isFolder = path !== undefined && /(?:^|\/)$/.test(knownText(path) ?? '-');
    const name = isFolder ? textWord(index ?? '') : path === undefined ? EMPTY_WORD : baseName(path);
    if (knownText(name) !== undefined && name.length > 0) save(name, arg);
  }
  return isPrinted ? content : EMPTY_WORD;
}
