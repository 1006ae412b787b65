import { isFileUrl, readUrl } from '../../reading/url.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  textWord,
  type Word,
  withoutWildcards,
} from '../../reading/word.ts';
import type { Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag } from '../interpret/arguments.ts';
import { flagsInForce } from '../interpret/effects.ts';
import { argumentSpan, reach } from '../interpret/effects-of-words.ts';
import { fetched, type SavePlaces, saveDownloads, saveMirrors } from './saved-downloads.ts';

/** Flags of curl whose value is sent; `@file` in it is a file's content. */
const CURL_DATA = '-d --data --data-ascii --data-binary --data-urlencode --json -F --form --url-query';

const curl: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  if (hasFlag(parsed, '--help', '--version', '-V', '-M', '--manual')) return undefined;
  const uploads = flagsInForce(call, `${CURL_DATA} --data-raw --form-string -T --upload-file`);
  const use = uploads && !hasFlag(parsed, '-G', '--get') ? 'upload' : 'download';
  const urls = parsed.operands.map(({ word, arg }) => ({ word, arg }));
  for (const { name, value, arg } of parsed.flags) {
    if (value === undefined) continue;
    if (name === '--url') urls.push({ word: value, arg });
    if (CURL_DATA.split(' ').includes(name)) readData(value, call, arg, walker);
    if (name === '-H' || name === '--header') readData(value, call, arg, walker);
    if ((name === '-T' || name === '--upload-file') && knownText(value) !== '-' && knownText(value) !== '.') {
      walker.path(command, 'read', value, { span: argumentSpan(call, arg) });
    }
    if ((name === '-b' || name === '--cookie') && !leadingText(value).includes('=')) {
      walker.path(command, 'read', value, { span: argumentSpan(call, arg) });
    }
    // It connects there whatever host the URL names: `host:port:address`, `host:port:other:port`.
    const isRedirect = name === '--resolve' || name === '--connect-to';
    const place = isRedirect ? /^[^:]*:[^:]*:(.+)$/s.exec(leadingText(value))?.[1] : undefined;
    if (place !== undefined) reach(call, 'connect', joinWords(textWord(place), value.slice(1)), arg, 'http');
  }
  for (const { word, arg } of urls) {
    for (const place of hasFlag(parsed, '-g', '--globoff') ? [word] : unfold(word))
      reach(call, use, place, arg, 'http');
    const file = isFileUrl(leadingText(word)) ? readUrl(word)?.path : undefined;
    if (file !== undefined) walker.path(command, 'read', file, { span: argumentSpan(call, arg) });
  }
  const isAll = hasFlag(parsed, '--remote-name-all');
  const byName = isAll || hasFlag(parsed, '-O', '--remote-name');
  const printed = saveDownloads(call, urls, { file: '-o --output', folder: '--output-dir' }, byName, walker);
  // Each of these flags is for one URL; the others are printed.
  const saved = parsed.flags.filter(({ name }) => /^(?:-[oO]|--output|--remote-name)$/.test(name));
  return isAll || saved.length >= urls.length ? printed : fetched(call);
};

/** Ranges in a URL, `[1-9]` or `[a-z:2]`, and lists, `{a,b}`: curl takes them apart itself. */
const RANGE = /\[([0-9]+|[a-z])-(?:[0-9]+|[a-z])(?::[0-9]+)?\]/gi;
const MAX_PLACES = 16;
const LONGEST_PATTERN = 1024;

function unfold(url: Word): readonly Word[] {
  const plain = withoutWildcards(url);
  const written = leadingText(plain);
  if (!/[[{]/.test(written) || written.length > LONGEST_PATTERN) return [url];
  const lead = written.replace(RANGE, '$1');
  const rest = plain.slice(1);
  let found: readonly string[] = [lead];
  for (let list = LIST.exec(lead); list !== null; list = LIST.exec(found[0] ?? '')) {
    const [whole, names = ''] = list;
    found = found.flatMap((each) => names.split(',').map((name) => each.replace(whole, () => name)));
    if (found.length > MAX_PLACES) return [url];
  }
  return found.map((each) => joinWords(textWord(each), rest));
}

const LIST = /\{([^{}]*,[^{}]*)\}/;

/** `@file`, `name=@file`, `name=<file`, `name@file`: the file is read. */
function readData(value: Word, call: Call, arg: number, walker: Walker): void {
  const lead = leadingText(value);
  const match = /^(?:[^=@]*=)?[@<](?=.)|^[A-Za-z0-9_.-]*@/.exec(lead);
  const isUrlEncoded = call.parsed.flags.some((flag) => flag.arg === arg && flag.name === '--data-urlencode');
  if (match === null || (!/[=]?[@<]$/.test(match[0]) && !isUrlEncoded)) return;
  if (/^[A-Za-z0-9_.-]+@/.test(match[0]) && !isUrlEncoded) return;
  const file = joinWords(
    textWord(lead.slice(match[0].length).replace(/;(?:type|filename)=.*$/s, '')),
    value.slice(1),
  );
  if (file.length > 0 && knownText(file) !== '-')
    walker.path(call.command, 'read', file, { span: argumentSpan(call, arg) });
}

const wget: ProgramReader = (call, walker) => {
  const { parsed } = call;
  const uploads = flagsInForce(call, '--post-data --post-file --body-data --body-file');
  for (const { word, arg } of parsed.operands)
    reach(call, uploads ? 'upload' : 'download', word, arg, 'http');
  for (const { name, value, arg } of parsed.flags) {
    const setting = name === '-e' || name === '--execute' ? leadingText(value ?? EMPTY_WORD) : '';
    const start = /^\s*(?:https?|ftp)_proxy\s*=\s*/i.exec(setting)?.[0];
    if (start === undefined || value === undefined) continue;
    reach(call, 'connect', joinWords(textWord(setting.slice(start.length)), value.slice(1)), arg, 'http');
  }
  if (hasFlag(parsed, '--spider')) return EMPTY_WORD;
  const byName = !hasFlag(parsed, '-O', '--output-document');
  const printed = saveDownloads(
    call,
    parsed.operands,
    { file: '-O --output-document', folder: '-P --directory-prefix', index: 'index.html' },
    byName,
    walker,
  );
  if (byName && hasFlag(parsed, '-r', '--recursive', '-m', '--mirror', '-p', '--page-requisites', '-x'))
    saveMirrors(call, parsed.operands, flagValue(parsed, '-P', '--directory-prefix'), walker);
  return printed;
};

/** HTTPie and its kin: `[METHOD] URL [name=value | name@file | Header:value]…`. */
const httpie: ProgramReader = (call, walker) => {
  const { operands } = call.parsed;
  const isMethod = operands.length > 1 && /^[a-z]+$/i.test(leadingText(operands[0]?.word ?? EMPTY_WORD));
  const [url, ...items] = operands.slice(isMethod ? 1 : 0);
  if (url === undefined) return undefined;
  let sends = call.command.input !== undefined && !hasFlag(call.parsed, '-I', '--ignore-stdin', '--raw');
  for (const { word, arg } of items) {
    const lead = leadingText(word);
    const [, separator = ''] = /^[^=:@]*(==|:=@|=@|:=|=|@|:)/.exec(lead) ?? [];
    sends ||= separator !== ':' && separator !== '==' && separator !== '';
    if (!separator.endsWith('@')) continue;
    const file = joinWords(textWord(lead.slice(lead.indexOf('@') + 1)), word.slice(1));
    walker.path(call.command, 'read', file, { span: argumentSpan(call, arg) });
  }
  // `:8000/x` is on this machine.
  const isHere = leadingText(url.word).startsWith(':');
  const target = isHere ? joinWords(textWord('localhost'), url.word) : url.word;
  reach(
    call,
    sends ? 'upload' : 'download',
    target,
    url.arg,
    call.command.name?.endsWith('s') ? 'https' : 'http',
  );
  const byName = hasFlag(call.parsed, '-d', '--download') && !hasFlag(call.parsed, '-o', '--output');
  return saveDownloads(call, [{ ...url, word: target }], { file: '-o --output' }, byName, walker);
};

/** A program that saves what it fetches under a name that a flag gives, or else under that of the URL. */
function saver(places: SavePlaces): ProgramReader {
  return (call, walker) =>
    saveDownloads(call, call.parsed.operands, places, !flagsInForce(call, places.file), walker);
}

/** Programs that fetch and send over HTTP. */
export const FETCH_READERS: Readonly<Record<string, ProgramReader>> = {
  curl,
  wget,
  http: httpie,
  https: httpie,
  xh: httpie,
  xhs: httpie,
  aria2c: saver({ file: '-o --out', folder: '-d --dir' }),
  axel: saver({ file: '-o --output' }),
  'yt-dlp': saver({ file: '-o --output', folder: '-P --paths' }),
  ftp: saver({ file: '-o' }),
  fetch: saver({ file: '-o --output' }),
};
