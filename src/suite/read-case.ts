import type { BareCall } from '../hosts/host.ts';
import { HOSTS, hostNamed } from '../hosts/registry.ts';
import { closest } from '../lib/closest.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../lib/json.ts';
import type { YamlPath } from '../policy/yaml.ts';
import { callLabel } from './call-label.ts';
import { CASE_KEYS, MATRIX_KEYS } from './case-keys.ts';
import {
  type CaseReader,
  checkKeys,
  complain,
  complainAll,
  complainOfKey,
  positionAt,
  textAt,
  wrongType,
} from './case-reader.ts';
import { contextProblems, readCall, scalarsOf } from './read-call.ts';
import { readExpect } from './read-expect.ts';
import { readJudge } from './read-judge.ts';
import { type Dimension, readTable } from './read-matrix.ts';
import type { CaseInput, NamedCheck, RawMessage, TestCase } from './test-case.ts';

/** The calls of a file by name; undefined marks one that could not be read. */
export type SampleCalls = Map<string, BareCall | undefined>;

/** A case while it is read. */
interface Reading {
  readonly reader: CaseReader;
  readonly mapping: JsonObject;
  readonly path: YamlPath;
  readonly samples: SampleCalls;
}

/** What all runs of a case have in common. */
type Common = Pick<TestCase, 'name' | 'position' | 'index' | 'interactive' | 'skip' | 'judge'>;

/** Reads one case and expands it into its runs. Problems are noted; nothing is left of a case that has some. */
export function readCase(
  reader: CaseReader,
  value: Json,
  index: number,
  samples: SampleCalls,
  recording: boolean,
): readonly TestCase[] {
  const path = ['cases', index];
  if (!isJsonObject(value)) {
    wrongType(reader, path, value, 'a case: a mapping with "call" and "expect"');
    return [];
  }
  const reading: Reading = { reader, mapping: value, path, samples };
  const name = textAt(reader, value, 'name', path);
  const owner = name === undefined ? `case ${index + 1}` : `case "${name}"`;
  checkKeys(reader, value, path, Object.keys(CASE_KEYS), owner);
  const form = formOf(reading, owner);
  const written = own(value, 'judge');
  const judge = written === undefined ? undefined : readJudge(reader, written, [...path, 'judge']);
  const common: Common = {
    name: name ?? '',
    position: positionAt(reader, Object.hasOwn(value, 'name') ? [...path, 'name'] : path),
    index,
    interactive: readSwitch(reading, 'interactive'),
    skip: textAt(reader, value, 'skip', path),
    ...(judge === undefined ? {} : { judge }),
  };
  switch (form) {
    case 'call':
    case 'calls':
      return readCallRuns(reading, common, form, owner);
    case 'matrix':
      return readMatrixRuns(reading, common);
    case 'stdin':
      return readRawRun(reading, common, recording);
    case undefined:
      return [];
  }
}

const FORMS = ['call', 'calls', 'matrix', 'stdin'] as const;
type Form = (typeof FORMS)[number];

/** Keys that only some forms have. */
const FOREIGN: Readonly<Record<Form, readonly string[]>> = {
  call: ['host'],
  calls: ['host'],
  matrix: ['host', 'hosts', 'model', 'expect'],
  stdin: ['hosts', 'model', 'cwd', 'context', 'history'],
};

function formOf({ reader, mapping, path }: Reading, owner: string): Form | undefined {
  const [form, second] = FORMS.filter((key) => Object.hasOwn(mapping, key));
  if (form === undefined) {
    complain(
      reader,
      'missing-key',
      path,
      `Cannot use ${owner}: it has no call`,
      `add one of ${FORMS.join(', ')}`,
    );
    return undefined;
  }
  for (const key of [...(second === undefined ? [] : [second]), ...FOREIGN[form]]) {
    if (!Object.hasOwn(mapping, key)) continue;
    complainOfKey(
      reader,
      'bad-value',
      [...path, key],
      `Cannot use key "${key}" in ${owner} beside "${form}"`,
      hintFor(form, key),
    );
  }
  return form;
}

function hintFor(form: Form, key: string): string {
  if (form === 'matrix' && key !== 'host')
    return key === 'model' ? 'write "models" inside of "matrix"' : `write it inside of "matrix"`;
  if (key === 'host') return 'write "hosts" with a list';
  return form === 'stdin' ? 'the message itself says it' : `give one of ${FORMS.join(', ')}`;
}

function readCallRuns(
  reading: Reading,
  common: Common,
  form: 'call' | 'calls',
  owner: string,
): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const hosts = readHosts(reading, [...path, 'hosts'], own(mapping, 'hosts'));
  const expect = own(mapping, 'expect');
  if (expect === undefined) {
    complain(reader, 'missing-key', path, `Cannot use ${owner}: it asserts nothing`, 'add "expect"');
  }
  const checks =
    expect === undefined ? undefined : readExpect(reader, expect, [...path, 'expect'], hosts.length > 0);
  const calls = readCalls(reading, form === 'call' ? 'one' : 'many', form);
  const history = Object.hasOwn(mapping, 'history') ? readCalls(reading, 'many', 'history') : [];
  const model = textAt(reader, mapping, 'model', path);
  const facts = readFacts(reading);
  const adjust = (call: BareCall) => adjusted(call, model, facts);
  if (checks === undefined) return [];
  return calls.flatMap(({ call, label, path: callPath }) =>
    (hosts.length === 0 ? [undefined] : hosts).map((host) => {
      const judged = adjust(call);
      if (host !== undefined) checkEvent(reader, host, judged, callPath);
      return {
        ...common,
        name: runName(common.name, label, calls.length > 1),
        position: calls.length > 1 ? positionAt(reader, callPath) : common.position,
        input: { type: 'call', call: judged },
        history: history.map((earlier) => adjust(earlier.call)),
        host,
        checks,
      };
    }),
  );
}

function runName(name: string, label: string, several: boolean): string {
  if (name === '') return label;
  return several ? `${name}: ${label}` : name;
}

function readMatrixRuns(reading: Reading, common: Common): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const base = [...path, 'matrix'];
  const matrix = own(mapping, 'matrix');
  if (!isJsonObject(matrix)) {
    wrongType(reader, base, matrix ?? null, 'a mapping with "calls" and "expect"');
    return [];
  }
  checkKeys(reader, matrix, base, Object.keys(MATRIX_KEYS), '"matrix"');
  const hosts = readHosts(reading, [...base, 'hosts'], own(matrix, 'hosts'));
  const dimensions: Dimension[] = [
    { key: 'calls', labels: labelsAt(reading, matrix, 'calls') },
    ...(Object.hasOwn(matrix, 'hosts') ? [{ key: 'hosts', labels: hosts } as const] : []),
    ...(Object.hasOwn(matrix, 'models')
      ? [{ key: 'models', labels: labelsAt(reading, matrix, 'models') } as const]
      : []),
  ];
  if (dimensions[0]?.labels.length === 0) return [];
  const table = own(matrix, 'expect');
  if (table === undefined) {
    complain(reader, 'missing-key', base, 'Cannot use "matrix": it asserts nothing', 'add "expect"');
    return [];
  }
  const history = Object.hasOwn(mapping, 'history') ? readCalls(reading, 'many', 'history') : [];
  const facts = readFacts(reading);
  const read = new Map<Json, readonly NamedCheck[] | undefined>();
  return readTable(reader, table, [...base, 'expect'], dimensions).flatMap((cell): readonly TestCase[] => {
    const label = (key: Dimension['key']) => {
      const at = dimensions.findIndex((dimension) => dimension.key === key);
      return at === -1 ? undefined : cell.labels[at];
    };
    const call = sampleNamed(reading, label('calls') ?? '', [...base, 'calls']);
    const host = label('hosts');
    const model = label('models');
    const adjust = (each: BareCall) => adjusted(each, model, facts);
    // One expectation often stands for many cells; its problems are noted once.
    const known = typeof cell.expect === 'object' && read.has(cell.expect);
    const checks = known
      ? read.get(cell.expect)
      : readExpect(reader, cell.expect, cell.path, host !== undefined);
    if (typeof cell.expect === 'object') read.set(cell.expect, checks);
    if (call === undefined || checks === undefined) return [];
    const judged = adjust(call);
    if (host !== undefined) checkEvent(reader, host, judged, cell.path);
    const name = [common.name, label('calls')].filter((part) => part !== '').join(': ');
    return [
      {
        ...common,
        name: model === undefined ? name : `${name} with ${model}`,
        position: positionAt(reader, cell.path),
        input: { type: 'call', call: judged },
        history: history.map((earlier) => adjust(earlier.call)),
        host,
        checks,
      },
    ];
  });
}

function labelsAt({ reader, path }: Reading, matrix: JsonObject, key: 'calls' | 'models'): readonly string[] {
  const here = [...path, 'matrix', key];
  const value = own(matrix, key);
  if (value === undefined) {
    complain(
      reader,
      'missing-key',
      [...path, 'matrix'],
      `Cannot use "matrix": key "${key}" is missing`,
      `add "${key}"`,
    );
    return [];
  }
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value;
  wrongType(reader, here, value, key === 'calls' ? 'a list of names in "calls"' : 'a list of models');
  return [];
}

function readRawRun(reading: Reading, common: Common, recording: boolean): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const host = own(mapping, 'host');
  if (host === undefined) {
    complain(reader, 'missing-key', path, 'Cannot use "stdin" without "host"', 'add "host"');
    return [];
  }
  const [name] = readHosts(reading, [...path, 'host'], [host], true);
  const messages = rawMessages(reading);
  const expect = own(mapping, 'expect');
  if (expect === undefined && !recording) {
    const hint = 'add "expect", or run with --update to record the output';
    complain(reader, 'missing-key', path, 'Cannot use the case: it asserts nothing', hint);
  }
  const checks = expect === undefined ? [] : readExpect(reader, expect, [...path, 'expect'], true);
  if (name === undefined || messages === undefined || checks === undefined) return [];
  const input: CaseInput = { type: 'raw', messages };
  return [
    {
      ...common,
      name: common.name === '' ? `messages of ${name}` : common.name,
      input,
      history: [],
      host: name,
      checks,
    },
  ];
}

function rawMessages({ reader, mapping, path }: Reading): readonly RawMessage[] | undefined {
  const stdin = own(mapping, 'stdin') ?? null;
  const items: readonly Json[] = Array.isArray(stdin) ? stdin : [stdin];
  const messages = items.flatMap((item): readonly RawMessage[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ text: item }];
    return isJsonObject(item) ? [{ json: item }] : [];
  });
  if (messages.length === items.length && items.length > 0) return messages;
  wrongType(reader, [...path, 'stdin'], stdin, 'a message as a mapping or text, or a list of them');
  return undefined;
}

interface FoundCall {
  readonly call: BareCall;
  readonly label: string;
  readonly path: YamlPath;
}

function readCalls(reading: Reading, count: 'one' | 'many', key: string): readonly FoundCall[] {
  const { reader, mapping, path } = reading;
  const value = own(mapping, key) ?? null;
  const here = [...path, key];
  if (count === 'one') return readOneCall(reading, value, here);
  if (!Array.isArray(value) || value.length === 0) {
    wrongType(reader, here, value, 'a list of calls');
    return [];
  }
  return value.flatMap((item: Json, index) => readOneCall(reading, item, [...here, index]));
}

function readOneCall(reading: Reading, value: Json, path: YamlPath): readonly FoundCall[] {
  if (typeof value === 'string') {
    const call = sampleNamed(reading, value, path);
    return call === undefined ? [] : [{ call, label: value, path }];
  }
  const found = readCall(value);
  if (found.ok) return [{ call: found.call, label: callLabel(found.call), path }];
  complainAll(reading.reader, path, found.problems);
  return [];
}

function sampleNamed({ reader, samples }: Reading, name: string, path: YamlPath): BareCall | undefined {
  if (samples.has(name)) return samples.get(name);
  const near = closest(name, samples.keys());
  const hint =
    near === undefined
      ? 'add it to "calls" or write the call here: {command: ls}'
      : `did you mean "${near}"?`;
  complain(reader, 'bad-value', path, `Cannot find call "${name}"`, hint);
  return undefined;
}

function readHosts(
  { reader }: Reading,
  path: YamlPath,
  value: Json | undefined,
  single = false,
): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) {
    wrongType(reader, path, value, 'a list of hosts');
    return [];
  }
  return value.flatMap((name: Json, index) => {
    if (typeof name === 'string' && hostNamed(name) !== undefined) return [name];
    const names = HOSTS.map((host) => host.name);
    const near = typeof name === 'string' ? closest(name, names) : undefined;
    const hint = near === undefined ? `use one of ${names.join(', ')}` : `did you mean "${near}"?`;
    complain(
      reader,
      'bad-value',
      single ? path : [...path, index],
      `Cannot use host ${JSON.stringify(name)}`,
      hint,
    );
    return [];
  });
}

function checkEvent(reader: CaseReader, host: string, call: BareCall, path: YamlPath): void {
  const supported = hostNamed(host)?.supports(undefined)[call.on];
  if (supported !== undefined) return;
  complain(
    reader,
    'event-key',
    path,
    `Cannot run the case on ${host}: the host has no event ${call.on}`,
    'leave the host out',
  );
}

function readSwitch({ reader, mapping, path }: Reading, key: string): boolean {
  const value = own(mapping, key);
  if (value === undefined || typeof value === 'boolean') return value === true;
  wrongType(reader, [...path, key], value, 'true or false');
  return false;
}

/** What the case says of directory and context. */
function readFacts({ reader, mapping, path }: Reading): NonNullable<BareCall['context']> {
  const cwd = textAt(reader, mapping, 'cwd', path);
  const context = own(mapping, 'context');
  if (context !== undefined && !isJsonObject(context))
    wrongType(reader, [...path, 'context'], context, 'a mapping');
  complainAll(reader, path, contextProblems(context, ['context']));
  const facts = isJsonObject(context) ? scalarsOf(context) : {};
  return cwd === undefined ? facts : { ...facts, cwd };
}

/** Lays what the case says over its calls. */
function adjusted(
  call: BareCall,
  model: string | undefined,
  facts: NonNullable<BareCall['context']>,
): BareCall {
  return {
    ...call,
    ...(model === undefined ? {} : { model }),
    ...(Object.keys(facts).length === 0 ? {} : { context: { ...call.context, ...facts } }),
  };
}
