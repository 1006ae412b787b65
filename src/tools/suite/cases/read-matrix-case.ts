import type { BareCall } from '../../../hosts/host.ts';
import { type Json, own, ownObject, ownTexts } from '../../../lib/json.ts';
import type { NamedCheck } from '../expect/expect-key.ts';
import {
  adjusted,
  type CaseCommon,
  type CaseReading,
  checkEvent,
  readCalls,
  readFacts,
  sampleNamed,
} from './case-parts.ts';
import { type CaseReader, positionAt } from './case-reader.ts';
import { readExpect } from './read-expect.ts';
import { type Cell, type Dimension, readTable } from './read-table.ts';
import { cellProblems } from './shape-problems.ts';
import type { TestCase } from './test-case.ts';

/** The runs of a case with `matrix`: one for each cell. */
export function readMatrixCase(reading: CaseReading, common: CaseCommon): readonly TestCase[] {
  const { reader, mapping, path } = reading;
  const base = [...path, 'matrix'];
  const matrix = ownObject(mapping, 'matrix') ?? {};
  const dimensions = (['calls', 'hosts', 'models'] as const)
    .filter((key) => Object.hasOwn(matrix, key))
    .map((key): Dimension => ({ key, labels: ownTexts(matrix, key) }));
  const table = own(matrix, 'expect') ?? {};
  const history = readCalls(reading, 'many', 'history');
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
    // Many cells often share one expectation; its problems are noted once.
    const known = typeof cell.expect === 'object' && read.has(cell.expect);
    const checks = known ? read.get(cell.expect) : readCell(reader, cell, host !== undefined);
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

function readCell(
  reader: CaseReader,
  { expect, path }: Cell,
  hasHost: boolean,
): readonly NamedCheck[] | undefined {
  const problems = cellProblems(reader.document, expect, path);
  reader.diagnostics.push(...problems.map(({ diagnostic }) => diagnostic));
  return problems.length > 0 ? undefined : readExpect(reader, expect, path, hasHost);
}
