import { compileNameGlob } from '../lib/glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { checkTime } from '../lib/time-limit.ts';
import { and, not, or, type Truth } from '../model/truth.ts';
import type { AddressKind } from '../reading/address.ts';
import { normaliseHostName, type ReadUrl } from '../reading/url.ts';
import { knownText, wordEquals, wordPasses } from '../reading/word.ts';
import type { SpecProblem } from './matcher.ts';
import { HOST_TEXT } from './shapes.ts';
import { prefixed } from './spec-path.ts';
import {
  compileValueTest,
  VALUE_TEST_DEFINITION,
  VALUE_TEST_SCHEMA,
  valueTestProblems,
} from './value-test.ts';

/** Judges one URL of a call. */
export type UrlTest = (url: ReadUrl) => Truth;

const text = { type: 'string', minLength: 1 } as const;
const hosts = { anyOf: [HOST_TEXT, { type: 'array', minItems: 1, items: HOST_TEXT }] } as const;
const texts = { anyOf: [text, { type: 'array', minItems: 1, items: text }] } as const;
const port = { type: 'integer', minimum: 1, maximum: 65_535 } as const;

const URL_KEYS: JsonObject = {
  scheme: { ...texts, description: 'http, https, ssh, …' },
  host: {
    ...hosts,
    description: 'The host is one of these or lies below one: example.com fits api.example.com',
  },
  port: {
    anyOf: [port, { type: 'array', minItems: 1, items: port }],
    description: 'The port, given or implied',
  },
  path: {
    ...VALUE_TEST_SCHEMA,
    description: 'A test on the path: without query and fragment, escapes taken out, .. resolved',
  },
  private: {
    type: 'boolean',
    description:
      'The host is this machine, a private network, link-local or a metadata service, in any notation',
  },
  credentials: { type: 'boolean', description: 'The URL carries a password' },
};

/** The schema of a URL test by its name in `URL_TEST_DEFINITIONS`. */
export const URL_TEST_SCHEMA: JsonObject = { $ref: '#/$defs/url_test' };

/** JSON Schema of a URL test: a host, a list of hosts, or an object of tests that must all hold. */
const URL_TEST: JsonObject = {
  anyOf: [
    ...hosts.anyOf,
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        ...URL_KEYS,
        except: {
          anyOf: [
            ...hosts.anyOf,
            { type: 'object', minProperties: 1, additionalProperties: false, properties: URL_KEYS },
          ],
          description: 'URLs that do not count: hosts, or tests as above',
        },
      },
    },
  ],
};

export const URL_TEST_DEFINITIONS: Readonly<Record<string, JsonObject>> = {
  ...VALUE_TEST_DEFINITION,
  url_test: URL_TEST,
};

/** The problems in a URL test that its schema cannot express. */
export function urlTestProblems(spec: Json): readonly SpecProblem[] {
  if (!isJsonObject(spec)) return [];
  const inPath = prefixed('path', valueTestProblems(spec['path'] ?? null));
  return [...inPath, ...prefixed('except', urlTestProblems(spec['except'] ?? null))];
}

/** Compiles a URL test. */
export function compileUrlTest(spec: Json): UrlTest {
  const whole = isJsonObject(spec) ? spec : { host: spec };
  const tests = Object.entries(whole).map(([key, value]) => compileKey(key, value));
  return (url) => {
    checkTime();
    return tests.reduce<Truth>((truth, test) => and(truth, test(url)), true);
  };
}

function compileKey(key: string, value: Json): UrlTest {
  const values = Array.isArray(value) ? value : [value];
  switch (key) {
    case 'scheme':
      return ({ scheme }) => (scheme === undefined ? 'unknown' : values.includes(scheme));
    case 'host':
      return hostTest(values.map(String));
    case 'port':
      return (url) => (url.port === undefined ? 'unknown' : values.includes(url.port));
    case 'path': {
      const test = compileValueTest(value);
      return ({ path, lenientPath }) => {
        const truth = wordPasses(path, (text) => test([text]));
        // Servers do not agree on what an escaped slash is.
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
    case 'except': {
      const excepted = compileUrlTest(value);
      return (url) => not(excepted(url));
    }
    default:
      throw new Error(`Cannot compile URL test "${key}": unknown`);
  }
}

function hostTest(hosts: readonly string[]): UrlTest {
  const tests = hosts.map((written): UrlTest => {
    if (written.includes('*')) {
      const fits = compileNameGlob(written.toLowerCase());
      return ({ host }) => wordPasses(host, fits);
    }
    const name = normaliseHostName(written.replace(/^\./, ''));
    return ({ host }) => {
      const known = knownText(host);
      if (known !== undefined) return known === name || known.endsWith(`.${name}`);
      return endsKnown(host) === false
        ? 'unknown'
        : or(wordEquals(host, name), couldEndWith(host, `.${name}`));
    };
  });
  return (url) => tests.reduce<Truth>((truth, test) => or(truth, test(url)), false);
}

/** The text after the last unknown part; false if there is none. */
function endsKnown(host: ReadUrl['host']): string | false {
  const last = host.at(-1);
  return last?.type === 'text' ? last.text : false;
}

/** A host of which the end is known cannot lie below a name that ends otherwise. */
function couldEndWith(host: ReadUrl['host'], suffix: string): Truth {
  const end = endsKnown(host);
  if (end === false) return 'unknown';
  if (end.endsWith(suffix)) return true;
  return suffix.endsWith(end) ? 'unknown' : false;
}

/** `name` may lead anywhere, a private address included, but nothing says that it does. */
function isPrivate(address: AddressKind): boolean {
  return address !== 'name' && address !== 'public';
}
