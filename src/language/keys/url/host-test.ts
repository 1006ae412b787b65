import { compileNameGlob } from '../../../lib/glob/glob.ts';
import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import { CLOSED, LIST } from '../../../lib/schema-parts.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import { anyTruth, or, type Truth } from '../../../model/truth.ts';
import { normaliseHostName } from '../../../reader/reading/url.ts';
import { knownText, type Word, wordEquals, wordPasses } from '../../../reader/reading/word.ts';
import { prefixed } from '../spec-path.ts';
import { DATA_LIST_SCHEMA, dataListProblems, valuesIn } from '../types/data-list.ts';
import { HOST_TEXT } from '../types/shapes.ts';
import { isInRange, parseAddressRange, startOfRange } from './address-range.ts';

type HostTest = (host: Word) => Truth;

const list = { ...LIST, items: HOST_TEXT } as const;

/** JSON Schema of a test of a host: names with all that lies below them, addresses and ranges, or exact names. */
export const HOST_TEST_SCHEMA = {
  anyOf: [
    HOST_TEXT,
    list,
    {
      ...CLOSED,
      minProperties: 1,
      maxProperties: 1,
      properties: {
        equals: { ...HOST_TEXT, description: 'Is exactly this host' },
        one_of: {
          anyOf: [list, DATA_LIST_SCHEMA],
          description: 'Is exactly one of these hosts; may come from a data file',
        },
      },
    },
  ],
} as const;

/** The problems in a test of a host that its schema cannot express. */
export function hostProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, hostProblems(each)));
  if (isJsonObject(spec))
    return Object.entries(spec).flatMap(([key, hosts]) => prefixed(key, exactProblems(hosts)));
  return typeof spec === 'string' ? addressProblems(spec) : [];
}

function exactProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, exactProblems(each)));
  if (isJsonObject(spec)) return dataListProblems(spec);
  const text = String(spec);
  return /[*/]/.test(text)
    ? [dead(text, 'no host is called so', `write host: "${text}"`)]
    : addressProblems(text);
}

function addressProblems(text: string): readonly SpecProblem[] {
  const range = parseAddressRange(text);
  if (range === undefined) {
    if (text.includes('/') || text.includes(':'))
      return [dead(text, 'it is not an address range', 'write a range as 10.0.0.0/8 or fd00::/8')];
    return /^[\d.]*\d$/.test(text) && /\./.test(text)
      ? [dead(text, 'it is not an address', 'write four numbers up to 255, or a range as 10.0.0.0/8')]
      : [];
  }
  const [address = '', length] = text.replace(/[[\]]/g, '').split('/');
  const start = startOfRange(range);
  if (length === undefined || parseAddressRange(start)?.first === range.first) return [];
  const hint = `write ${start}/${length} for all of them, or ${address}`;
  return [dead(text, 'the range does not begin with this address', hint)];
}

function dead(text: string, state: string, hint: string): SpecProblem {
  return { code: 'never-matches', path: [], message: `Cannot match host "${text}": ${state}`, hint };
}

/** Compiles a test of a host in its normal form. */
export function compileHostTest(spec: Json): HostTest {
  if (!isJsonObject(spec)) return anyOf(spec, compileHost);
  const hosts = own(spec, 'equals') ?? valuesIn(own(spec, 'one_of') ?? []);
  return hosts === undefined ? () => 'unknown' : anyOf(hosts, compileExact);
}

function anyOf(hosts: Json, compile: (written: string) => HostTest): HostTest {
  const tests = [hosts].flat().map((written) => compile(String(written)));
  return (host) => anyTruth(tests, (test) => test(host));
}

function compileExact(written: string): HostTest {
  const range = parseAddressRange(written);
  if (range !== undefined) return (host) => isInRange(host, range);
  const name = normaliseHostName(written);
  return (host) => wordEquals(host, name);
}

function compileHost(written: string): HostTest {
  if (written.includes('*')) {
    const fits = compileNameGlob(written.toLowerCase());
    return (host) => wordPasses(host, fits);
  }
  const name = normaliseHostName(written.replace(/^\./, ''));
  const range = parseAddressRange(written) ?? parseAddressRange(name);
  if (range !== undefined) return (host) => isInRange(host, range);
  return (host) => {
    const known = knownText(host);
    if (known !== undefined) return known === name || known.endsWith(`.${name}`);
    return endsKnown(host) === false ? 'unknown' : or(wordEquals(host, name), couldEndWith(host, `.${name}`));
  };
}

/** The text after the last unknown part; false if there is none. */
function endsKnown(host: Word): string | false {
  const last = host.at(-1);
  return last?.type === 'text' ? last.text : false;
}

/** A host of which the end is known cannot lie below a name that ends otherwise. */
function couldEndWith(host: Word, suffix: string): Truth {
  const end = endsKnown(host);
  if (end === false) return 'unknown';
  if (end.endsWith(suffix)) return true;
  return suffix.endsWith(end) ? 'unknown' : false;
}
