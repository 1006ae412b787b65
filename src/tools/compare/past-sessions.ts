import type { Host } from '../../hosts/host.ts';
import type { SessionCall } from '../../hosts/sessions.ts';
import type { Answer } from '../../language/calls/answer-call.ts';
import type { Engine } from '../../language/engine/engine.ts';
import type { Event } from '../../model/event.ts';
import type { Program } from '../../model/policy.ts';
import { answerInOrder, keepResult, type OrderedSession } from './answer-in-order.ts';
import {
  emptyMemory,
  hostMessage,
  type RecordingPlace,
  type Remembered,
  settingOf,
} from './recorded-samples.ts';

/** Judges the calls of one session after the other, in their order, each by the calls before it in its session. */
export interface PastSessions {
  readonly judge: (
    host: Host,
    call: SessionCall,
    engine: Engine,
    more?: Pick<OrderedSession, 'trace' | 'look'>,
  ) => Answer;
  /** Judges the end of the turn of a call; undefined if no policy is about it and earlier calls, or the host reports none. */
  readonly judgeEnd: (host: Host, call: SessionCall, engine: Engine) => Answer | undefined;
}

/** The place of an engine in the sessions. */
interface Course extends Pick<Remembered, 'history'> {
  readonly session: string;
  /** The turn that each session is in. */
  readonly turns: Map<string, number>;
}

/** True if a policy looks at more than one session. */
export function spansSessions({ facts, rules }: Program): boolean {
  return facts !== undefined && rules.some(({ when }) => JSON.stringify(when).includes('"across":'));
}

/** @param across true if sessions know of each other: their calls come in the order of their times */
export function createPastSessions(place: RecordingPlace, across = false): PastSessions {
  // Of a session that is over nothing is needed any more.
  const courses = new WeakMap<Engine, Course>();
  const courseOf = (session: string, engine: Engine): Course => {
    const known = courses.get(engine);
    if (known !== undefined && (across || known.session === session)) return known;
    const course = { session, turns: new Map<string, number>(), history: emptyMemory().history };
    courses.set(engine, course);
    return course;
  };
  const mannerOf = (engine: Engine) => ({
    engine,
    memory: emptyMemory().memory,
    surroundings: (event: Event) => place.surroundings(event, engine.program),
    verdict: () => ({ type: 'unasked' }) as const,
  });
  return {
    judge(host, call, engine, more) {
      const session = sessionOf(host, call);
      const { turns, history } = courseOf(session, engine);
      const nowMs = timeOf(call);
      if (call.turn !== undefined && call.turn !== (turns.get(session) ?? call.turn))
        history().startTurn({ host: host.name, session: call.session, nowMs });
      if (call.turn !== undefined) turns.set(session, call.turn);
      const setting = settingOf(call, place);
      const manner = { ...mannerOf(engine), ...more };
      const asked = hostMessage(host, call, place.cwd, { on: 'before_tool' });
      const answer = answerInOrder({ message: asked, host, setting, nowMs }, manner, history);
      const { result } = call;
      if (result !== undefined) {
        const message = hostMessage(host, call, place.cwd, { on: result.on, result: result.value });
        keepResult({ message, host, setting, nowMs }, manner, history);
      }
      return answer;
    },
    judgeEnd(host, call, engine) {
      const { facts, rules } = engine.program;
      // The last words of the agent are not kept, so only its calls count.
      if (facts === undefined || !rules.some(({ on }) => on.includes('after_turn'))) return undefined;
      const message = hostMessage(host, call, place.cwd, { on: 'after_turn' });
      const setting = settingOf(call, place);
      const decoded = host.decode(message, setting);
      if (decoded.type !== 'event' || decoded.event.kind !== 'after_turn') return undefined;
      const { history } = courseOf(sessionOf(host, call), engine);
      return answerInOrder({ message, host, setting, nowMs: timeOf(call) }, mannerOf(engine), history);
    },
  };
}

function sessionOf({ name }: Host, { session }: SessionCall): string {
  return `${name} ${session}`;
}

function timeOf({ time }: SessionCall): number {
  return Date.parse(time ?? '') || 0;
}
