import type { BareCall, Support } from '../../../hosts/host.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../../../lib/json.ts';
import { MACHINE_CONTEXT } from '../../../model/event.ts';
import { and } from '../../../model/truth.ts';
import type { PartialAnalysis, UnreportedFact } from '../key-analysis.ts';
import type { Predicate } from '../matcher.ts';
import { namedTests, namedTestsClash } from '../types/scalar-test.ts';
import { context as matcher } from './match.ts';

export const context: PartialAnalysis = {
  ...namedTests('equals', 'context'),
  unknownCause: 'the agent does not say it',
  unreported: unreportedFacts,
  clash: namedTestsClash('equals'),
  outline: knownHost,
  sample: (spec) => ({ context: isJsonObject(spec) ? scalarsOf(spec) : {} }),
};

const NEVER_SENT: ReadonlySet<string> = new Set(MACHINE_CONTEXT);

function unreportedFacts(spec: Json, support: Support): readonly UnreportedFact[] {
  if (!isJsonObject(spec)) return [];
  return Object.keys(spec)
    .filter(
      (fact) => fact !== 'host' && !NEVER_SENT.has(fact) && !support.context.some((known) => known === fact),
    )
    .map((fact) => ({ code: 'host-unknown', name: `context.${fact}`, path: [fact] }));
}

function knownHost(spec: Json): Predicate {
  const host = isJsonObject(spec) ? own(spec, 'host') : undefined;
  if (host === undefined) return () => 'unknown';
  const isHost = matcher.compile({ host });
  const isAll = isJsonObject(spec) && Object.keys(spec).length === 1;
  return (facts) => and(isHost(facts), isAll || 'unknown');
}

/** The facts of a checked `context`. */
export function scalarsOf(context: JsonObject): NonNullable<BareCall['context']> {
  return Object.fromEntries(
    Object.entries(context).filter(([, value]) => typeof value !== 'object'),
  ) as NonNullable<BareCall['context']>;
}
