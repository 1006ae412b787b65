import type { BareCall, Host, HostSetting, Reply } from '../../hosts/host.ts';
import { supportOn } from '../../hosts/support-on.ts';
import type { Json } from '../../lib/json.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { Event } from '../../model/event.ts';
import type { History } from '../../model/history.ts';
import type { JudgeAnswer, JudgeQuestion } from '../../model/judge.ts';
import type { KeptResults } from '../../model/kept-results.ts';
import type { Memory } from '../../model/memory.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Surroundings } from '../../model/surroundings.ts';
import { degrade } from '../engine/degrade.ts';
import type { Engine } from '../engine/engine.ts';
import { type EvaluateOptions, evaluate } from '../engine/evaluate.ts';
import { rememberModel } from '../engine/facts.ts';
import { bareEvent, surroundingsAt, TEST_CWD } from './bare-event.ts';

/** The things that the calls of one case share. */
export interface Session {
  readonly engine: Engine;
  readonly memory: Memory;
  /** Given to explain a decision. */
  readonly trace?: EvaluateOptions['trace'];
  /** The answers of judges when verdicts were recorded; without it every judge has failed. */
  readonly verdict?: (question: JudgeQuestion) => JudgeAnswer;
  /** The calls before an event; by default none. */
  readonly history?: (event: Event) => History;
  /** Results of earlier calls to answer with; by default nothing. */
  readonly kept?: KeptResults | undefined;
  /** The known facts of the machine; the same for every test unless given. */
  readonly surroundings?: (event: Event) => Surroundings;
}

/** Judges a call by the engine alone. */
export function answerBareCall(call: BareCall, session: Session): Answer {
  return answerEvent(bareEvent(call), session);
}

export function answerEvent(event: Event, session: Session): Answer {
  return { ...judge(event, session), replies: [] };
}

/** Takes one message of a host through its whole way: decode, judge, fit to the host, encode. */
export function answerMessage(message: Json, host: Host, setting: HostSetting, session: Session): Answer {
  const decoded = host.decode(message, setting);
  return decoded.type === 'event'
    ? answerDecoded(decoded.event, host, setting, session)
    : unjudged(decoded.reply);
}

/** Takes an event of a host through the rest of its way. */
export function answerDecoded(event: Event, host: Host, setting: HostSetting, session: Session): Answer {
  const { memory } = session;
  const recalled = host.recall?.(event, memory, setting);
  const judged =
    recalled === undefined ? judge(event, session) : { event, outcome: undefined, decision: recalled };
  const decision = withoutRun(degrade(judged.decision, event, supportOn(host, event, setting), setting));
  const reply = host.encode(event, decision, setting);
  host.remember?.(event, decision, memory, setting);
  return { event, outcome: judged.outcome, decision, replies: [reply] };
}

/** The answer to a text that is not even JSON. */
export function answerUnreadable(host: Host, setting: HostSetting): Answer {
  return unjudged(host.refuse(undefined, 'the message is not JSON', setting));
}

/** How tests start a host: the newest version, nothing in the environment. */
export function settingFor(interactive: boolean): HostSetting {
  return { version: undefined, env: {}, cwd: TEST_CWD, interactive };
}

function judge(event: Event, session: Session): Omit<Answer, 'replies'> {
  const { engine, memory, trace, verdict, history, kept, surroundings = surroundingsOf } = session;
  if (event.model !== undefined && engine.needsModel()) rememberModel(event, memory);
  const options = {
    memory,
    surroundings,
    history: history?.(event),
    kept,
    ...(trace === undefined ? {} : { trace }),
  };
  const outcome = evaluate(engine, event, options, verdict);
  return { event, outcome, decision: outcome.decision };
}

/** The same on every machine; the disk is not asked, and the repository is known by the call alone. */
export function surroundingsOf({ context }: Event): Surroundings {
  const known = surroundingsAt(String(context.cwd ?? TEST_CWD));
  const { repository: name, repository_root: root = known.workspace, branch } = context;
  if (branch === undefined) return known;
  const repository = {
    root: String(root),
    name: name === undefined ? undefined : String(name),
    branch: String(branch),
  };
  return { ...known, repository: () => repository };
}

function unjudged(reply: Reply): Answer {
  return { event: undefined, outcome: undefined, decision: noOpinion(), replies: [reply] };
}

/** Tests start no programs: their output is unknown. */
function withoutRun(decision: Decision): Decision {
  if (decision.action !== 'respond' || decision.run === undefined) return decision;
  return { ...decision, run: undefined, result: { for_llm: '' } };
}

/** How one call was judged and, through a host, answered. */
export interface Answer {
  /** Undefined if the host's message was answered without judging. */
  readonly event: Event | undefined;
  readonly outcome: Outcome | undefined;
  /** For runs through a host, fitted to its abilities. */
  readonly decision: Decision;
  /** The calls before it; absent where no policy asked. */
  readonly history?: History;
  /** The host's answers to all messages, in order; empty without a host. */
  readonly replies: readonly Reply[];
}
