import type { BareCall } from '../../hosts/host.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../lib/json.ts';
import { MATRIX_KEYS } from './case-keys.ts';
import {
  adjusted,
  type CaseCommon,
  type CaseReading,
  checkEvent,
  readCalls,
  readFacts,
  readHosts,
  sampleNamed,
} from './case-parts.ts';
import { checkKeys, complain, positionAt, wrongType } from './case-reader.ts';
import type { NamedCheck } from './expect-key.ts';
import { readExpect } from './read-expect.ts';
import { type Dimension, readTable } from './read-table.ts';
import type { TestCase } from './test-case.ts';

/** The runs of a case with `matrix`: one for each cell. */
export function readMatrixCase(reading: CaseReading, common: CaseCommon): readonly TestCase[] {
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

function labelsAt(
  { reader, path }: CaseReading,
  matrix: JsonObject,
  key: 'calls' | 'models',
): readonly string[] {
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
