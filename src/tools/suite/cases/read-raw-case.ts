import { isJsonObject, type Json, own, ownString } from '../../../lib/json.ts';
import type { CaseCommon, CaseReading } from './case-parts.ts';
import { complain } from './case-reader.ts';
import { readExpect } from './read-expect.ts';
import type { CaseInput, RawMessage, TestCase } from './test-case.ts';

/** The run of a case with `stdin`. While outputs are recorded it may expect nothing. */
export function readRawCase(
  reading: CaseReading,
  common: CaseCommon,
  recording: boolean,
): readonly TestCase[] {
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
