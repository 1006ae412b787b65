import { endOfRange, parseAddressRange, startOfRange } from '../../reading/address-range.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import { readRemotePath } from '../../reading/url.ts';
import { knownText, leadingText, textWord, unknownWord } from '../../reading/word.ts';
import type { ProgramReader } from '../../shell/scope/walker.ts';
import { flagValue, hasFlag } from '../interpret/arguments.ts';
import { argumentSpan, reach } from '../interpret/effects-of-words.ts';

/** Types and classes of records, as dig takes them among the names. */
const RECORD =
  /^(?:a|aaaa|afsdb|any|axfr|caa|cds|cname|dname|dnskey|ds|hinfo|https|ixfr(?:=\d*)?|loc|mx|naptr|ns|nsec3?|ptr|rrsig|soa|spf|srv|sshfp|svcb|tlsa|txt|in|ch|hs|(?:type|class)\d+)$/i;

/** dig and drill: names, types of records, `@server`, `+option`. */
const dig: ProgramReader = (call) => {
  for (const { word, arg } of call.parsed.operands) {
    const known = knownText(word);
    if (leadingText(word).startsWith('+') || (known !== undefined && RECORD.test(known))) continue;
    reach(call, 'connect', word, arg, 'dns');
  }
  return undefined;
};

/** `10.0.0.1-20`, `192.168.1.*`, `10.0,1.0.1` */
const SEVERAL = /^(?=.*[-*,])[\d*,-]+(?:\.[\d*,-]+){3}(?=\/|$)/;

/** The first and the last address of several: what is said of all of them is said of both. */
function endsOf(target: string): readonly string[] {
  const several = SEVERAL.exec(target)?.[0];
  if (several === undefined) {
    const range = target.includes('/') ? parseAddressRange(target) : undefined;
    return range === undefined ? [] : [startOfRange(range), endOfRange(range)];
  }
  const first = several.replace(/\*|(?<=\.)(?=-)/g, '0').replace(/[-,][\d,-]*/g, '');
  const last = several
    .replace(/\*/g, '255')
    .replace(/-(?=\.|$)/g, '-255')
    .replace(/[\d,-]*[-,]/g, '');
  return [first, last];
}

const nmap: ProgramReader = (call) => {
  call.command.effects = call.command.effects.flatMap((effect) => {
    const ends = effect.type === 'network' ? endsOf(leadingText(effect.target)) : [];
    return ends.length === 0 ? [effect] : ends.map((end) => ({ ...effect, target: textWord(end) }));
  });
  return undefined;
};

/** A setting in a place of rclone: `:sftp,host=h:path`, `remote,url="https://h":path`. */
const PLACE_SETTING =
  /,(?:host|url|endpoint|remote|server)=(?:"([^"]*)"|'([^']*)'|([^,:]*(?::\/\/[^,:]*)?))/g;
const MAX_SETTINGS = 8;
/** Subcommands of rclone that copy from one place to another. */
const COPIES = /^(?:copy|sync|move)(?:to)?$|^bisync$/;

const rclone: ProgramReader = (call, walker) => {
  const verb = knownText(call.parsed.operands[0]?.word ?? []) ?? '';
  const places = call.parsed.operands.slice(1);
  const looks = hasFlag(call.parsed, '-n', '--dry-run');
  places.forEach(({ word, arg }, index) => {
    const { text, placeholders } = withPlaceholders(word);
    if (!/^(?::[a-z0-9]+|[\w.+@ -]+),[a-z_]+=/i.test(text)) return;
    // It is neither a path here nor the name of a host.
    call.command.effects = call.command.effects.filter((effect) =>
      effect.type === 'path' ? effect.written !== word : effect.type !== 'network' || effect.target !== word,
    );
    const copies = COPIES.test(verb) && !looks;
    const use = !copies ? 'connect' : index === places.length - 1 ? 'upload' : 'download';
    for (const [, quoted, single, plain = ''] of [...text.matchAll(PLACE_SETTING)].slice(-MAX_SETTINGS)) {
      const place = quoted ?? single ?? plain;
      if (place !== '') reach(call, use, fillPlaceholders(place, placeholders), arg, 'rclone');
    }
  });
  for (const { word, arg } of !looks && (verb === 'purge' || verb === 'delete') ? places : [])
    if (readRemotePath(word) === undefined)
      walker.path(call.command, 'delete', word, { recursive: true, span: argumentSpan(call, arg) });
  return undefined;
};

/** tftp: `host -c put file`, or `-p -l file host`. */
const tftp: ProgramReader = (call, walker) => {
  const { parsed, command } = call;
  const [host, ...others] = parsed.operands;
  if (host === undefined) return undefined;
  const said = parsed.flags.find(({ name }) => name === '-c');
  const sends = hasFlag(parsed, '-p') || knownText(said?.value ?? []) === 'put';
  const fetches = hasFlag(parsed, '-g') || knownText(said?.value ?? []) === 'get';
  const use = sends ? 'upload' : fetches ? 'download' : 'connect';
  reach(call, use, host.word, host.arg, 'tftp');
  const local = said === undefined ? flagValue(parsed, '-l', ...(fetches ? ['-r'] : [])) : others[0]?.word;
  if (local === undefined || use === 'connect') return undefined;
  walker.path(command, sends ? 'read' : 'write', local);
  if (fetches)
    walker.keepFile(call, local, unknownWord('what is fetched', [{ type: 'network', source: host.word }]));
  return undefined;
};

/** Programs that name where they go in ways of their own. */
export const NETWORK_TOOL_READERS: Readonly<Record<string, ProgramReader>> = {
  dig,
  drill: dig,
  nmap,
  masscan: nmap,
  rclone,
  tftp,
};
