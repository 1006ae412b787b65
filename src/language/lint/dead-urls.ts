import { addressKind, V4_RANGES } from '../../lib/address.ts';
import { asList, isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { normaliseHostName, type ReadUrl } from '../../reader/reading/url.ts';
import { textWord, unknownWord } from '../../reader/reading/word.ts';
import { HOST_TEXT, unheardText } from '../keys/types/shapes.ts';
import { URLS } from '../keys/types/urls.ts';
import { addressAfter, parseAddressRange, startOfRange } from '../keys/url/address-range.ts';
import { portRange, urlAlternatives } from '../keys/url/place.ts';
import { compileUrlTest } from '../keys/url/spec.ts';
import type { YamlPath } from '../policy/yaml/yaml.ts';
import { firstClash } from './first-clash.ts';
import type { Finding } from './lint-rule.ts';

/** The alternatives of a URL test that no URL passes. */
export function deadUrls(spec: Json, path: YamlPath): readonly Finding[] {
  if (Array.isArray(spec)) return spec.flatMap((each: Json, index) => deadUrls(each, [...path, index]));
  const unheard = unheardHosts(spec, path);
  return unheard.length === 0 && isJsonObject(spec) ? firstClash(spec, path, isMeetable) : unheard;
}

/** `a.example,b.example` */
function unheardHosts(spec: Json | undefined, path: YamlPath): readonly Finding[] {
  if (Array.isArray(spec)) return spec.flatMap((each: Json, index) => unheardHosts(each, [...path, index]));
  if (isJsonObject(spec))
    return ['host', 'equals', 'one_of', 'except'].flatMap((key) =>
      unheardHosts(own(spec, key), [...path, key]),
    );
  const unheard = typeof spec === 'string' ? unheardText(HOST_TEXT, spec) : undefined;
  return unheard === undefined ? [] : [{ path, ...unheard }];
}

/** False if no URL meets a test: tries its hosts, names below them, borders of ranges, and likewise ports. */
function isMeetable(test: JsonObject): boolean {
  const { except, ...rest } = test;
  if (except !== undefined && URLS.implies(rest, except, false)) return false;
  const all = [rest, ...urlAlternatives(except ?? [])];
  const given = (key: string) => all.flatMap((each) => asList(own(each, key) ?? []));
  const hosts = hostsIn(given('host'), given('private').length > 0);
  const ports = portsIn(given('port'));
  const schemes = given('scheme').length === 0 ? [undefined] : [...given('scheme').map(String), 'x'];
  const passwords = given('credentials').length === 0 ? [false] : [false, true];
  if (hosts.length * ports.length * schemes.length * passwords.length > MAX_SAMPLES) return true;
  const passes = compileUrlTest(test);
  return hosts.some((host) =>
    ports.some((port) =>
      schemes.some((scheme) =>
        passwords.some((password) => passes({ ...UNKNOWN, ...host, port, scheme, password }) !== false),
      ),
    ),
  );
}

/** A test with more kinds of URLs than this is taken to be meetable. */
const MAX_SAMPLES = 20_000;

const UNKNOWN_WORD = unknownWord('$URL');
const UNKNOWN = { path: UNKNOWN_WORD, lenientPath: UNKNOWN_WORD, user: undefined };

type Host = Pick<ReadUrl, 'host' | 'address'>;
const ANY_HOST: Host = { host: UNKNOWN_WORD, address: undefined };
/** A name that nobody writes into a policy. */
const OTHER = 'x9q7z';

function hostsIn(tests: readonly Json[], isPrivateAsked: boolean): readonly Host[] {
  if (tests.length === 0 && !isPrivateAsked) return [ANY_HOST];
  // Exact names may come from a file.
  const lists = tests.flatMap((test) => (isJsonObject(test) ? Object.values(test).flat() : [test]));
  if (!lists.every((each) => typeof each === 'string')) return [ANY_HOST];
  const names = new Set([OTHER]);
  const ranges = isPrivateAsked ? V4_RANGES.map(([first, bits]) => `${first}/${bits}`) : [];
  for (const written of [...lists, ...ranges]) {
    const name = normaliseHostName(written.replaceAll('*', OTHER).replace(/^\./, ''));
    const range = parseAddressRange(written) ?? parseAddressRange(name);
    if (range === undefined) names.add(name).add(`${OTHER}.${name}`);
    // It is not worked out which kinds of addresses a range of IPv6 holds.
    else if (isPrivateAsked && written.includes(':')) return [ANY_HOST];
    // All addresses in between are like one of these, or like the first of another range.
    else names.add(startOfRange(range)).add(addressAfter(range));
  }
  return [...names].map((name) => ({ host: textWord(name), address: addressKind(name) }));
}

/** The first port of each range and the first after it: those in between are like one of these. */
function portsIn(tests: readonly Json[]): readonly (number | undefined)[] {
  if (tests.length === 0) return [undefined];
  const found = tests.flatMap((each) => {
    const [first = 1, last = 1] = portRange(each) ?? [];
    return [first, last + 1];
  });
  return [...new Set([1, ...found])].filter((port) => port <= 65_535);
}
