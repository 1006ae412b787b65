import { isJsonObject, type Json, own } from '../../lib/json.ts';
import { type CaseCommon, type CaseReading, readHosts } from './case-parts.ts';
import { complain, wrongType } from './case-reader.ts';
import { readExpect } from './read-expect.ts';
import type { CaseInput, RawMessage, TestCase } from './test-case.ts';

/** The run of a case with `stdin`. While outputs are recorded it may expect nothing. */
export function readRawCase(
  reading: CaseReading,
  common: CaseCommon,
  recording: boolean,
): readonly TestCase[] {
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

function rawMessages({ reader, mapping, path }: CaseReading): readonly RawMessage[] | undefined {
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
