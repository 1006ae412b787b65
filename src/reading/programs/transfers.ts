import { flagValue, hasFlag } from '../arguments.ts';
import { flagsInForce } from '../effects.ts';
import type { NetworkEffect, Span } from '../reading.ts';
import { runShellText } from '../shell-text.ts';
import { readUrl } from '../url.ts';
import type { Call, ProgramReader, Walker } from '../walker.ts';
import {
  EMPTY_WORD,
  joinWords,
  knownText,
  leadingText,
  originsOf,
  textWord,
  unknownWord,
  type Word,
} from '../word.ts';
import { spaced } from './wrappers.ts';

function spanOf(call: Call, arg: number): Span {
  return call.args[arg]?.span ?? call.span;
}

function network(call: Call, use: NetworkEffect['use'], target: Word, arg: number, scheme: string): void {
  call.command.effects.push({ type: 'network', use, target, scheme, span: spanOf(call, arg) });
}

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
      walker.path(command, 'read', value, { span: spanOf(call, arg) });
    }
    if ((name === '-b' || name === '--cookie') && !leadingText(value).includes('=')) {
      walker.path(command, 'read', value, { span: spanOf(call, arg) });
    }
  }
  for (const { word, arg } of urls) {
    network(call, use, word, arg, 'http');
    const file = leadingText(word).startsWith('file:') ? readUrl(word)?.path : undefined;
    if (file !== undefined) walker.path(command, 'read', file, { span: spanOf(call, arg) });
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
    walker.path(call.command, 'read', file, { span: spanOf(call, arg) });
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
    walker.path(command, 'write', path, { span: spanOf(call, arg) });
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
    network(call, uploads ? 'upload' : 'download', word, arg, 'http');
  const target = flagValue(parsed, '-O', '--output-document');
  const discards = hasFlag(parsed, '--spider');
  saveDownloads(call, parsed.operands, '-O --output-document', target === undefined && !discards, walker);
  return target !== undefined && knownText(target) === '-' ? fetched(call) : EMPTY_WORD;
};

/** socat's addresses: `TCP:host:port`, `EXEC:program`, `FILE:path`. */
const socat: ProgramReader = (call, walker) => {
  const { operands } = call.parsed;
  for (const { word, arg } of operands) {
    const lead = leadingText(word);
    const [, kind = '', rest = ''] = /^([A-Za-z0-9-]+):(.*)$/s.exec(lead) ?? [];
    const target = joinWords(textWord(rest.replace(/,.*$/s, '')), word.slice(1));
    const span = spanOf(call, arg);
    if (/^(?:exec|system)$/i.test(kind)) runInner(call, target, span, walker);
    else if (/^(?:file|open|gopen|creat|pipe)$/i.test(kind))
      walker.path(call.command, 'write', target, { span });
    else if (/listen|recv/i.test(kind)) network(call, 'listen', target, arg, 'tcp');
    else if (/^(?:tcp|udp|ssl|openssl|sctp|socks|proxy|dccp)/i.test(kind))
      network(call, 'connect', target, arg, 'tcp');
  }
  return undefined;
};

/** ssh reaches a host, uses a key, and runs the command in ProxyCommand and LocalCommand here. */
const ssh: ProgramReader = (call, walker) => {
  const { parsed, command, args } = call;
  const host = parsed.operands[0];
  const copies = command.name === 'scp' || command.name === 'sftp';
  if (host !== undefined && !copies) network(call, 'connect', host.word, host.arg, 'ssh');
  for (const { name, value, arg } of parsed.flags) {
    if (value === undefined) continue;
    const span = args[arg]?.span ?? call.span;
    // A key that is used to log in is not shown.
    if (name === '-i') walker.path(command, 'list', value, { span });
    if (name === '-F') walker.path(command, 'read', value, { span });
    const lead = leadingText(value);
    const option = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*[=\s]\s*/i.exec(lead)?.[0];
    if (name !== '-o' || option === undefined) continue;
    runInner(call, joinWords(textWord(lead.slice(option.length)), value.slice(1)), span, walker);
  }
  return undefined;
};

/** nc and ncat: `-l` listens, `-e` and `-c` run a program for whoever connects. */
const netcat: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const listens = hasFlag(parsed, '-l', '--listen');
  if (listens)
    command.effects = command.effects.map((effect) =>
      effect.type === 'network' ? { ...effect, use: 'listen' } : effect,
    );
  for (const { name, value, arg } of parsed.flags) {
    const runs = name === '-e' || name === '-c' || name === '--exec' || name === '--sh-exec';
    if (runs && value !== undefined) runInner(call, value, spanOf(call, arg), walker);
  }
  return undefined;
};

/** A command in a text of its own: `nc -e /bin/sh`, `rsync -e 'ssh -i key'`. */
export function runInner(call: Call, script: Word, span: Span, walker: Walker): void {
  const via = [...call.place.via, { kind: 'wrapper' as const, name: call.command.name ?? '' }];
  runShellText(
    call,
    { word: script, span, at: undefined },
    { ...call.place, via, parent: call.index, input: undefined },
    'the command that is run',
    walker,
  );
}

const rsync: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const deletes = parsed.flags.some((flag) => flag.name.startsWith('--delete') || flag.name === '--del');
  const target = parsed.operands.at(-1);
  const harmless = hasFlag(parsed, '-n', '--dry-run');
  if (deletes && !harmless && target !== undefined && !leadingText(target.word).includes(':')) {
    walker.path(command, 'delete', target.word, { recursive: true, span: spanOf(call, target.arg) });
  }
  if (hasFlag(parsed, '--remove-source-files') && !harmless) {
    for (const { word, arg } of parsed.operands.slice(0, -1)) {
      walker.path(command, 'delete', word, { recursive: true, span: spanOf(call, arg) });
    }
  }
  for (const { name, value, arg } of parsed.flags) {
    if ((name === '-e' || name === '--rsh') && value !== undefined)
      runInner(call, value, spanOf(call, arg), walker);
  }
  return undefined;
};

/** dd's operands: `if=file of=file`. */
const dd: ProgramReader = (call, walker) => {
  let writes = false;
  call.args.forEach(({ word, span }) => {
    const lead = leadingText(word);
    const rest = joinWords(textWord(lead.slice(3)), word.slice(1));
    if (lead.startsWith('if=')) walker.path(call.command, 'read', rest, { span });
    if (!lead.startsWith('of=')) return;
    walker.path(call.command, 'write', rest, { span });
    writes = true;
  });
  return writes ? EMPTY_WORD : undefined;
};

/** cp, mv and the like: what is known of the first file's content is known of the second's. */
const copyContent: ProgramReader = (call, walker) => {
  const [from, to] = call.parsed.operands;
  if (from === undefined || to === undefined || call.parsed.operands.length > 2) return EMPTY_WORD;
  const content = walker.fileAt(call, from.word);
  if (content !== undefined) walker.keepFile(call, to.word, content);
  return EMPTY_WORD;
};

/** Flags of tar that take a program to run. */
const TAR_PROGRAMS = [
  '--to-command',
  '-I',
  '--use-compress-program',
  '--rsh-command',
  '--info-script',
  '-F',
  '--new-volume-script',
];

const tar: ProgramReader = (call, walker) => {
  const { command, args } = call;
  const parsed = tarArguments(call);
  for (const { name, value, span } of parsed.programs) {
    const script =
      name === '--checkpoint-action' ? (/^exec=(.*)$/s.exec(knownText(value) ?? '')?.[1] ?? '') : undefined;
    if (script === undefined) runInner(call, value, span, walker);
    else if (script !== '') runInner(call, textWord(script), span, walker);
  }
  const { mode, archive, directory, files } = parsed;
  const base = directory ?? textWord('.');
  const inBase = (word: Word) =>
    directory === undefined || leadingText(word).startsWith('/')
      ? word
      : joinWords(base, joinWords(textWord('/'), word));
  if (archive !== undefined && knownText(archive) !== '-') {
    const use = mode === 'x' || mode === 't' ? 'read' : 'write';
    walker.path(command, use, archive, { append: mode === 'r' || mode === 'u' });
  }
  if (mode === 'x') walker.path(command, 'write', base, { recursive: true });
  if (mode === 'c' || mode === 'r' || mode === 'u') {
    for (const file of files) walker.path(command, 'read', inBase(file), { recursive: true });
    const removes = args.some((arg) => knownText(arg.word) === '--remove-files');
    if (removes) for (const file of files) walker.path(command, 'delete', inBase(file), { recursive: true });
  }
  const fromInput = mode === 'x' && command.input !== undefined ? originsOf(command.input) : [];
  return mode === 't' || fromInput.length > 0 ? unknownWord('the output of tar', fromInput) : undefined;
};

interface TarArguments {
  readonly mode: string | undefined;
  readonly archive: Word | undefined;
  readonly directory: Word | undefined;
  readonly files: readonly Word[];
  readonly programs: readonly { readonly name: string; readonly value: Word; readonly span: Span }[];
}

/** tar takes its letters without a dash too (`tar xzf file`), with their values after them in order. */
function tarArguments(call: Call): TarArguments {
  const { parsed, args } = call;
  const first = knownText(args[0]?.word ?? EMPTY_WORD) ?? '';
  const oldStyle = /^[A-Za-z]+$/.test(first);
  const letters = oldStyle
    ? first
    : parsed.flags.map(({ name }) => (name.length === 2 ? name.slice(1) : '')).join('');
  const operands = parsed.operands.map((operand) => operand.word).slice(oldStyle ? 1 : 0);
  const takes = oldStyle ? [...first].filter((letter) => 'fCXTIbgHKLNVF'.includes(letter)) : [];
  const taken = new Map(takes.map((letter, index) => [letter, operands[index]]));
  const long = {
    '--create': 'c',
    '--extract': 'x',
    '--get': 'x',
    '--list': 't',
    '--append': 'r',
    '--update': 'u',
  } as const;
  const longMode = Object.entries(long).find(([name]) => hasFlag(parsed, name))?.[1];
  return {
    mode: longMode ?? /[cxtru]/.exec(letters)?.[0],
    archive: taken.get('f') ?? flagValue(parsed, '-f', '--file'),
    directory: taken.get('C') ?? flagValue(parsed, '-C', '--directory'),
    files: operands.slice(takes.length),
    programs: parsed.flags.flatMap(({ name, value, arg }) => {
      const runs = TAR_PROGRAMS.includes(name) || name === '--checkpoint-action';
      return runs && value !== undefined ? [{ name, value, span: spanOf(call, arg) }] : [];
    }),
  };
}

/** `sed -i` writes the files it reads; `sed -n '1e cmd'` and the `e` flag run commands. */
const sed: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const inPlace = hasFlag(parsed, '-i', '--in-place');
  const given = hasFlag(parsed, '-e', '--expression', '-f', '--file');
  for (const { word, arg } of parsed.operands.slice(given ? 0 : 1)) {
    walker.path(command, 'read', word, { span: spanOf(call, arg) });
    if (inPlace) walker.path(command, 'write', word, { span: spanOf(call, arg) });
  }
  const scripts = given
    ? parsed.flags
        .filter(({ name }) => name === '-e' || name === '--expression')
        .map(({ value }) => value ?? EMPTY_WORD)
    : parsed.operands.slice(0, 1).map(({ word }) => word);
  for (const script of scripts) {
    const run = /(?:^|[;{}\n]|[0-9$/])\s*e\s+([^;\n]+)/.exec(knownText(script) ?? '')?.[1];
    if (run !== undefined) runInner(call, textWord(run), call.span, walker);
    const target = /(?:^|[;{}\n]|[0-9$/])\s*[wW]\s+([^\s;}]+)/.exec(knownText(script) ?? '')?.[1];
    if (target !== undefined) walker.path(command, 'write', textWord(target));
    const source = /(?:^|[;{}\n]|[0-9$/])\s*[rR]\s+([^\s;}]+)/.exec(knownText(script) ?? '')?.[1];
    if (source !== undefined) walker.path(command, 'read', textWord(source));
  }
  return undefined;
};

/** `crontab file`, `at -f file`, and both with the script on standard input. */
const schedule: ProgramReader = (call, walker) => {
  const { input } = call.command;
  const reads = call.command.name !== 'crontab' || call.args.some((arg) => knownText(arg.word) === '-');
  if (input === undefined || !reads) return undefined;
  const known = knownText(input);
  const script =
    call.command.name === 'crontab' && known !== undefined
      ? textWord(known.replace(/^(?:@\w+|(?:\S+\s+){5})/gm, ''))
      : input;
  runInner(call, script, call.span, walker);
  return undefined;
};

/** Files tested with `test -f`, `[ -e ]`, `[[ -r ]]`. */
const test: ProgramReader = (call, walker) => {
  call.args.forEach((arg, index) => {
    const operator = knownText(call.args[index - 1]?.word ?? EMPTY_WORD);
    if (operator !== undefined && /^-[abcdefghkprstuwxGLNOS]$/.test(operator)) {
      walker.path(call.command, 'list', arg.word, { span: arg.span });
    }
  });
  return undefined;
};

/** `vim -c ':!cmd'`. */
const editor: ProgramReader = (call, walker) => {
  for (const { word, arg } of call.parsed.operands) {
    if (leadingText(word).startsWith('+')) runEditorCommand(word, call, spanOf(call, arg), walker);
  }
  for (const { name, value, arg } of call.parsed.flags) {
    if ((name === '-c' || name === '--cmd') && value !== undefined)
      runEditorCommand(value, call, spanOf(call, arg), walker);
  }
  return undefined;
};

function runEditorCommand(word: Word, call: Call, span: Span, walker: Walker): void {
  const run = /^[+:\s]*(?:silent\s+)?!(.+)$/s.exec(knownText(word) ?? '')?.[1];
  if (run !== undefined) runInner(call, textWord(run), span, walker);
}

/** Mounts of containers: what is mounted can be written inside. */
const container: ProgramReader = (call, walker) => {
  for (const { name, value, arg } of call.parsed.flags) {
    if (value === undefined) continue;
    const known = knownText(value) ?? leadingText(value);
    const span = spanOf(call, arg);
    if (name === '-v' || name === '--volume') {
      const [host = '', , mode = ''] = known.split(':');
      if (/^[./~]/.test(host))
        walker.path(call.command, mode.includes('ro') ? 'read' : 'write', textWord(host), {
          recursive: true,
          span,
        });
    }
    if (name === '--mount') {
      const host = /(?:^|,)(?:source|src)=([^,]+)/.exec(known)?.[1];
      if (host !== undefined && known.includes('type=bind')) {
        walker.path(
          call.command,
          /(?:^|,)(?:readonly|ro)(?:,|$|=true)/.test(known) ? 'read' : 'write',
          textWord(host),
          { recursive: true, span },
        );
      }
    }
  }
  return undefined;
};

/** cmd.exe: `cmd /c del x`. */
const commandPrompt: ProgramReader = (call, walker) => {
  const at = call.args.findIndex((arg) => /^\/[ckr]$/i.test(knownText(arg.word) ?? ''));
  const rest = call.args.slice(at + 1);
  if (at < 0 || rest.length === 0) return undefined;
  call.command.wrapper = true;
  runInner(call, rest.map((arg) => arg.word).reduce(spaced), call.span, walker);
  return undefined;
};

/** Readers of programs that move data about. */
export const TRANSFER_READERS: Readonly<Record<string, ProgramReader>> = {
  curl,
  wget,
  socat,
  ssh,
  autossh: ssh,
  mosh: ssh,
  scp: ssh,
  sftp: ssh,
  nc: netcat,
  ncat: netcat,
  netcat,
  rsync,
  dd,
  dcfldd: dd,
  cp: copyContent,
  mv: copyContent,
  install: copyContent,
  tar,
  bsdtar: tar,
  gtar: tar,
  sed,
  gsed: sed,
  crontab: schedule,
  at: schedule,
  batch: schedule,
  test,
  '[': test,
  '[[': test,
  vim: editor,
  vi: editor,
  nvim: editor,
  ex: editor,
  view: editor,
  docker: container,
  podman: container,
  nerdctl: container,
  cmd: commandPrompt,
};
