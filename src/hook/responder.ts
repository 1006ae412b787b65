import type { DecisionEntry, GrantNote } from '../audit/record.ts';
import { degrade } from '../engine/degrade.ts';
import { startEvaluation } from '../engine/evaluate.ts';
import { rememberModel } from '../engine/facts.ts';
import type { Host, HostSetting, Reply } from '../hosts/host.ts';
import { losesDigits, TOO_MANY_DIGITS } from '../lib/exact-numbers.ts';
import type { Json } from '../lib/json.ts';
import { withTimeLimit } from '../lib/time-limit.ts';
import { prevents, restricts } from '../model/action.ts';
import { type Decision, type RespondResult, type RunSpec, refusal } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import { canBeAllowed, type RefusingPolicy } from '../model/grant.ts';
import type { JudgeAnswer, JudgeQuestion } from '../model/judge.ts';
import type { Memory } from '../model/memory.ts';
import { isPending, type Outcome, type PendingOutcome } from '../model/outcome.ts';
import type { Program } from '../model/policy.ts';
import type { Surroundings } from '../model/surroundings.ts';
import type { AllowPort } from './allow-port.ts';
import type { Approval, ApprovalRequest } from './approval.ts';
import { causeOf, failedDecision, isLate } from './failure.ts';
import type { PolicySet } from './policy-set.ts';
import { readMessage } from './read-message.ts';

/** Answers a host's messages. Never throws and never rejects: every failure becomes the host's own refusal. */
export interface Responder {
  /** @param arrivedMs when the message arrived, by the clock of `performance`; now unless given */
  respond(message: string, arrivedMs?: number): Reply | Promise<Reply>;
}

export interface ResponderOptions {
  readonly host: Host;
  readonly setting: HostSetting;
  /** Called for each event, first when the first one arrives. May throw. */
  readonly policies: (event: Event) => PolicySet;
  /** What this machine is to an event that is judged by these policy files. */
  readonly surroundings: (event: Event, policyFiles: ReadonlySet<string> | undefined) => Surroundings;
  readonly memory: Memory;
  readonly log: (entry: DecisionEntry) => void;
  readonly nowUs: () => number;
  /** Milliseconds since 1970, for exceptions. */
  readonly nowMs: () => number;
  /**
   * Limits judging without a break that begins now: true once it makes the answer to a message that arrived then come
   * late, or another that waits for it.
   */
  readonly limit: (arrivedMs: number) => () => boolean;
  /** Runs the program of a plugin tool. Never rejects. */
  readonly runTool: (spec: RunSpec, startUs: number) => Promise<RespondResult>;
  /** Called when policies refuse a call. Without it, nobody can let a call pass. */
  readonly allow?: () => AllowPort;
  /** Asks a person within the time left for an event that arrived at `startUs`. Without it, nobody is asked. May reject. */
  readonly approve?: (request: ApprovalRequest, event: Event, startUs: number) => Promise<Approval>;
  /** Without it, every judge has failed. */
  readonly judges?: JudgeAccess;
  /** True to keep each message in the log for judging it again later. */
  readonly keepInput: boolean;
  /** Whose message this is, where another host than the named one may have started the hook. May throw. */
  readonly senderOf?: (message: Json | undefined) => Host;
  /** Told of every message that needs no judging: a host may shake hands more than once. */
  readonly met?: (message: Json) => void;
}

/** How the models are reached that policies ask. */
export interface JudgeAccess {
  /** Asks within the time left for an event that arrived at `startUs`. Never rejects. */
  readonly ask: (
    questions: readonly JudgeQuestion[],
    event: Event,
    startUs: number,
  ) => Promise<readonly JudgeAnswer[]>;
  /** True if the host asks for approval of each call that `before_tool` lets pass, and waits longer then. */
  readonly approvalFollows: () => boolean;
}

/** What was decided, and what the log is told about it. */
interface Verdict {
  readonly outcome: Outcome;
  readonly digest: string | undefined;
  readonly failed: string | undefined;
  /** True if judges are asked when the host asks for approval: what stands now must not stand then. */
  readonly deferred?: boolean;
  /** Absent where no policies were asked. */
  readonly again?: Again;
  readonly grant?: GrantNote;
}

/** How an event is judged once more. */
interface Again {
  readonly program: Program;
  /** Judges it past these policies. */
  readonly past: (allowed: ReadonlySet<string>) => Judged;
}

type Judged = Verdict | Pending;

/** A verdict that models have to be asked for. */
interface Pending {
  readonly pending: PendingOutcome;
  readonly digest: string;
  readonly broken: string | undefined;
  readonly onErrorContinue: boolean;
  readonly again: Again;
}

/** Makes the responder of one host process or one message. */
export function createResponder(given: ResponderOptions): Responder {
  return {
    respond(text, arrivedMs = given.nowUs() / 1_000) {
      const startUs = given.nowUs();
      const read = readMessage(given.host, text);
      let options = given;
      try {
        const host = given.senderOf?.(read.ok ? read.message : read.head) ?? given.host;
        if (host !== given.host) options = { ...given, host };
        const { setting } = given;
        if (!read.ok) return malformed(options, read.head, read.cause, startUs);
        const decoded = host.decode(read.message, setting);
        switch (decoded.type) {
          case 'reply':
            options.met?.(read.message);
            return decoded.reply;
          case 'malformed':
            note(options, { message: read.message }, failure(decoded.cause, undefined), startUs);
            return decoded.reply;
          case 'event':
            return answer(options, { event: decoded.event, message: read.message, text, arrivedMs }, startUs);
        }
      } catch (error) {
        return malformed(options, read.ok ? read.message : read.head, causeOf(error), startUs);
      }
    },
  };
}

function answer(options: ResponderOptions, arrived: ArrivedEvent, startUs: number): Reply | Promise<Reply> {
  const { event, message, arrivedMs } = arrived;
  const judged = settle(options, event, judge(options, event, arrivedMs), startUs, (verdict) =>
    pastPolicies(options, arrived, verdict, startUs),
  );
  if (!(judged instanceof Promise)) return carryOut(options, arrived, judged, startUs);
  return judged
    .then((verdict) => carryOut(options, arrived, verdict, startUs))
    .catch((error) => malformed(options, message, causeOf(error), startUs));
}

/** Asks the models that a verdict needs, and goes on with it. */
function settle(
  options: ResponderOptions,
  event: Event,
  judged: Judged,
  startUs: number,
  next: (verdict: Verdict) => Verdict | Promise<Verdict>,
): Verdict | Promise<Verdict> {
  return 'pending' in judged ? askModels(options, event, judged, startUs).then(next) : next(judged);
}

/**
 * Where policies refuse a call, looks whether a person has let it pass, and judges it again without them: others still
 * hold. Whatever goes wrong, the refusal stands and the log says why.
 */
function pastPolicies(
  options: ResponderOptions,
  { event, text }: ArrivedEvent,
  verdict: Verdict,
  startUs: number,
): Verdict | Promise<Verdict> {
  const { again } = verdict;
  if (options.allow === undefined || again === undefined) return verdict;
  const policies = refusingPolicies(verdict.outcome, again.program);
  if (policies.length === 0) return verdict;
  const refused = (note: GrantNote): Verdict => ({ ...verdict, grant: note });
  try {
    const allow = options.allow();
    const call = losesDigits(text) ? undefined : allow.callOf(event);
    if (call === undefined) return verdict;
    const keep = (problem?: string, by = policies): Verdict => {
      const code = allow.refuse(call, by, verdict.outcome.decision.reason ?? '');
      return refused({ code, problem });
    };
    const { grant, problem } = allow.find(call, event);
    if (grant === undefined) {
      const isAsked = verdict.outcome.decision.action === 'ask' && options.approve !== undefined;
      if (!isAsked) return keep(problem);
      const asking = policies.filter(({ asks }) => asks);
      const past = () => again.past(new Set(asking.map(({ id }) => id)));
      if (event.kind === 'before_tool' && options.judges?.approvalFollows() === true)
        return settle(options, event, past(), startUs, (second) => askedLater(second, asking));
      const look = () => allow.find(call, event);
      return askAPerson(options, event, keep(problem), { call, policies: asking, look }, past, startUs);
    }
    const open = policies.filter(canBeAllowed).map(({ id }) => id);
    const past = new Set(grant.policies.filter((id) => open.includes(id)));
    return settle(options, event, again.past(past), startUs, (second) => {
      try {
        if (restricts(second.outcome.decision.action)) {
          const others = refusingPolicies(second.outcome, again.program);
          const first = policies.filter(({ id }) => !others.some((other) => other.id === id));
          return keep(`the grant ${grant.code} is not enough: others refuse it too`, [...first, ...others]);
        }
        return grant.use()
          ? { ...second, grant: { allowed: grant.code } }
          : keep(`the grant ${grant.code} was used up meanwhile`);
      } catch (error) {
        return refused({ problem: causeOf(error) });
      }
    });
  } catch (error) {
    return refused({ problem: causeOf(error) });
  }
}

/** Leaves the question for when the host asks for approval, if the call passes without it: it waits longer then. */
function askedLater(second: Verdict, asking: readonly RefusingPolicy[]): Verdict {
  if (prevents(second.outcome.decision.action)) return second;
  const hits = second.outcome.hits.map((hit) =>
    asking.some(({ id }) => id === hit.rule.id) ? { ...hit, how: 'unasked' as const } : hit,
  );
  return { ...second, outcome: { ...second.outcome, hits }, deferred: true };
}

/** Waits for a person's answer. Whatever is no yes, late and broken ones above all, is a no. */
async function askAPerson(
  options: ResponderOptions,
  event: Event,
  refused: Verdict,
  asked: Pick<ApprovalRequest, 'call' | 'policies' | 'look'>,
  past: () => Judged,
  startUs: number,
): Promise<Verdict> {
  const { decision } = refused.outcome;
  const code = refused.grant?.code;
  const no = (why: string): Verdict => {
    const reason = `${decision.reason ?? `Refused by ${decision.policyId}.`} The answer is no: ${why}.`;
    const denied: Decision = { ...decision, action: 'deny', reason };
    return { ...refused, outcome: { ...refused.outcome, decision: denied } };
  };
  try {
    const request = { ...asked, code, reason: decision.reason ?? '' };
    const approval = (await options.approve?.(request, event, startUs)) ?? NOBODY_THERE;
    if (!approval.yes) return no(approval.why);
    return settle(options, event, past(), startUs, (second) =>
      restricts(second.outcome.decision.action) ? second : { ...second, grant: { allowed: code } },
    );
  } catch (error) {
    return no(causeOf(error));
  }
}

const NOBODY_THERE: Approval = { yes: false, why: 'nobody can be asked' };

/** The policies that keep a call from running; none where nothing refuses it, or something else than a policy. */
function refusingPolicies({ decision, hits }: Outcome, { rules }: Program): readonly RefusingPolicy[] {
  if (!restricts(decision.action)) return [];
  // From the hits: a judge's policy does there what the judge has said.
  const actions = new Map(
    hits
      .filter(({ rule, how }) => (how === 'matched' || how === 'unknown') && restricts(rule.action))
      .map(({ rule }) => [rule.id, rule.action]),
  );
  if (decision.policyId !== undefined && !actions.has(decision.policyId))
    actions.set(decision.policyId, decision.action);
  return rules.flatMap(({ id, layer, locked }) =>
    actions.has(id) ? [{ id, layer, locked: locked === true, asks: actions.get(id) === 'ask' }] : [],
  );
}

function carryOut(
  options: ResponderOptions,
  arrived: ArrivedEvent,
  verdict: Verdict,
  startUs: number,
): Reply | Promise<Reply> {
  const { event, message } = arrived;
  const fitted = fit(options, event, verdict.outcome.decision);
  if (fitted.action !== 'respond' || fitted.run === undefined)
    return send(options, arrived, fitted, verdict, startUs);
  // A program must not be given another number than the model wrote.
  if (losesDigits(arrived.text)) {
    const failed = failure(TOO_MANY_DIGITS, event);
    return send(options, arrived, failed.outcome.decision, failed, startUs);
  }
  return options
    .runTool(fitted.run, startUs)
    .then((result) => send(options, arrived, { ...fitted, result, run: undefined }, verdict, startUs))
    .catch((error) => malformed(options, message, causeOf(error), startUs));
}

const NONE_ALLOWED: ReadonlySet<string> = new Set();

function judge(options: ResponderOptions, event: Event, arrivedMs: number): Judged {
  const { host, setting, memory } = options;
  let digest: string | undefined;
  let onErrorContinue = false;
  try {
    const standing = withoutFail(() => host.recall?.(event, memory, setting));
    // Policies were asked when it was given; only approval may have policies of its own.
    if (standing !== undefined && event.kind !== 'approve_tool') return earlierVerdict(standing, undefined);
    const set = options.policies(event);
    if (!set.ok) return failure(set.cause, event);
    const { engine, broken } = set;
    onErrorContinue = engine.program.onErrorContinue;
    const known = engine.program.digest;
    digest = known;
    if (standing !== undefined && !engine.hasApprovalRules) return earlierVerdict(standing, known);
    if (event.model !== undefined && engine.needsModel()) withoutFail(() => rememberModel(event, memory));
    const surroundings = (judged: Event) => options.surroundings(judged, set.files);
    const past: Again['past'] = (allowed) =>
      withTimeLimit(options.limit(arrivedMs), () => {
        const { nowMs, nowUs: clock } = options;
        const outcome = startEvaluation(engine, event, { memory, surroundings, nowMs, allowed, clock });
        if (!isPending(outcome)) return { outcome, digest: known, failed: leftOut(outcome, broken), again };
        const deferredVerdict = deferred(options, event, outcome, known);
        return deferredVerdict ?? { pending: outcome, digest: known, broken, onErrorContinue, again };
      });
    const again: Again = { program: engine.program, past };
    return past(NONE_ALLOWED);
  } catch (error) {
    return { ...failure(causeOf(error), event, onErrorContinue && !isLate(error)), digest };
  }
}

/** A verdict of an earlier event that stands for this one. */
function earlierVerdict(standing: Decision, digest: string | undefined): Verdict {
  return { outcome: outcomeOf(standing), digest, failed: undefined };
}

/** Leaves judges for when the host asks for approval, if the call passes without them. */
function deferred(
  options: ResponderOptions,
  event: Event,
  pending: PendingOutcome,
  digest: string,
): Verdict | undefined {
  if (event.kind !== 'before_tool' || options.judges?.approvalFollows() !== true) return undefined;
  let outcome: Outcome | PendingOutcome = pending;
  while (isPending(outcome)) {
    if (!outcome.questions.every(({ canWait }) => canWait)) return undefined;
    outcome = outcome.conclude(outcome.questions.map(() => ({ type: 'unasked' })));
  }
  return prevents(outcome.decision.action)
    ? undefined
    : { outcome, digest, failed: undefined, deferred: true };
}

async function askModels(
  options: ResponderOptions,
  event: Event,
  { pending, digest, broken, onErrorContinue, again }: Pending,
  startUs: number,
): Promise<Verdict> {
  try {
    let outcome: Outcome | PendingOutcome = pending;
    while (isPending(outcome)) {
      const asked: PendingOutcome = outcome;
      const answers = (await options.judges?.ask(asked.questions, event, startUs)) ?? [];
      outcome = withTimeLimit(options.limit(options.nowUs() / 1_000), () => asked.conclude(answers));
    }
    return { outcome, digest, failed: failedJudge(outcome) ?? leftOut(outcome, broken), again };
  } catch (error) {
    return { ...failure(causeOf(error), event, onErrorContinue && !isLate(error)), digest };
  }
}

/** Why the judge of the policy that decided has no verdict, if so. */
function failedJudge({ decision, judged }: Outcome): string | undefined {
  const note = judged?.find(({ ruleId }) => ruleId === decision.policyId);
  return note?.answer.type === 'failed' ? `its judge gave no verdict: ${note.answer.cause}` : undefined;
}

/** What could not be judged, where no policy that could has decided. */
function leftOut({ decision }: Outcome, broken: string | undefined): string | undefined {
  return decision.policyId === undefined ? broken : undefined;
}

function fit({ host, setting }: ResponderOptions, event: Event, decision: Decision): Decision {
  const version = host.versionOf?.(event, setting) ?? setting.version;
  return degrade(decision, event, host.supports(version)[event.kind], setting);
}

/** Puts the answer into the host's form. If that fails, the refusal takes its place. */
function send(
  options: ResponderOptions,
  arrived: ArrivedEvent,
  decision: Decision,
  verdict: Verdict,
  startUs: number,
): Reply {
  const { host, setting, memory } = options;
  const { event } = arrived;
  try {
    if (givesBack(decision) && losesDigits(arrived.text)) throw new Error(TOO_MANY_DIGITS);
    const reply = host.encode(event, decision, setting);
    const kept = verdict.deferred === true ? refusal('') : decision;
    withoutFail(() => host.remember?.(event, kept, memory, setting));
    note(options, arrived, { ...verdict, outcome: { ...verdict.outcome, decision } }, startUs);
    return reply;
  } catch (error) {
    const failed = failure(causeOf(error), event);
    note(options, arrived, { ...failed, digest: verdict.digest }, startUs);
    return host.encode(event, fit(options, event, failed.outcome.decision), setting);
  }
}

/** True if the host gets back, with the answer, what it has sent. */
function givesBack({ subject, call, contexts }: Decision): boolean {
  return subject !== undefined || call !== undefined || contexts.length > 0;
}

function malformed(
  options: ResponderOptions,
  message: Json | undefined,
  cause: string,
  startUs: number,
): Reply {
  note(options, { message: undefined }, failure(cause, undefined), startUs);
  return options.host.refuse(message, cause, options.setting);
}

/** What came in, as far as it could be read. */
interface Arrived {
  readonly event?: Event;
  readonly message: Json | undefined;
}

interface ArrivedEvent extends Arrived {
  readonly event: Event;
  readonly message: Json;
  readonly text: string;
  readonly arrivedMs: number;
}

function note(
  options: ResponderOptions,
  { event, message }: Arrived,
  verdict: Verdict,
  startUs: number,
): void {
  const { version, interactive, cwd } = options.setting;
  const isKept = options.keepInput && message !== undefined;
  options.log({
    host: options.host.name,
    event,
    outcome: verdict.outcome,
    digest: verdict.digest,
    durationUs: options.nowUs() - startUs,
    failed: verdict.failed,
    grant: verdict.grant,
    input: isKept ? { message, version, interactive, cwd } : undefined,
  });
}

function failure(cause: string, event: Event | undefined, onErrorContinue?: boolean): Verdict {
  const decision = failedDecision(cause, event, onErrorContinue);
  return { outcome: outcomeOf(decision), digest: undefined, failed: cause };
}

function outcomeOf(decision: Decision): Outcome {
  return { decision, hits: [], skipped: [], trace: [] };
}

/** What is remembered helps later events; a state that cannot be read or written must not refuse this one. */
function withoutFail<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
