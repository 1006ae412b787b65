import { takeStep } from '../../reading/bounds.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { NetworkEffect, Span } from '../../reading/reading.ts';
import { EMPTY_WORD, isDetermined, knownText, textWord, unknownWord, type Word } from '../../reading/word.ts';
import { sendText } from '../../shell/run/network-effects.ts';
import type { Call, ProgramReader, Walker } from '../../shell/scope/walker.ts';

/** One command of a client for transfers: words, with quotes around them or without. */
const WORDS = /"([^"]*)"|'([^']*)'|[^\s"']+/g;
const SENDS = /^(?:put|mput|reput|mirror|send|append|bput)$/;
const FETCHES = /^(?:get|mget|reget|pget|mirror|recv|bget)$/;

/** Reads what a client for transfers is told to do: `put file`, `get file`, `open host`, `!command`. */
function readTransfers(script: Word, span: Span, call: Call, walker: Walker): void {
  const { text, placeholders } = withPlaceholders(script);
  let sends = false;
  for (const line of text.split(/[;\n]/)) {
    if (!takeStep(walker.budget)) break;
    const words = [...line.matchAll(WORDS)].map(([whole, double, single]) => double ?? single ?? whole);
    const [verb = '', ...rest] = words;
    const flags = rest.filter((word) => word.startsWith('-'));
    const names = rest
      .filter((word) => !word.startsWith('-'))
      .map((word) => fillPlaceholders(word, placeholders));
    const [first, second] = names;
    if (first === undefined) continue;
    if (/^(?:open|connect)$/.test(verb)) addHost(call, first, span);
    const reverses = verb !== 'mirror' || flags.some((flag) => flag === '-R' || flag === '--reverse');
    if (SENDS.test(verb) && reverses) {
      for (const name of /^m(?:put|irror)$/.test(verb) ? names : [first])
        walker.path(call.command, 'read', name, { recursive: flags.length > 0, span });
      sends = true;
    } else if (FETCHES.test(verb)) keepFetched(call, second ?? lastName(first), walker, span);
  }
  if (sends) sendText(call.command, script);
}

function lastName(path: Word): Word {
  const known = knownText(path);
  return known === undefined ? path : textWord(known.slice(known.lastIndexOf('/') + 1));
}

function addHost(call: Call, target: Word, span: Span): void {
  const effect: NetworkEffect = {
    type: 'network',
    use: 'connect',
    target,
    scheme: 'ftp',
    port: undefined,
    span,
  };
  call.command.effects.push(effect);
}

function keepFetched(call: Call, file: Word, walker: Walker, span: Span): void {
  if (file.length === 0) return;
  const source = call.command.effects.find((effect) => effect.type === 'network')?.target ?? EMPTY_WORD;
  walker.path(call.command, 'write', file, { span });
  walker.keepFile(call, file, unknownWord('what is fetched', [{ type: 'network', source }]));
}

/** A client for transfers that takes its commands from a flag's value or from its input. */
function transfers(flags: readonly string[]): ProgramReader {
  return (call, walker) => {
    for (const { name, value } of call.parsed.flags)
      if (flags.includes(name) && value !== undefined) readTransfers(value, call.span, call, walker);
    const { input } = call.command;
    if (input === undefined) return undefined;
    if (isDetermined(input)) readTransfers(input, call.span, call, walker);
    else sendText(call.command, input);
    return undefined;
  };
}

/** Clients of servers for files, which take commands of their own. */
export const TRANSFER_SCRIPT_READERS: Readonly<Record<string, ProgramReader>> = {
  lftp: transfers(['-e', '-c']),
  ftp: transfers([]),
  sftp: transfers([]),
  smbclient: transfers(['-c', '--command']),
};
