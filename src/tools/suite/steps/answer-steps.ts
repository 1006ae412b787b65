import { createResultCache } from '../../../hook/result-cache.ts';
import { createResultStore } from '../../../hook/result-store.ts';
import { createProcessHistory } from '../../../hook/state/history/process-history.ts';
import type { Answer } from '../../../language/calls/answer-call.ts';
import { answerBareCall, type Session, surroundingsOf } from '../../../language/calls/answer-call.ts';
import { TEST_CWD } from '../../../language/calls/bare-event.ts';
import { createFacts } from '../../../language/engine/facts.ts';
import { metFacts } from '../../../language/engine/met-facts.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import { fingerprintsOf } from '../../../lib/fingerprints.ts';
import { ownString } from '../../../lib/json.ts';
import type { Decision } from '../../../model/decision.ts';
import type { Event } from '../../../model/event.ts';
import type { CallNote, History, HistoryStore, MetFact } from '../../../model/history.ts';
import type { Surroundings } from '../../../model/surroundings.ts';
import { isHeld, type Step } from './step.ts';

/** The time of the first step, so that texts about it are always the same. */
const START_MS = Date.UTC(2026, 0, 1, 12);

/** Of a step, the text of its result is known. */
const STEP_HOST: Parameters<typeof createResultCache>[0] = {
  results: { by: 'id', unmarked: ['succeeded', 'failed'] },
  resultOf: (subject) => ({ for_llm: ownString(subject, 'result') ?? '' }),
};

/** Tells the store of one step. */
type Replay = (store: HistoryStore) => void;

/**
 * Judges calls one after the other, each with the fates of those before it.
 *
 * @param answer who answers a call: without more, nobody's agent
 */
export function answerSteps(
  steps: readonly Step[],
  session: Session,
  answer: (call: Step['call'], session: Session) => Answer = answerBareCall,
): readonly Answer[] {
  const store = createProcessHistory();
  const replays: Replay[] = [];
  const surroundings = session.surroundings ?? inRepository;
  let nowMs = START_MS;
  const results = createResultCache(
    STEP_HOST,
    session.engine.program,
    createResultStore(() => nowMs),
  );
  return steps.map((step, index) => {
    nowMs += step.afterMs;
    const noteOf = (event: Event) => noteFor(event, index, nowMs, surroundings(event));
    const { event, ...rest } = answer(step.call, {
      ...session,
      surroundings,
      history: (each) => store.look(noteOf(each)),
      kept: results,
    });
    if (event === undefined) return { event, ...rest };
    results?.settle(event, rest.decision, rest.outcome?.hits ?? [], () => false);
    if (results !== undefined && step.outcome === 'succeeded' && event.kind === 'before_tool') {
      const shown = answer(
        { ...step.call, on: 'after_tool', result: step.result },
        { ...session, surroundings },
      );
      const isSecret = () => carriedFacts(event, { ...session, surroundings }).length > 0;
      if (shown.event !== undefined) results.settle(shown.event, shown.decision, [], isSecret);
    }
    const note = noteOf(event);
    const before = [...replays];
    const tells = callResult(step, event, rest.decision, note, { ...session, surroundings });
    replays.push(tells);
    tells(store);
    return { event, ...rest, history: lazily(() => replayed(before).look(note)) };
  });
}

/** A store that has taken in all of these steps. */
function replayed(replays: readonly Replay[]): HistoryStore {
  const store = createProcessHistory();
  for (const tell of replays) tell(store);
  return store;
}

function callResult(
  step: Step,
  event: Event,
  decision: Decision,
  note: CallNote,
  session: KnownSession,
): Replay {
  if (event.kind === 'before_prompt') return (store) => store.startTurn(note);
  if (event.tool === undefined || (event.kind !== 'before_tool' && event.kind !== 'approve_tool'))
    return () => {};
  const met = metBy(event, session);
  const { kept } = decision;
  const refused = isHeld(decision);
  const carried = carriedFacts(event, session);
  return (store) => {
    store.keep(note, met, refused, undefined);
    if (refused || kept === true || step.outcome === 'none') return;
    const pieces = new Map(carried.map(({ fact }) => [fact, fingerprintsOf(step.result)]));
    const status = step.outcome === 'done' ? 'unknown' : step.outcome;
    store.settle({ ...note, status, ...(pieces.size === 0 ? {} : { pieces }) });
  };
}

type KnownSession = Session & Required<Pick<Session, 'surroundings'>>;

function metBy(event: Event, { engine, memory, surroundings }: KnownSession): readonly MetFact[] {
  const { facts: rows = [], programs } = engine.program;
  return metFacts(rows, createFacts(event, memory, surroundings, programs));
}

/** The facts that a call meets whose results must not leave. */
function carriedFacts(event: Event, session: KnownSession): readonly MetFact[] {
  const rows = session.engine.program.facts ?? [];
  const carried = new Set(rows.flatMap(({ id, carried: isCarried }) => (isCarried === true ? [id] : [])));
  return metBy(event, session).filter(({ fact }) => carried.has(fact));
}

function noteFor(event: Event, index: number, nowMs: number, { repository }: Surroundings): CallNote {
  return {
    host: event.host,
    session: event.session ?? '',
    // A prompt among the steps starts a turn.
    turn: undefined,
    id: `step ${index + 1}`,
    tool: event.tool?.name ?? '',
    digest: sha256Hex([canonicalJson(event.tool?.arguments ?? null)]),
    repository: repository?.()?.root,
    nowMs,
  };
}

/** The folder where tests run is a repository, unless they say otherwise. */
export function inRepository(event: Event): Surroundings {
  const known = surroundingsOf(event);
  if (known.repository !== undefined) return known;
  const cwd = String(event.context.cwd ?? TEST_CWD);
  const root = cwd.startsWith(`${TEST_CWD}/`) ? TEST_CWD : cwd;
  const isIn = (folder: string) => folder === root || folder.startsWith(`${root}/`);
  return {
    ...known,
    repository: (folder = cwd) => (isIn(folder) ? { root, name: undefined } : null),
  };
}

function lazily(make: () => History): History {
  let made: History | undefined;
  const get = () => (made ??= make());
  return {
    past: (fact, window) => get().past(fact, window),
    hash: (text) => get().hash(text),
    carriedIn: (fact, window, pieces) => get().carriedIn(fact, window, pieces),
  };
}
