import type { BareCall } from '../../../hosts/host.ts';
import { own, ownString } from '../../../lib/json.ts';
import {
  adjusted,
  type CaseCommon,
  type CaseReading,
  checkEvent,
  readCalls,
  readFacts,
} from './case-parts.ts';
import { complain, positionAt, textsAt } from './case-reader.ts';
import { readExpect } from './read-expect.ts';
import type { TestCase } from './test-case.ts';

/** The runs of a case with `call` or `calls`: one for each call and host. */
export function readCallCase(
  reading: CaseReading,
  common: CaseCommon,
  form: 'call' | 'calls',
  owner: string,
): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const hosts = textsAt(mapping, 'hosts');
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
