import type { BareCall } from '../../../hosts/host.ts';
import { hostNamed } from '../../../hosts/registry.ts';
import { readCall } from '../../../language/calls/read-call.ts';
import { scalarsOf } from '../../../language/keys/context/analyse.ts';
import type { YamlPath } from '../../../language/policy/yaml/yaml.ts';
import { didYouMean } from '../../../lib/closest.ts';
import { itemsOf, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import { callLabel } from './call-label.ts';
import { type CaseReader, complain, complainAll } from './case-reader.ts';
import type { TestCase } from './test-case.ts';

/** The calls of a file by name; undefined marks one that could not be read. */
export type SampleCalls = Map<string, BareCall | undefined>;

export interface CaseReading {
  readonly reader: CaseReader;
  readonly mapping: JsonObject;
  readonly path: YamlPath;
  readonly samples: SampleCalls;
}

/** The properties that all runs of a case have in common. */
export type CaseCommon = Pick<TestCase, 'name' | 'position' | 'index' | 'interactive' | 'skip' | 'judge'>;

export interface CaseCall {
  readonly call: BareCall;
  readonly label: string;
  readonly path: YamlPath;
}

export function readCalls(reading: CaseReading, count: 'one' | 'many', key: string): readonly CaseCall[] {
  const { mapping, path } = reading;
  const value = own(mapping, key) ?? [];
  const here = [...path, key];
  if (count === 'one') return readOneCall(reading, value, here);
  return itemsOf(value).flatMap((item, index) => readOneCall(reading, item, [...here, index]));
}

function readOneCall(reading: CaseReading, value: Json, path: YamlPath): readonly CaseCall[] {
  if (typeof value === 'string') {
    const call = sampleNamed(reading, value, path);
    return call === undefined ? [] : [{ call, label: value, path }];
  }
  const found = readCall(value);
  if (found.ok) return [{ call: found.call, label: callLabel(found.call), path }];
  complainAll(reading.reader, path, found.problems);
  return [];
}

export function sampleNamed(
  { reader, samples }: CaseReading,
  name: string,
  path: YamlPath,
): BareCall | undefined {
  if (samples.has(name)) return samples.get(name);
  const hint = didYouMean(name, samples.keys(), 'add it to "calls" or write the call here: {command: ls}');
  complain(reader, 'bad-value', path, `Cannot find call "${name}"`, hint);
  return undefined;
}

/** Notes that a host does not have the event of a call. */
export function checkEvent(reader: CaseReader, host: string, call: BareCall, path: YamlPath): void {
  const supported = hostNamed(host)?.supports(undefined)[call.on];
  if (supported !== undefined) return;
  const message = `Cannot run the case on ${host}: the agent has no event ${call.on}`;
  complain(reader, 'event-key', path, message, 'leave the agent out');
}

/** The directory and context of a case. */
export function readFacts({ mapping }: CaseReading): NonNullable<BareCall['context']> {
  const cwd = ownString(mapping, 'cwd');
  const facts = scalarsOf(ownObject(mapping, 'context') ?? {});
  return cwd === undefined ? facts : { ...facts, cwd };
}

/** Lays the model and the facts of a case over its calls. */
export function adjusted(
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
