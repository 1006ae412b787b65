import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import { CLOSED, LIST } from '../../../lib/schema-parts.ts';
import { TOOL_EVENTS } from '../../../model/event.ts';
import type { Facts } from '../../../model/facts.ts';
import { type CarriedAnswer, factName, type Window } from '../../../model/history.ts';
import type { Truth } from '../../../model/truth.ts';
import { TRAITS } from '../call/traits.ts';
import { FACT_SCHEMA } from '../history/fact-spec.ts';
import { factKeyProblems, factReads, WITHIN_SCHEMA, windowProblems } from '../history/match.ts';
import { factUse, windowOf } from '../history/spec.ts';
import type { Matcher } from '../matcher.ts';
import type { MatcherTable } from '../when.ts';
import { OUTGOING_CHANNELS, type OutgoingChannel, outgoingTexts, SENDING_CLASSES } from './outgoing-texts.ts';

const way = { type: 'string', enum: OUTGOING_CHANNELS } as const;

/** True if a piece of text that an earlier call showed is on its way out. It holds the keys of facts, as `history` does. */
export function carries(table: () => MatcherTable): Matcher {
  return {
    key: 'carries',
    summary: 'The call sends out a piece of text that a call of the fact showed',
    schema: {
      ...CLOSED,
      required: ['from', 'to', 'within'],
      properties: {
        from: { description: 'What has shown it', ...FACT_SCHEMA },
        to: { description: 'Where it would go', anyOf: [way, { ...LIST, uniqueItems: true, items: way }] },
        within: WITHIN_SCHEMA,
        across: {
          description: 'sessions: with a time, all sessions of this machine in the same repository count',
          enum: ['sessions'],
        },
      },
    },
    narrows: true,
    events: TOOL_EVENTS,
    check: (spec) =>
      isJsonObject(spec) ? [...windowProblems(spec), ...factKeyProblems('carries', spec, table())] : [],
    reads: (spec) => factReads('carries', spec, table()),
    needs: (spec) =>
      channelsIn(spec).flatMap((each) => [
        ...(each === 'network' ? [{ traits: [TRAITS.network] }] : []),
        { classes: SENDING_CLASSES[each] },
      ]),
    compile: (spec) => {
      const known = carriesSpec(spec);
      return known === undefined ? () => 'unknown' : (facts) => truthOf(carriedBy(known, facts));
    },
    seen: (facts, spec) => carriedTexts(spec, facts).map((text) => `a piece of ${text}`),
  };
}

/** The earlier call that has shown the text on its way out, for people. */
export function carriedTexts(spec: Json, facts: Facts): readonly string[] {
  const known = carriesSpec(spec);
  const answer = known === undefined ? undefined : carriedBy(known, facts);
  if (known === undefined || answer === undefined || answer.type === 'none') return [];
  if (answer.type !== 'found') return [`${factName(known.fact)}, perhaps`];
  const { momentText } = require('../history/past-text.ts') as typeof import('../history/past-text.ts');
  return [momentText(known.fact, answer.by)];
}

interface CarriesSpec {
  readonly fact: string;
  readonly ways: readonly OutgoingChannel[];
  readonly window: Window;
}

function carriesSpec(spec: Json): CarriesSpec | undefined {
  if (!isJsonObject(spec)) return undefined;
  const from = factUse(own(spec, 'from'));
  const window = windowOf(spec);
  return from === undefined || window === undefined
    ? undefined
    : { fact: from.fact, ways: channelsIn(spec), window };
}

function channelsIn(spec: Json): readonly OutgoingChannel[] {
  const to = isJsonObject(spec) ? [own(spec, 'to') ?? []].flat() : [];
  return OUTGOING_CHANNELS.filter((each) => to.includes(each));
}

function carriedBy({ fact, ways, window }: CarriesSpec, facts: Facts): CarriedAnswer {
  const { fingerprintsSent } =
    require('../../../lib/fingerprints.ts') as typeof import('../../../lib/fingerprints.ts');
  const { texts, complete } = outgoingTexts(facts, ways);
  const sent = texts.map(fingerprintsSent);
  const pieces = [...new Set(sent.flatMap((each) => each ?? []))];
  const answer: CarriedAnswer =
    pieces.length === 0 ? { type: 'none' } : facts.history.carriedIn(fact, window, pieces);
  const isWhole = complete && !sent.includes(undefined);
  return isWhole || answer.type === 'found' ? answer : { type: 'unknown' };
}

function truthOf(answer: CarriedAnswer): Truth {
  if (answer.type === 'found') return answer.by.met ? true : 'unknown';
  return answer.type === 'unknown' ? 'unknown' : false;
}
