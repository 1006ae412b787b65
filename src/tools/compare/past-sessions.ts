import type { Host } from '../../hosts/host.ts';
import type { PastCall } from '../../hosts/sessions.ts';
import type { Answer } from '../../language/calls/answer.ts';
import type { Engine } from '../../language/engine/engine.ts';
import type { Event } from '../../model/event.ts';
import { answerInOrder, keepResult, type OrderedSession } from './answer-in-order.ts';
import {
  messageOf,
  nothingYet,
  type RecordingPlace,
  type Remembered,
  settingOf,
} from './recorded-samples.ts';

/** Judges the calls of one session after the other, in their order, each by what came before it in its session. */
export interface PastSessions {
  readonly judge: (
    host: Host,
    call: PastCall,
    engine: Engine,
    more?: Pick<OrderedSession, 'trace' | 'look'>,
  ) => Answer;
}

/** Where an engine is in the sessions. */
interface Course extends Pick<Remembered, 'history'> {
  readonly session: string;
  turn: number | undefined;
}

export function createPastSessions(place: RecordingPlace): PastSessions {
  // Of a session that is over nothing is needed any more.
  const courses = new WeakMap<Engine, Course>();
  return {
    judge(host, call, engine, more) {
      const session = `${host.name} ${call.session}`;
      const known = courses.get(engine);
      const course: Course =
        known?.session === session ? known : { session, turn: call.turn, history: nothingYet().history };
      courses.set(engine, course);
      const nowMs = Date.parse(call.time ?? '') || 0;
      if (call.turn !== undefined && call.turn !== course.turn)
        course.history().startTurn({ host: host.name, session: call.session, nowMs });
      course.turn = call.turn ?? course.turn;
      const setting = settingOf(call, place);
      const surroundings = (event: Event) => place.surroundings(event, engine.program);
      const { memory } = nothingYet();
      const verdict = () => ({ type: 'unasked' }) as const;
      const manner = { engine, memory, surroundings, verdict, ...more };
      const asked = messageOf(host, call, place.cwd, { on: 'before_tool' });
      const answer = answerInOrder({ message: asked, host, setting, nowMs }, manner, course.history);
      const { result } = call;
      if (result !== undefined) {
        const message = messageOf(host, call, place.cwd, { on: result.on, result: result.value });
        keepResult({ message, host, setting, nowMs }, manner, course.history);
      }
      return answer;
    },
  };
}
