import type { Host } from '../hosts/host.ts';
import { createFacts } from '../language/engine/facts.ts';
import { metFacts, possibleFacts } from '../language/engine/met-facts.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { own } from '../lib/json.ts';
import { prevents } from '../model/action.ts';
import type { Decision } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { CallNote, History, HistoryStore, MetFact } from '../model/history.ts';
import { NO_MEMORY } from '../model/memory.ts';
import type { FactRow, Program } from '../model/policy.ts';
import type { Surroundings } from '../model/surroundings.ts';
import { isBusy } from './state/database.ts';
import { StateError } from './state/state-error.ts';

/** Gives one event the calls before it, and keeps it for those after it. The store is opened when it is first needed. */
export interface Remembering {
  /** The earlier calls, to judge the event by once. */
  readonly history: () => History;
  /**
   * Keeps a call as it was decided; false if the history that it was judged by has changed meanwhile. Does nothing for other events.
   *
   * @param isForced true if it is kept whatever has changed
   */
  readonly keep: (decision: Decision, isForced: boolean) => boolean;
  /** Does something while nobody else can change the memory. */
  readonly exclusively: <T>(action: () => T) => T;
  /** Before an event is judged: a prompt may start a turn. */
  readonly begin: (startsTurn: boolean) => void;
  /** After an event was judged: a result is tied to its call. */
  readonly end: () => void;
  /** True if this is a result that policies keep from leaving. */
  readonly isCarried: () => boolean;
  /** Why the store cannot be used, for the log. */
  readonly problem: () => string | undefined;
}

/** A store that may have been lost. */
export type KeptHistory = HistoryStore & { readonly lost?: () => string | undefined };

export interface RememberingParts {
  readonly host: Host;
  readonly event: Event;
  readonly program: Program;
  readonly facts: readonly FactRow[];
  readonly surroundings: (event: Event) => Surroundings;
  readonly open: () => KeptHistory;
  readonly nowMs: () => number;
}

/** A call that is about to run; of another event nothing is kept. */
const CALLS: ReadonlySet<Event['kind']> = new Set(['before_tool', 'approve_tool']);
const RESULTS: ReadonlySet<Event['kind']> = new Set(['after_tool', 'tool_failure']);
/** A command that may have moved the agent: the same call then names other paths after it than before. */
const MAY_MOVE = /\b(?:cd|pushd|popd|chdir|Set-Location|sl)\b/;

export function createRemembering(parts: RememberingParts): Remembering {
  const { event, facts: rows } = parts;
  const { session } = event;
  let store: KeptHistory | undefined;
  let view: History | undefined;
  let broken: StateError | undefined;
  if (session === undefined) return nothingRemembered(`${parts.host.title} does not say which session it is`);

  const opened = (): KeptHistory => {
    if (broken !== undefined) throw broken;
    store ??= parts.open();
    return store;
  };
  const note = (decided: Event = event): CallNote => noteOf(parts, session, decided);

  const history = (): History => {
    let looked: History | undefined;
    view = undefined;
    const asking = <T>(ask: (known: History) => T): T => {
      try {
        looked ??= opened().look(note());
        view = looked;
        return ask(looked);
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
        broken ??= error;
        return ask(unknownHistory(error.message));
      }
    };
    return {
      past: (fact, window) => asking((known) => known.past(fact, window)),
      hash: (text) => asking((known) => known.hash(text)),
      carriedIn: (fact, window, pieces) => asking((known) => known.carriedIn(fact, window, pieces)),
    };
  };

  /** The facts that a call meets, as it will run. */
  const met = (decided: Event): readonly MetFact[] => metFacts(rows, factsOf(decided, parts));

  /** Fingerprints of a result that must not leave; undefined if no policy asks. */
  const shown = (): ReturnType<typeof import('./shown-pieces.ts').shownPieces> | undefined => {
    const carried = new Set(rows.filter((row) => row.carried === true).map(({ id }) => id));
    if (carried.size === 0) return undefined;
    const here: Pick<MetFact, 'fact' | 'met'>[] = met(event).filter(({ fact }) => carried.has(fact));
    // The call may have changed its folder since; the store knows which facts it met where it ran.
    if (mayHaveMoved(parts))
      for (const fact of carried)
        if (here.every((each) => each.fact !== fact)) here.push({ fact, met: false });
    if (here.length === 0) return undefined;
    const { shownPieces } = require('./shown-pieces.ts') as typeof import('./shown-pieces.ts');
    return shownPieces(event, here);
  };

  return {
    history,
    keep(decision, isForced) {
      if (!CALLS.has(event.kind)) return true;
      const decided = decidedEvent(event, decision);
      const facts = met(decided);
      if (facts.length === 0) return true;
      // A kept answer shows the result of an equal call again, though nothing runs.
      const refused = decision.action !== 'ask' && decision.kept !== true && prevents(decision.action);
      try {
        const seen = isForced || refused ? undefined : view;
        return opened().keep(note(decided), facts, refused, seen);
      } catch (error) {
        // Without this write a later call may lack its facts; if no write ever works, all is unknown.
        if (!(error instanceof StateError) || isBusy(error.cause)) throw error;
        const isNew = broken === undefined;
        broken = error;
        return !isNew || view === undefined;
      }
    },
    exclusively: (action) => (broken === undefined ? opened().exclusively(action) : action()),
    begin(startsTurn) {
      if (startsTurn) silently(() => opened().startTurn({ ...note(), nowMs: parts.nowMs() }));
    },
    end() {
      if (!RESULTS.has(event.kind) || !mayHaveMet(parts)) return;
      const { statusOf } = require('../hosts/call-results.ts') as typeof import('../hosts/call-results.ts');
      const status = statusOf(parts.host.results, event);
      if (status === 'not_run') return;
      const pieces = shown();
      silently(() => opened().settle({ ...note(), status, ...(pieces === undefined ? {} : { pieces }) }));
    },
    isCarried: () => RESULTS.has(event.kind) && shown() !== undefined,
    problem: () => {
      const lost = store?.lost?.();
      if (lost !== undefined) return `what was known of earlier calls was set aside: ${lost}`;
      return broken === undefined
        ? undefined
        : `what is known of earlier calls cannot be used: ${broken.message}`;
    },
  };

  /** An event is answered all the same; a result that is not kept opens nothing. */
  function silently(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      broken ??= error;
    }
  }
}

function noteOf(parts: RememberingParts, session: string, event: Event): CallNote {
  const { host, surroundings, nowMs, event: sent } = parts;
  const { tool, turn, callId, twin, kind } = event;
  return {
    host: host.name,
    session,
    turn,
    id: callId,
    twin,
    approval: kind === 'approve_tool',
    tool: tool?.name ?? '',
    digest: argumentText(event),
    sent: event === sent ? undefined : argumentText(sent),
    alone: host.results.oneByOne === true,
    get repository() {
      return surroundings(event).repository?.()?.root;
    },
    get nowMs() {
      return nowMs();
    },
  };
}

const argumentTexts = new WeakMap<Event, string>();

/** By which a result finds its call. Asked for when an event is judged and when it is kept; a store hashes it. */
function argumentText(event: Event): string | undefined {
  const { tool } = event;
  if (tool?.arguments === undefined) return undefined;
  const text = argumentTexts.get(event) ?? `${tool.name}\n${canonicalJson(tool.arguments)}`;
  argumentTexts.set(event, text);
  return text;
}

/** The call as it will run. */
function decidedEvent(event: Event, { action, subject }: Decision): Event {
  return action === 'modify' && subject !== undefined && own(subject, 'arguments') !== undefined
    ? event.with(subject)
    : event;
}

function factsOf(event: Event, { surroundings, program }: RememberingParts): Facts {
  return createFacts(event, NO_MEMORY, surroundings, program.programs);
}

/** True if the call of a result may have met a fact when it was asked for. */
function mayHaveMet(parts: RememberingParts): boolean {
  const { event, host, facts: rows } = parts;
  const { tool } = event;
  if (tool?.arguments === undefined || host.results.by === 'tool') return true;
  return mayHaveMoved(parts) || possibleFacts(rows, factsOf(event, parts)).length > 0;
}

/** True if the agent may be in another folder now than it was when it asked for the call. */
function mayHaveMoved({ event, surroundings }: RememberingParts): boolean {
  const { tool } = event;
  if (tool?.classes.includes('shell') === true && MAY_MOVE.test(JSON.stringify(tool.arguments ?? {})))
    return true;
  const { directory, workspace } = surroundings(event);
  return directory !== undefined && directory !== workspace;
}

/** Of an event that no session is known of. */
function nothingRemembered(unknown: string): Remembering {
  return {
    history: () => unknownHistory(unknown),
    keep: () => true,
    exclusively: (action) => action(),
    begin: () => {},
    end: () => {},
    isCarried: () => false,
    problem: () => undefined,
  };
}

/** @param unknown why it is not known */
function unknownHistory(unknown: string): History {
  return {
    past: () => ({ calls: [], unknown }),
    hash: (text) => text,
    carriedIn: () => ({ type: 'unknown' }),
  };
}
