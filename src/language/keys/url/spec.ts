import type { AddressKind } from '../../../lib/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { CLOSED, LIST } from '../../../lib/schema-parts.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import { and, anyTruth, not, type Truth } from '../../../model/truth.ts';
import { wordPasses } from '../../../reader/reading/word.ts';
import type { CalledUrl } from '../call/urls.ts';
import { prefixed } from '../spec-path.ts';
import { PLACE_TEXT, PORTS_TEXT, SCHEME_TEXT } from '../types/shapes.ts';
import {
  compileValueTest,
  VALUE_TEST_DEFINITION,
  VALUE_TEST_SCHEMA,
  valueTestProblems,
} from '../types/value-test.ts';
import { compileHostTest, HOST_TEST_SCHEMA, hostProblems } from './host-test.ts';
import { portRange, urlAlternatives } from './place.ts';

export type UrlTest = (url: CalledUrl) => Truth;

const schemes = { anyOf: [SCHEME_TEXT, { ...LIST, items: SCHEME_TEXT }] } as const;
const port = { anyOf: [{ type: 'integer', minimum: 1, maximum: 65_535 }, PORTS_TEXT] } as const;

const URL_KEYS: JsonObject = {
  scheme: { ...schemes, description: 'http, https, ssh, …' },
  host: {
    ...HOST_TEST_SCHEMA,
    description:
      'The host is one of these or lies below one, or in a range such as 10.0.0.0/8; {equals: example.com} is that host alone',
  },
  port: {
    anyOf: [...port.anyOf, { ...LIST, items: port }],
    description: 'The port, explicit or implied, or a range: 8000-8999',
  },
  path: {
    ...VALUE_TEST_SCHEMA,
    description: 'A test on the path, without query and fragment, unescaped and with .. resolved',
  },
  private: {
    type: 'boolean',
    description:
      'The host is this machine, a private network, link-local or a metadata service, in any notation',
  },
  credentials: { type: 'boolean', description: 'The URL carries a password' },
  foreign_token: {
    type: 'boolean',
    description:
      'A token is sent there that belongs elsewhere: one of a service to a host of another, any other in a URL or a text',
  },
};

/** The schema of a URL test by its name in `URL_TEST_DEFINITIONS`. */
export const URL_TEST_SCHEMA: JsonObject = { $ref: '#/$defs/url_test' };

function alternatives(properties: JsonObject, minItems = 1): JsonObject {
  const test = { ...CLOSED, minProperties: 1, properties } as const;
  const each = { anyOf: [PLACE_TEXT, test] } as const;
  return { anyOf: [...each.anyOf, { type: 'array', minItems, items: each }] };
}

/** JSON Schema of a URL test: a host with or without ports, an object of tests that must all hold, or a list of these. */
const URL_TEST: JsonObject = alternatives({
  ...URL_KEYS,
  except: {
    // None, where a parameter says so.
    ...alternatives(URL_KEYS, 0),
    description: 'URLs that do not count: hosts, or tests as above',
  },
});

export const URL_TEST_DEFINITIONS: Readonly<Record<string, JsonObject>> = {
  ...VALUE_TEST_DEFINITION,
  url_test: URL_TEST,
};

/** The problems in a URL test that its schema cannot express. */
export function urlTestProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, urlTestProblems(each)));
  if (typeof spec === 'string')
    return urlAlternatives(spec).flatMap(({ host = null, port = null }) =>
      [...hostProblems(host), ...portProblems(port)].map((problem) => ({ ...problem, path: [] })),
    );
  if (!isJsonObject(spec)) return [];
  return [
    ...prefixed('host', hostProblems(spec['host'] ?? null)),
    ...prefixed('port', portProblems(spec['port'] ?? null)),
    ...prefixed('path', valueTestProblems(spec['path'] ?? null)),
    ...prefixed('except', urlTestProblems(spec['except'] ?? null)),
  ];
}

function portProblems(spec: Json): readonly SpecProblem[] {
  if (Array.isArray(spec)) return spec.flatMap((each, index) => prefixed(index, portProblems(each)));
  if (spec === null || portRange(spec) !== undefined) return [];
  return [
    {
      code: 'never-matches',
      path: [],
      message: `Cannot match port ${JSON.stringify(spec)}: there is none`,
      hint: 'write a port from 1 to 65535, or the lower one first: 8000-8999',
    },
  ];
}

export function compileUrlTest(spec: Json): UrlTest {
  const tests = urlAlternatives(spec).map(compileAlternative);
  return (url) => {
    checkTime();
    return anyTruth(tests, (test) => test(url));
  };
}

function compileAlternative(whole: JsonObject): UrlTest {
  const tests = Object.entries(whole).map(([key, value]) => compileKey(key, value));
  return (url) => tests.reduce<Truth>((truth, test) => and(truth, test(url)), true);
}

function compileKey(key: string, value: Json): UrlTest {
  const values = Array.isArray(value) ? value : [value];
  switch (key) {
    case 'scheme':
      return ({ scheme }) => (scheme === undefined ? 'unknown' : values.includes(scheme));
    case 'host': {
      const test = compileHostTest(value);
      return ({ host }) => test(host);
    }
    case 'port': {
      const ranges = values.flatMap((each) => [portRange(each) ?? []]);
      return ({ port }) =>
        port === undefined
          ? 'unknown'
          : ranges.some(([first = 1, last = 0]) => first <= port && port <= last);
    }
    case 'path': {
      const test = compileValueTest(value);
      return ({ path, lenientPath }) => {
        const truth = wordPasses(path, (text) => test([text]));
        // Servers do not agree on the meaning of an escaped slash.
        return wordPasses(lenientPath, (text) => test([text])) === truth ? truth : 'unknown';
      };
    }
    case 'private':
      return (url) => {
        if (url.address === undefined) return 'unknown';
        return isPrivate(url.address) === value;
      };
    case 'credentials':
      return (url) => url.password === value;
    case 'foreign_token':
      return ({ getsForeignToken }) =>
        getsForeignToken === undefined ? 'unknown' : getsForeignToken() === value;
    case 'except': {
      const excepted = compileUrlTest(value);
      return (url) => not(excepted(url));
    }
    default:
      throw new Error(`Cannot compile URL test "${key}": unknown`);
  }
}

/** `name` may lead anywhere, a private address included, but nothing says that it does. */
function isPrivate(address: AddressKind): boolean {
  return address !== 'name' && address !== 'public';
}
