import { knownText, leadingText } from '../../reading/word.ts';
import type { ProgramReader } from '../../shell/scope/walker.ts';
import { reach } from '../interpret/effects-of-words.ts';

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

/** Programs that name where they go in ways of their own. */
export const NETWORK_TOOL_READERS: Readonly<Record<string, ProgramReader>> = {
  dig,
  drill: dig,
};
