import type { BareCall } from '../../../hosts/host.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString, ownTexts } from '../../../lib/json.ts';
import {
  adjusted,
  type CaseCommon,
  type CaseReading,
  checkEvent,
  readCalls,
  readFacts,
  type SampleCalls,
} from './case-parts.ts';
import { type CaseReader, complain, positionAt } from './case-reader.ts';
import { readExpect } from './read-expect.ts';
import { readJudge } from './read-judge.ts';
import { readMatrixCase } from './read-matrix-case.ts';
import { readStepsCase } from './read-steps.ts';
import type { CaseInput, RawMessage, TestCase } from './test-case.ts';

/** Reads one case and expands it into its runs. Problems are noted; nothing is left of a case that has some. */
export function readCase(
  reader: CaseReader,
  value: JsonObject,
  index: number,
  samples: SampleCalls,
  recording: boolean,
): readonly TestCase[] {
  const path = ['cases', index];
  const reading: CaseReading = { reader, mapping: value, path, samples };
  const name = ownString(value, 'name');
  const owner = name === undefined ? `case ${index + 1}` : `case "${name}"`;
  const form = formOf(reading, owner);
  const written = own(value, 'judge');
  const judge = written === undefined ? undefined : readJudge(written);
  const common: CaseCommon = {
    name: name ?? '',
    position: positionAt(reader, Object.hasOwn(value, 'name') ? [...path, 'name'] : path),
    index,
    interactive: own(value, 'interactive') === true,
    skip: ownString(value, 'skip'),
    ...(judge === undefined ? {} : { judge }),
  };
  switch (form) {
    case 'call':
    case 'calls':
      return readCallCase(reading, common, form, owner);
    case 'matrix':
      return readMatrixCase(reading, common);
    case 'steps':
      return readStepsCase(reading, common);
    case 'stdin':
      return readRawCase(reading, common, recording);
    case undefined:
      return [];
  }
}

const FORMS = ['call', 'calls', 'matrix', 'steps', 'stdin'] as const;
type Form = (typeof FORMS)[number];

/** Keys that only some forms have. */
const FOREIGN: Readonly<Record<Form, readonly string[]>> = {
  call: ['host'],
  calls: ['host'],
  matrix: ['host', 'hosts', 'model', 'expect'],
  steps: ['host', 'hosts', 'history', 'expect'],
  stdin: ['hosts', 'model', 'cwd', 'context', 'history'],
};

function formOf({ reader, mapping, path }: CaseReading, owner: string): Form | undefined {
  const [form, second] = FORMS.filter((key) => Object.hasOwn(mapping, key));
  if (form === undefined) {
    const message = `Cannot use ${owner}: it has no call`;
    complain(reader, 'missing-key', path, message, `add one of ${FORMS.join(', ')}`);
    return undefined;
  }
  for (const key of [...(second === undefined ? [] : [second]), ...FOREIGN[form]]) {
    if (!Object.hasOwn(mapping, key)) continue;
    complain(
      reader,
      'bad-value',
      [...path, key],
      `Cannot use key "${key}" in ${owner} beside "${form}"`,
      hintFor(form, key),
      'key',
    );
  }
  return form;
}

function hintFor(form: Form, key: string): string {
  if (form === 'matrix' && key !== 'host')
    return key === 'model' ? 'write "models" inside of "matrix"' : `write it inside of "matrix"`;
  if (form === 'steps')
    return key === 'expect' ? 'write it in a step' : 'the steps are judged by the engine alone';
  if (key === 'host') return 'write "hosts" with a list';
  return form === 'stdin' ? 'the message itself says it' : `give one of ${FORMS.join(', ')}`;
}

/** The run of a case with `stdin`. While outputs are recorded it may expect nothing. */
function readRawCase(reading: CaseReading, common: CaseCommon, recording: boolean): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const host = ownString(mapping, 'host');
  if (host === undefined) {
    complain(reader, 'missing-key', path, 'Cannot use "stdin" without "host"', 'add "host"');
    return [];
  }
  const messages = rawMessages(reading);
  const expect = own(mapping, 'expect');
  if (expect === undefined && !recording) {
    const hint = 'add "expect", or run with --update to record the output';
    complain(reader, 'missing-key', path, 'Cannot use the case: it asserts nothing', hint);
  }
  const checks = expect === undefined ? [] : readExpect(reader, expect, [...path, 'expect'], true);
  if (checks === undefined) return [];
  const input: CaseInput = { type: 'raw', messages };
  return [
    {
      ...common,
      name: common.name === '' ? `messages of ${host}` : common.name,
      input,
      history: [],
      host,
      checks,
    },
  ];
}

function rawMessages({ mapping }: CaseReading): readonly RawMessage[] {
  const stdin = own(mapping, 'stdin') ?? null;
  const items: readonly Json[] = Array.isArray(stdin) ? stdin : [stdin];
  return items.map((item) => (isJsonObject(item) ? { json: item } : { text: String(item) }));
}

/** The runs of a case with `call` or `calls`: one for each call and host. */
function readCallCase(
  reading: CaseReading,
  common: CaseCommon,
  form: 'call' | 'calls',
  owner: string,
): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const hosts = ownTexts(mapping, 'hosts');
  const expect = own(mapping, 'expect');
  if (expect === undefined) {
    complain(reader, 'missing-key', path, `Cannot use ${owner}: it asserts nothing`, 'add "expect"');
  }
  const checks =
    expect === undefined ? undefined : readExpect(reader, expect, [...path, 'expect'], hosts.length > 0);
  const calls = readCalls(reading, form === 'call' ? 'one' : 'many', form);
  const history = readCalls(reading, 'many', 'history');
  const model = ownString(mapping, 'model');
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
