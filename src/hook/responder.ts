import type { Reply } from '../hosts/host.ts';
import { supportOn } from '../hosts/support-on.ts';
import { degrade } from '../language/engine/degrade.ts';
import { losesDigits, TOO_MANY_DIGITS } from '../lib/exact-numbers.ts';
import type { Json } from '../lib/json.ts';
import { restricts } from '../model/action.ts';
import { type Decision, refusal } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import { evaluateEvent, settle } from './evaluate-event.ts';
import { causeOf, withoutFail } from './failure.ts';
import { readMessage } from './read-message.ts';
import type { Arrived, ResponderOptions } from './responder-options.ts';
import type { ResultCache } from './result-cache.ts';
import { failure, type Judged, type Verdict } from './verdict.ts';

/** Answers a host's messages. Never throws and never rejects: every failure becomes the host's own refusal. */
export interface Responder {
  /** @param arrivedMs when the message arrived, by the clock of `performance`; by default now */
  respond(message: string, arrivedMs?: number): Reply | Promise<Reply>;
}

export function createResponder(given: ResponderOptions): Responder {
  return {
    respond(text, arrivedMs = given.nowUs() / 1_000) {
      const startMs = given.nowUs() / 1_000;
      const read = readMessage(given.host, text);
      let options = given;
      try {
        const host = given.senderOf?.(read.ok ? read.message : read.head) ?? given.host;
        if (host !== given.host) options = { ...given, host };
        if (!read.ok) return malformed(options, read.head, read.cause, startMs);
        const { message } = read;
        const decoded = host.decode(message, given.setting);
        switch (decoded.type) {
          case 'reply':
            options.met?.(message);
            return decoded.reply;
          case 'malformed':
            note(options, { message, startMs }, failure(decoded.cause, undefined));
            return decoded.reply;
          case 'event':
            return answer(options, { event: decoded.event, message, text, arrivedMs, startMs });
        }
      } catch (error) {
        return malformed(options, read.ok ? read.message : read.head, causeOf(error), startMs);
      }
    },
  };
}

function answer(options: ResponderOptions, arrived: Arrived): Reply | Promise<Reply> {
  const found = evaluateEvent(options, arrived);
  // Most calls pass without more.
  if (!('pending' in found) && found.remembering === undefined && !restricts(found.outcome.decision.action))
    return carryOut(options, arrived, found);
  return answerFurther(options, arrived, found);
}

function answerFurther(options: ResponderOptions, arrived: Arrived, found: Judged): Reply | Promise<Reply> {
  const judged = settle(options, arrived, found, (verdict) =>
    restricts(verdict.outcome.decision.action) ? past(options, arrived, verdict) : verdict,
  );
  const keep = (verdict: Verdict) =>
    verdict.remembering === undefined ? verdict : kept(options, arrived, verdict);
  const decided = judged instanceof Promise ? judged.then(keep) : keep(judged);
  if (!(decided instanceof Promise)) return carryOut(options, arrived, decided);
  return decided
    .then((verdict) => carryOut(options, arrived, verdict))
    .catch((error) => malformed(options, arrived.message, causeOf(error), arrived.startMs));
}

let pastPolicies: typeof import('./past-policies.ts').pastPolicies | undefined;

/** Lets a refused call pass if a person has allowed it; loaded with the first refusal. */
function past(options: ResponderOptions, arrived: Arrived, verdict: Verdict): Verdict | Promise<Verdict> {
  pastPolicies ??= (require('./past-policies.ts') as typeof import('./past-policies.ts')).pastPolicies;
  return pastPolicies(options, arrived, verdict);
}

let keepCall: typeof import('./keep-call.ts').keepCall | undefined;

/** The verdict after it was recorded; loaded for sets whose policies use earlier calls. */
function kept(options: ResponderOptions, arrived: Arrived, verdict: Verdict): Verdict | Promise<Verdict> {
  verdict.remembering?.end();
  keepCall ??= (require('./keep-call.ts') as typeof import('./keep-call.ts')).keepCall;
  const ports = {
    past: (again: Verdict) => past(options, arrived, again),
    fit: (decision: Decision) => fit(options, arrived.event, decision),
  };
  return keepCall(options, arrived, verdict, ports);
}

function carryOut(options: ResponderOptions, arrived: Arrived, verdict: Verdict): Reply | Promise<Reply> {
  const { event, message, startMs } = arrived;
  const fitted = fit(options, event, verdict.outcome.decision);
  if (fitted.action !== 'respond' || fitted.run === undefined) return send(options, arrived, fitted, verdict);
  // A program must get the number that the model wrote.
  if (losesDigits(arrived.text)) {
    const failed = failure(TOO_MANY_DIGITS, event);
    return send(options, arrived, failed.outcome.decision, failed);
  }
  return options
    .runTool(fitted.run, arrived)
    .then((result) => send(options, arrived, { ...fitted, result, run: undefined }, verdict))
    .catch((error) => malformed(options, message, causeOf(error), startMs));
}

function fit({ host, setting }: ResponderOptions, event: Event, decision: Decision): Decision {
  return degrade(decision, event, supportOn(host, event, setting), setting);
}

/** Encodes the answer for the host. If that fails, the refusal replaces it. */
function send(options: ResponderOptions, arrived: Arrived, decision: Decision, verdict: Verdict): Reply {
  const { host, setting, memory } = options;
  const { event } = arrived;
  try {
    const goesByArguments = givesBack(decision) || decision.kept === true;
    if (goesByArguments && losesDigits(arrived.text)) throw new Error(TOO_MANY_DIGITS);
    const reply = host.encode(event, decision, setting);
    const kept = verdict.deferred === true ? refusal('') : decision;
    withoutFail(() => host.remember?.(event, kept, memory, setting));
    if (verdict.again?.results !== undefined) settleResults(verdict, verdict.again.results, event, decision);
    note(options, arrived, verdict, decision);
    return reply;
  } catch (error) {
    const failed = failure(causeOf(error), event);
    note(options, arrived, { ...failed, digest: verdict.digest });
    return host.encode(event, fit(options, event, failed.outcome.decision), setting);
  }
}

function settleResults(verdict: Verdict, results: ResultCache, event: Event, decision: Decision): void {
  const isSecret = () => verdict.remembering?.isCarried() === true;
  withoutFail(() => results.settle(event, decision, verdict.outcome.hits, isSecret));
}

/** True if the answer repeats the host's message. */
function givesBack({ subject, call, contexts }: Decision): boolean {
  return subject !== undefined || call !== undefined || contexts.length > 0;
}

function malformed(
  options: ResponderOptions,
  message: Json | undefined,
  cause: string,
  startMs: number,
): Reply {
  note(options, { message: undefined, startMs }, failure(cause, undefined));
  return options.host.refuse(message, cause, options.setting);
}

type Read = Pick<Arrived, 'startMs'> & { readonly event?: Event; readonly message: Json | undefined };

function note(options: ResponderOptions, read: Read, verdict: Verdict, decision?: Decision): void {
  if (options.log === undefined) return;
  const { event, message, startMs } = read;
  const { outcome } = verdict;
  const { version, interactive, cwd } = options.setting;
  const isKept = options.keepInput && message !== undefined;
  options.log({
    host: options.host.name,
    event,
    cwd: event === undefined ? undefined : String(event.context.cwd ?? cwd),
    outcome: decision === undefined || decision === outcome.decision ? outcome : { ...outcome, decision },
    digest: verdict.digest,
    durationUs: options.nowUs() - startMs * 1_000,
    failed: verdict.failed,
    grant: verdict.grant,
    input: isKept ? { message, version, interactive, cwd } : undefined,
  });
}
