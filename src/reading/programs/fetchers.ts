import { flagValue, hasFlag } from '../arguments.ts';
import { flagsInForce } from '../effects.ts';
import { readUrl } from '../url.ts';
import type { Call, ProgramReader, Walker } from '../walker.ts';
import { EMPTY_WORD, joinWords, knownText, leadingText, textWord, unknownWord, type Word } from '../word.ts';
import { argumentSpan, reach } from './effects-of-words.ts';

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
  }
  for (const { word, arg } of urls) {
    reach(call, use, word, arg, 'http');
    const file = leadingText(word).startsWith('file:') ? readUrl(word)?.path : undefined;
    if (file !== undefined) walker.path(command, 'read', file, { span: argumentSpan(call, arg) });
  }
  saveDownloads(
    call,
    urls,
    '-o --output',
    hasFlag(parsed, '-O', '--remote-name', '--remote-name-all', '-J'),
    walker,
  );
  const saved = flagsInForce(call, '-o --output -O --remote-name --remote-name-all');
  return saved ? EMPTY_WORD : fetched(call);
};

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

/** Where what is fetched is put: it is remembered, so that running it later in the script is seen. */
function saveDownloads(
  call: Call,
  urls: readonly { readonly word: Word; readonly arg: number }[],
  flags: string,
  byName: boolean,
  walker: Walker,
): void {
  const { parsed, command } = call;
  const content = fetched(call);
  const directory = flagValue(parsed, '--output-dir', '-P', '--directory-prefix');
  const save = (file: Word, arg: number) => {
    const path = directory === undefined ? file : joinWords(directory, joinWords(textWord('/'), file));
    walker.path(command, 'write', path, { span: argumentSpan(call, arg) });
    walker.keepFile(call, path, content);
  };
  for (const { name, value, arg } of parsed.flags) {
    if (value !== undefined && flags.split(' ').includes(name) && knownText(value) !== '-') save(value, arg);
  }
  if (!byName) return;
  for (const { word, arg } of urls) {
    const path = knownText(readUrl(word, 'http')?.path ?? unknownWord(''));
    const name = path?.slice(path.lastIndexOf('/') + 1);
    if (name !== undefined && name !== '') save(textWord(name), arg);
  }
}

/** What a program that fetches prints or saves. */
function fetched(call: Call): Word {
  const urls = call.command.effects.filter((effect) => effect.type === 'network' && effect.use !== 'listen');
  const origins = urls.map((effect) => ({
    type: 'network' as const,
    source: effect.type === 'network' ? effect.target : EMPTY_WORD,
  }));
  return unknownWord(`the output of ${call.command.name ?? 'a program'}`, origins);
}

const wget: ProgramReader = (call, walker) => {
  const { parsed } = call;
  const uploads = flagsInForce(call, '--post-data --post-file --body-data --body-file');
  for (const { word, arg } of parsed.operands)
    reach(call, uploads ? 'upload' : 'download', word, arg, 'http');
  const target = flagValue(parsed, '-O', '--output-document');
  const discards = hasFlag(parsed, '--spider');
  saveDownloads(call, parsed.operands, '-O --output-document', target === undefined && !discards, walker);
  return target !== undefined && knownText(target) === '-' ? fetched(call) : EMPTY_WORD;
};

/** Programs that fetch and send over HTTP. */
export const FETCH_READERS: Readonly<Record<string, ProgramReader>> = {
  curl,
  wget,
};
