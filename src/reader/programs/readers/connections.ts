import type { Flag } from '../../reading/reading.ts';
import { joinWords, knownText, leadingText, textWord, type Word, wordFrom } from '../../reading/word.ts';
import { sendText, setPort } from '../../shell/run/network-effects.ts';
import type { Call, ProgramReader } from '../../shell/scope/interpreter.ts';
import { parseArguments } from '../interpret/arguments.ts';
import { addNetworkEffect, argumentSpan, usePath } from '../interpret/effects-of-words.ts';
import { hasFlag } from '../interpret/flags.ts';
import { runInner } from '../interpret/run-inner.ts';
import { programRow } from '../spec/rows.ts';

/** socat's addresses: `TCP:host:port`, `EXEC:program`, `FILE:path`. */
const socat: ProgramReader = (call) => {
  const oneWay = hasFlag(call.parsed, '-u');
  let sent = false;
  for (const [index, { word, arg }] of call.parsed.operands.entries()) {
    const lead = leadingText(word);
    // A path without a kind is a file that is opened.
    const written = /^[^:,]*\//.test(lead) ? `gopen:${lead}` : lead;
    const [, kind = '', rest = ''] = /^([A-Za-z0-9-]+):(.*)$/s.exec(written) ?? [];
    const target = joinWords(textWord(rest.replace(/,.*$/s, '')), word.slice(1));
    const span = argumentSpan(call, arg);
    if (/^(?:exec|system)$/i.test(kind)) runInner(call, target, span);
    else if (/^(?:file|open|gopen|creat|create|pipe)$/i.test(kind)) {
      const isMade = /^creat/i.test(kind) || (oneWay && index > 0);
      if (!isMade) call.interpreter.path(call.command, 'read', target, { span });
      if (isMade || !oneWay) call.interpreter.path(call.command, 'write', target, { span });
      sent ||= !isMade;
    } else if (/listen|recv/i.test(kind)) addNetworkEffect(call, 'listen', target, arg, 'tcp');
    else if (/^(?:tcp|udp|ssl|openssl|sctp|socks|proxy|dccp)/i.test(kind))
      addNetworkEffect(call, 'connect', target, arg, 'tcp');
  }
  if (sent) sendText(call.command, textWord('a file'));
  return undefined;
};

/** Options of ssh whose value is run here, and those that lead it to another host. */
const RUN_OPTION = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*[=\s]\s*/i;
const HOP_OPTION = /^(?:ProxyJump|HostName)\s*[=\s]\s*/i;

/** ssh reaches a host, uses a key, and runs the command in ProxyCommand and LocalCommand here. */
const ssh: ProgramReader = (call) => {
  const { parsed, command, interpreter } = call;
  const host = parsed.operands[0];
  const copies = command.name === 'scp' || command.name === 'sftp';
  if (host !== undefined && !copies) addNetworkEffect(call, 'connect', host.word, host.arg, 'ssh');
  const flags =
    copies || host === undefined ? parsed.flags : [...parsed.flags, ...flagsAfter(call, host.arg)];
  setPort(command, flags.find(({ name }) => name === (copies ? '-P' : '-p'))?.value);
  for (const { name, value, arg } of flags) {
    if (value === undefined) continue;
    const span = argumentSpan(call, arg);
    const lead = leadingText(value);
    // A key that is used to log in is not shown.
    if (name === '-i') interpreter.path(command, 'list', value, { span });
    if (name === '-F') interpreter.path(command, 'read', value, { span });
    const hop = name === '-o' ? HOP_OPTION.exec(lead)?.[0] : undefined;
    if (name === '-J' || hop !== undefined)
      for (const each of splitAtCommas(wordFrom(value, hop?.length ?? 0)))
        addNetworkEffect(call, 'connect', joinWords(textWord('ssh://'), each), arg, 'ssh');
    const option = name === '-o' ? RUN_OPTION.exec(lead)?.[0] : undefined;
    if (option !== undefined) runInner(call, wordFrom(value, option.length), span);
  }
  return undefined;
};

/** `first,second`: the hosts on the way. */
function splitAtCommas(hosts: Word): readonly Word[] {
  const known = knownText(hosts);
  return known === undefined ? [hosts] : known.split(',').map(textWord);
}

/** ssh takes flags behind the host too. */
function flagsAfter({ args, command }: Call, host: number): readonly Flag[] {
  const { flags } = parseArguments(args.slice(host + 1), programRow(command.name));
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

const rsync: ProgramReader = (call) => {
  const { parsed } = call;
  const deletes = parsed.flags.some((flag) => flag.name.startsWith('--delete') || flag.name === '--del');
  const target = parsed.operands.at(-1);
  const harmless = hasFlag(parsed, '-n', '--dry-run');
  if (deletes && !harmless && target !== undefined && !leadingText(target.word).includes(':')) {
    usePath(call, 'delete', target, { recursive: true });
  }
  return undefined;
};

/** Programs that connect to other machines, and run commands here meanwhile. */
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
