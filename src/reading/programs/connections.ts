import { hasFlag, parseArguments } from '../arguments.ts';
import { programSpec } from '../knowledge/registry.ts';
import type { Flag } from '../reading.ts';
import type { Call, ProgramReader } from '../walker.ts';
import { joinWords, leadingText, textWord } from '../word.ts';
import { argumentSpan, reach } from './effects-of-words.ts';
import { runInner } from './run-inner.ts';

/** socat's addresses: `TCP:host:port`, `EXEC:program`, `FILE:path`. */
const socat: ProgramReader = (call, walker) => {
  const { operands } = call.parsed;
  for (const { word, arg } of operands) {
    const lead = leadingText(word);
    const [, kind = '', rest = ''] = /^([A-Za-z0-9-]+):(.*)$/s.exec(lead) ?? [];
    const target = joinWords(textWord(rest.replace(/,.*$/s, '')), word.slice(1));
    const span = argumentSpan(call, arg);
    if (/^(?:exec|system)$/i.test(kind)) runInner(call, target, span, walker);
    else if (/^(?:file|open|gopen|creat|pipe)$/i.test(kind))
      walker.path(call.command, 'write', target, { span });
    else if (/listen|recv/i.test(kind)) reach(call, 'listen', target, arg, 'tcp');
    else if (/^(?:tcp|udp|ssl|openssl|sctp|socks|proxy|dccp)/i.test(kind))
      reach(call, 'connect', target, arg, 'tcp');
  }
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
  for (const { name, value, arg } of flags) {
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

/** ssh takes flags behind the host too. */
function flagsAfter({ args, command }: Call, host: number): readonly Flag[] {
  const { flags } = parseArguments(args.slice(host + 1), programSpec(command.name));
  return flags.map((flag) => ({ ...flag, arg: flag.arg + host + 1 }));
}

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
    if (runs && value !== undefined) runInner(call, value, argumentSpan(call, arg), walker);
  }
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
    if ((name === '-e' || name === '--rsh') && value !== undefined)
      runInner(call, value, argumentSpan(call, arg), walker);
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
