import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Flag } from '../../reading/reading.ts';
import {
  joinWords,
  knownText,
  leadingText,
  textWord,
  type Word,
  withoutWildcards,
} from '../../reading/word.ts';
import { sendText, setPort } from '../../shell/run/network-effects.ts';
import type { Call, ProgramReader } from '../../shell/scope/walker.ts';
import { hasFlag, parseArguments } from '../interpret/arguments.ts';
import { argumentSpan, reach } from '../interpret/effects-of-words.ts';
import { runInner } from '../interpret/run-inner.ts';
import { programSpec } from '../spec/rows.ts';
import { readSshConfig } from './ssh-config.ts';

/** socat's addresses: `TCP:host:port`, `EXEC:program`, `FILE:path`. */
const socat: ProgramReader = (call, walker) => {
  const { operands } = call.parsed;
  const oneWay = hasFlag(call.parsed, '-u', '-U');
  let sent = false;
  for (const [index, { word, arg }] of operands.entries()) {
    const isFirst = index === (hasFlag(call.parsed, '-U') ? 1 : 0);
    const lead = leadingText(word);
    // A path without a kind is a file that is opened.
    const written = /^[^:,]*\//.test(lead) ? `gopen:${lead}` : lead;
    const [, kind = '', rest = ''] = /^([A-Za-z0-9-]+):(.*)$/s.exec(written) ?? [];
    const target = joinWords(textWord(rest.replace(/,.*$/s, '')), word.slice(1));
    const span = argumentSpan(call, arg);
    if (/^(?:exec|system)$/i.test(kind)) runInner(call, target, span, walker);
    else if (/^(?:file|open|gopen|creat|create|pipe)$/i.test(kind)) {
      const isRead = !/^creat/i.test(kind) && !(oneWay && !isFirst);
      const isWritten = /^creat/i.test(kind) || !(oneWay && isFirst);
      if (isRead) walker.path(call.command, 'read', target, { span });
      if (isWritten) walker.path(call.command, 'write', target, { span });
      sent ||= isRead;
    } else if (/listen|recv/i.test(kind)) reach(call, 'listen', target, arg, 'tcp');
    else if (/^(?:tcp|udp|ssl|openssl|sctp|socks|proxy|dccp)/i.test(kind))
      reach(call, 'connect', target, arg, 'tcp');
  }
  if (sent) sendText(call.command, textWord('a file'));
  return undefined;
};

/** ssh reaches a host, uses a key, and runs the command in ProxyCommand and LocalCommand here. */
const ssh: ProgramReader = (call, walker) => {
  const { parsed, command, args } = call;
  const host = parsed.operands[0];
  const copies = command.name === 'scp' || command.name === 'sftp';
  if (host !== undefined && !copies) reach(call, 'connect', host.word, host.arg, 'ssh');
  const flags =
    copies || host === undefined ? parsed.flags : [...parsed.flags, ...flagsAfter(call, host.arg)];
  setPort(command, portIn(flags, copies ? '-P' : '-p'));
  for (const { name, value, arg } of flags) {
    if (value === undefined) continue;
    const span = args[arg]?.span ?? call.span;
    // A key that is used to log in is not shown.
    if (name === '-i') walker.path(command, 'list', value, { span });
    if (name === '-F') {
      walker.path(command, 'read', value, { span });
      readSshConfig(value, call, span, walker);
    }
    const lead = leadingText(value);
    addForward(call, name, value, arg);
    const hop =
      name === '-J' ? '' : name === '-o' ? /^(?:ProxyJump|HostName)\s*[=\s]\s*/i.exec(lead)?.[0] : undefined;
    if (hop !== undefined) {
      const hosts = joinWords(textWord(lead.slice(hop.length)), value.slice(1));
      for (const host of splitAtCommas(hosts))
        reach(call, 'connect', joinWords(textWord('ssh://'), host), arg, 'ssh');
    }
    const option = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*[=\s]\s*/i.exec(lead)?.[0];
    if (name !== '-o' || option === undefined) continue;
    runInner(call, joinWords(textWord(lead.slice(option.length)), value.slice(1)), span, walker);
  }
  return undefined;
};

/** `-W host:port`, `-L [address:]port:host:port`, `-R` the same, or as `-o LocalForward=…`: where a tunnel leads. */
function addForward(call: Call, name: string, value: Word, arg: number): void {
  const { text, placeholders } = withPlaceholders(withoutWildcards(value));
  if (text.length > LONGEST_FORWARD) return;
  const option = /^(?:Local|Remote)Forward\s*[=\s]\s*/i.exec(text)?.[0];
  const isOption = name === '-o' && option !== undefined;
  if (!isOption && name !== '-W' && name !== '-L' && name !== '-R') return;
  const places = (isOption ? text.slice(option.length) : text).replace(/\s+/, ':').match(PIECE) ?? [];
  const [host = '', port = ''] = places.slice(-2);
  // A port alone is one that listens, a path is a socket.
  if (places.length < (name === '-W' ? 2 : 3) || /\//.test(host + port)) return;
  reach(call, 'connect', fillPlaceholders(`${host}:${port}`, placeholders), arg, 'tcp');
}

const LONGEST_FORWARD = 1024;
/** What stands between colons, brackets aside. */
const PIECE = /\[[^\]]*\]|[^:[\]]+/g;

/** `first,second`: the hosts on the way. */
function splitAtCommas(hosts: Word): readonly Word[] {
  const known = knownText(hosts);
  return known === undefined ? [hosts] : known.split(',').map(textWord);
}

/** `-p 22`, `-o Port=22`. */
function portIn(flags: readonly Flag[], name: string): Word | undefined {
  for (const flag of flags) {
    if (flag.value === undefined) continue;
    if (flag.name === name) return flag.value;
    const lead = leadingText(flag.value);
    const option = flag.name === '-o' ? /^Port\s*[=\s]\s*/i.exec(lead)?.[0] : undefined;
    if (option !== undefined) return joinWords(textWord(lead.slice(option.length)), flag.value.slice(1));
  }
  return undefined;
}

/** ssh takes flags behind the host too. */
function flagsAfter({ args, command }: Call, host: number): readonly Flag[] {
  const { flags } = parseArguments(args.slice(host + 1), programSpec(command.name));
  return flags.map((flag) => ({ ...flag, arg: flag.arg + host + 1 }));
}

/** nc and ncat: `-l` listens, `-e` and `-c` run a program for whoever connects. */
const netcat: ProgramReader = (call) => {
  const { parsed, command } = call;
  const listens = hasFlag(parsed, '-l', '--listen');
  if (listens)
    command.effects = command.effects.map((effect) =>
      effect.type === 'network' ? { ...effect, use: 'listen' } : effect,
    );
  return undefined;
};

const rsync: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const deletes = parsed.flags.some((flag) => flag.name.startsWith('--delete') || flag.name === '--del');
  const target = parsed.operands.at(-1);
  const harmless = hasFlag(parsed, '-n', '--dry-run');
  if (deletes && !harmless && target !== undefined && !leadingText(target.word).includes(':')) {
    walker.path(command, 'delete', target.word, { recursive: true, span: argumentSpan(call, target.arg) });
  }
  if (hasFlag(parsed, '--remove-source-files') && !harmless) {
    for (const { word, arg } of parsed.operands.slice(0, -1)) {
      walker.path(command, 'delete', word, { recursive: true, span: argumentSpan(call, arg) });
    }
  }
  for (const { name, value, arg } of parsed.flags) {
    if ((name !== '-e' && name !== '--rsh') || value === undefined) continue;
    const before = walker.commands.length;
    runInner(call, value, argumentSpan(call, arg), walker);
    setPort(command, portIn(walker.commands[before]?.flags ?? [], '-p'));
  }
  return undefined;
};

/** Programs that connect to other machines, and what they run here meanwhile. */
export const CONNECTION_READERS: Readonly<Record<string, ProgramReader>> = {
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
};
