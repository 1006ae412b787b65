import { sha256Hex } from '../../lib/digest.ts';
import { type JudgeAnswer, type JudgeQuestion, VERDICTS } from '../../model/judge.ts';
import type { KeptVerdict, VerdictStore } from '../../model/verdict-store.ts';
import { JudgeError } from './judge-error.ts';
import type { JudgePorts, UsageScope } from './judge-ports.ts';
import { type PreparedPrompt, preparePrompt } from './prompt.ts';
import { requestVerdict, type VerdictRequest } from './request-verdict.ts';
import { type FreshVerdict, shareAsking } from './share-asking.ts';

const CACHE_FORMAT = 'verdict-3';

/**
 * Asks one question. Never rejects, and answers in time.
 *
 * @param budgetMs the time limit; the judge's own timeout may be shorter
 * @param stop ends it early
 */
export function askJudge(
  question: JudgeQuestion,
  budgetMs: number,
  stop: AbortSignal,
  ports: JudgePorts,
): Promise<JudgeAnswer> {
  const limitMs = Math.min(question.judge.timeoutMs, budgetMs);
  const timeout = new AbortController();
  return new Promise((resolve) => {
    const end = (answer: JudgeAnswer) => {
      cancel();
      stop.removeEventListener('abort', onStop);
      timeout.abort();
      resolve(answer);
    };
    const onStop = () => end({ type: 'unasked' });
    const cancel = ports.clock.after(limitMs, () => end(failed(lateError())));
    if (stop.aborted) onStop();
    else stop.addEventListener('abort', onStop, { once: true });
    answerTo(question, ports.clock.nowMs() + limitMs, timeout.signal, ports).then(end, (error) =>
      end(failed(error)),
    );
  });
}

function lateError(): JudgeError {
  return new JudgeError('timeout', 'it did not answer in time');
}

function failed(error: unknown): JudgeAnswer {
  if (error instanceof JudgeError) return { type: 'failed', failure: error.failure, cause: error.message };
  return { type: 'failed', failure: 'internal', cause: 'asking it failed' };
}

async function answerTo(
  question: JudgeQuestion,
  deadlineMs: number,
  signal: AbortSignal,
  ports: JudgePorts,
): Promise<JudgeAnswer> {
  const { judge } = question;
  const prompt = preparePrompt(question);
  const cutDoubt = prompt.isCut ? 'not all of the text could be shown to it' : null;
  const request: VerdictRequest = { question, prompt, scopes: scopesOf(question, ports), deadlineMs, signal };
  const ask = () => askSamples(request, ports);
  const store = storeOf(question, ports);
  if (store === undefined || judge.cache === null) {
    const { verdict, doubt } = await ask();
    return { type: 'verdict', ...verdict, doubt: doubt ?? cutDoubt, cached: false };
  }
  const key = cacheKey(question, prompt);
  const { verdict, doubt, cached } = await shareAsking({
    key,
    store,
    ttlMs: judge.cache.ttlMs,
    signal,
    ports,
    ask,
  });
  return { type: 'verdict', ...verdict, doubt: doubt ?? cutDoubt, cached };
}

const TOO_LOW = 'its confidence is too low';

async function askSamples(request: VerdictRequest, ports: JudgePorts): Promise<FreshVerdict> {
  const { samples, threshold } = request.question.judge;
  const unsure = ({ confidence }: KeptVerdict) => (confidence < threshold ? TOO_LOW : null);
  if (samples === 1) {
    const verdict = await requestVerdict(request, ports);
    return { verdict, doubt: unsure(verdict) };
  }
  const settled = await Promise.allSettled(
    Array.from({ length: samples }, () => requestVerdict(request, ports)),
  );
  const answers = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const majority = majorityOf(answers, samples);
  if (majority === undefined)
    throw settled.find((result) => result.status === 'rejected')?.reason ?? lateError();
  const { verdict, isMajority } = majority;
  return { verdict, doubt: isMajority ? unsure(verdict) : 'its answers do not agree' };
}

/** The store of verdicts; one that keeps nothing if verdicts cannot be kept. */
function storeOf({ judge }: JudgeQuestion, ports: JudgePorts): VerdictStore | undefined {
  try {
    return judge.cache === null ? undefined : ports.storeFor(judge.cache);
  } catch {
    return undefined;
  }
}

/** Hashes each value besides the text: else a value could shift borders and get the verdict for another call. */
function cacheKey({ judge, value }: JudgeQuestion, { stable, values }: PreparedPrompt): string {
  const named = judge.cache?.key.map((path) => value(path) ?? null) ?? [];
  const parts = JSON.stringify([judge, values, named]);
  return sha256Hex([CACHE_FORMAT, parts, stable.system, stable.user]);
}

const DAY_DIGITS = 'YYYY-MM-DD'.length;

function scopesOf({ judge, host, session }: JudgeQuestion, ports: JudgePorts): readonly UsageScope[] {
  const isLimited = ({ limit }: UsageScope) => limit.calls !== null || limit.tokens !== null;
  const day = new Date(ports.clock.nowMs()).toISOString().slice(0, DAY_DIGITS);
  return [
    { key: JSON.stringify(['session', judge.name, host, session ?? '']), limit: judge.perSession },
    { key: JSON.stringify(['day', judge.name, day]), limit: judge.perDay },
  ].filter(isLimited);
}

/** The common verdict of several answers to one question. */
interface Majority {
  readonly verdict: KeptVerdict;
  /** True if more than half of the requested answers agree. */
  readonly isMajority: boolean;
}

/** The verdict of more than half of the requested answers, else the strongest. Undefined if too many failed for a majority. */
function majorityOf(answers: readonly KeptVerdict[], asked: number): Majority | undefined {
  const needed = Math.floor(asked / 2) + 1;
  if (answers.length < needed) return undefined;
  for (const name of VERDICTS) {
    const agreeing = answers.filter(({ verdict }) => verdict === name);
    if (agreeing.length >= needed) return { verdict: averageOf(agreeing), isMajority: true };
  }
  const [strongest] = answers.toSorted((a, b) => VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict));
  return strongest === undefined ? undefined : { verdict: strongest, isMajority: false };
}

function averageOf(agreeing: readonly KeptVerdict[]): KeptVerdict {
  const [first] = agreeing.toSorted((a, b) => b.confidence - a.confidence);
  if (first === undefined) throw new Error('Cannot average no answers');
  const sum = agreeing.reduce((total, { confidence }) => total + confidence, 0);
  return { ...first, confidence: sum / agreeing.length };
}
