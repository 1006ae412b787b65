import { createTextMemo } from '../../lib/text-memo.ts';
import { prevents } from '../../model/action.ts';
import type { ToolCall } from '../../model/event.ts';
import type { JudgeNote } from '../../model/judge.ts';
import type { Hit, RuleTime } from '../../model/outcome.ts';
import type { Rule } from '../../model/policy.ts';
import { MAX_COVER_BYTES } from './chain.ts';
import {
  type DecisionEntry,
  type DecisionInput,
  type DecisionRecord,
  type GrantNote,
  RECORD_VERSION,
  type RecordedHit,
  type RecordedJudgement,
} from './record.ts';
import { type CallNotes, callDigest, commandOf, targetOf } from './record-call.ts';
import { createTextRedactor, redactedJson } from './redact.ts';

/** The longest line of the log, in bytes, with its newline. */
export const MAX_RECORD_LINE_BYTES = 65_536;

/** The bytes of a line without its cover. */
const MAX_RECORD_BYTES = MAX_RECORD_LINE_BYTES - MAX_COVER_BYTES;
const MAX_REASON_CHARS = 2_048;
const MAX_NAME_CHARS = 256;
const MAX_SHORTENED_HITS = 64;
const MAX_JUDGES = 32;
const MAX_TIMES = 32;
/** UTF-8 takes at most three bytes for one UTF-16 unit, so shorter lines need not be measured. */
const SURELY_SHORT_CHARS = Math.floor(MAX_RECORD_BYTES / 3);

/** Makes one line of the log, newline included, for a decision taken at `nowMs` (milliseconds since 1970). */
export type RecordWriter = (entry: DecisionEntry, nowMs: number) => string;

interface Parts {
  readonly head: string;
  readonly hits: readonly Hit[];
  readonly skipped: readonly string[];
  readonly tail: string;
  /** With its key and those beside it. */
  readonly input: string | undefined;
}

/**
 * A writer of log lines. Lines are put together from texts that are made once per policy and per millisecond: the log
 * must keep up with 100,000 decisions a second, which whole objects through `JSON.stringify` do not leave room for.
 *
 * @param processId sets this process apart from all others; becomes the front of every `decision_id`
 * @param notes notes on calls; by default none
 */
export function createRecordWriter(processId: string, notes?: CallNotes): RecordWriter {
  const { redact, lookAt } = createTextRedactor(MAX_REASON_CHARS);
  const redacted = createTextMemo((text) => JSON.stringify(redact(text)));
  const isoTime = createIsoClock();
  const hitText = createHitTexts();
  const start = `{"version":${RECORD_VERSION},"decision_id":"${processId}-`;
  const hostText = keepLast((host) => `,"host":${JSON.stringify(host)}`);
  const toolText = keepLast((name) => `,"tool":${nameText(redact(name))}`);
  const sessionText = keepLast((session) => `,"session":${nameText(redact(session))}`);
  const cwdText = keepLast((cwd) => `,"cwd":${JSON.stringify(redact(cwd))}`);
  const digestText = keepLast((digest) => `,"digest":${JSON.stringify(digest)}`);
  let counter = 0;

  return (entry, nowMs) => {
    const { event, outcome } = entry;
    const { decision } = outcome;
    const command = event?.tool === undefined || notes?.command !== true ? undefined : commandOf(event.tool);
    lookAt([event?.tool?.name, event?.callId, command, event?.session, entry.cwd, decision.reason]);
    let head = `${start}${(counter++).toString(36)}","time":"${isoTime(nowMs)}"${hostText(entry.host)}`;
    if (event !== undefined) {
      head += `,"event":"${event.kind}"${toolText(event.tool?.name)}`;
      if (event.callId !== undefined) head += `,"call_id":${nameText(redact(event.callId))}`;
      if (event.tool !== undefined && notes !== undefined)
        head += callText(event.tool, notes, command, prevents(decision.action), redacted.of);
      head += sessionText(event.session);
      if (event.twin !== undefined) head += `,"twin":${JSON.stringify(redact(event.twin))}`;
    }
    head += `${cwdText(entry.cwd)},"action":"${decision.action}"`;
    if (decision.policyId !== undefined) head += `,"policy":${nameText(decision.policyId)}`;

    let tail = '';
    if (decision.reason !== undefined) tail += `,"reason":${redacted.of(decision.reason)}`;
    const before = decision.before?.() ?? [];
    if (before.length > 0) tail += `,"before":${JSON.stringify(before)}`;
    if (entry.failed !== undefined) tail += `,"failed":${JSON.stringify(redact(entry.failed))}`;
    if (entry.grant !== undefined) tail += grantText(entry.grant, redact);
    if (outcome.judged !== undefined && outcome.judged.length > 0) tail += judgesText(outcome.judged);
    tail += `,"duration_us":${Math.max(0, Math.round(entry.durationUs))}`;
    if (outcome.times !== undefined && outcome.times.length > 0) tail += timesText(outcome.times);
    tail += digestText(entry.digest);

    const input = entry.input === undefined ? undefined : inputText(entry.input, redact);
    const parts: Parts = { head, hits: outcome.hits, skipped: outcome.skipped, tail, input };
    const line = joinParts(parts, hitText, false);
    if (line.length <= SURELY_SHORT_CHARS || utf8Length(line) <= MAX_RECORD_BYTES) return line;
    const short = joinParts(shortened(parts, MAX_SHORTENED_HITS), hitText, true);
    return utf8Length(short) <= MAX_RECORD_BYTES ? short : joinParts(shortened(parts, 0), hitText, true);
  };
}

function joinParts(parts: Parts, hitText: (hit: Hit) => string, isShortened: boolean): string {
  let hits = '';
  for (const hit of parts.hits) hits += hits === '' ? hitText(hit) : `,${hitText(hit)}`;
  const skipped = parts.skipped.length === 0 ? '[]' : JSON.stringify(parts.skipped);
  const input = parts.input ?? '';
  const mark = isShortened || input === TOO_LONG ? ',"shortened":true' : '';
  return `${parts.head},"policies":[${hits}],"skipped":${skipped}${parts.tail}${input}${mark}}\n`;
}

function callText(
  tool: ToolCall,
  notes: CallNotes,
  command: string | undefined,
  isRefused: boolean,
  redacted: (text: string) => string,
): string {
  const digest = callDigest(tool, notes);
  const shown = digest === undefined ? '' : `,"call_digest":"${digest}"`;
  if (!notes.command) return shown;
  if (command !== undefined) return `${shown},"command":${redacted(command)}`;
  const target = isRefused ? targetOf(tool) : undefined;
  return target === undefined ? shown : `${shown},"target":${redacted(target)}`;
}

function grantText({ code, allowed, problem }: GrantNote, redact: (text: string) => string): string {
  let text = '';
  if (code !== undefined) text += `,"code":${JSON.stringify(code)}`;
  if (allowed !== undefined) text += `,"allowed":${JSON.stringify(allowed)}`;
  if (problem !== undefined) text += `,"grant_problem":${JSON.stringify(redact(problem))}`;
  return text;
}

/** The times of policies, at most so many. */
function timesText(times: readonly RuleTime[]): string {
  const shown = times
    .slice(0, MAX_TIMES)
    .map(
      ({ rule, durationUs }) => `{"id":${nameText(rule.id)},"own_us":${Math.max(0, Math.round(durationUs))}}`,
    );
  return `,"times":[${shown.join(',')}]`;
}

/** The answers of the judges that were asked, at most so many. */
function judgesText(judged: readonly JudgeNote[]): string {
  const judges = judged
    .slice(0, MAX_JUDGES)
    .flatMap(({ ruleId: id, answer }): readonly RecordedJudgement[] => {
      switch (answer.type) {
        case 'verdict':
          return [{ id, verdict: answer.verdict, confidence: answer.confidence, cached: answer.cached }];
        case 'failed':
          return [{ id, failure: answer.failure }];
        case 'unasked':
          return [];
        default:
          return answer satisfies never;
      }
    });
  return judges.length === 0 ? '' : `,"judges":${JSON.stringify(judges)}`;
}

/** Names and texts are bounded, so only the lists and the input can be long. */
function shortened(parts: Parts, maxIds: number): Parts {
  return {
    ...parts,
    hits: parts.hits.slice(0, maxIds),
    skipped: parts.skipped.slice(0, maxIds),
    input: undefined,
  };
}

const TOO_LONG = ',"input":null';

function inputText(
  { message, version, interactive, cwd }: DecisionInput,
  redact: (text: string) => string,
): string {
  const text = redactedJson(message, MAX_RECORD_BYTES);
  if (text === undefined) return TOO_LONG;
  const setting: DecisionRecord['setting'] = {
    ...(version === undefined ? {} : { version }),
    ...(interactive ? { interactive } : {}),
    cwd: redact(cwd),
  };
  return `,"input":${text},"setting":${JSON.stringify(setting)}`;
}

/** Names come from the host and from the model: bounded, and written as JSON. */
function nameText(name: string): string {
  return JSON.stringify(name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name);
}

/** Texts of one field, made again only if its value is another than in the line before; empty without a value. */
function keepLast(make: (value: string) => string): (value: string | undefined) => string {
  let last: string | undefined;
  let text = '';
  return (value) => {
    if (value !== last) {
      text = value === undefined ? '' : make(value);
      last = value;
    }
    return text;
  };
}

function createIsoClock(): (nowMs: number) => string {
  let lastMs = Number.NaN;
  let text = '';
  return (nowMs) => {
    const wholeMs = Math.floor(nowMs);
    if (wholeMs !== lastMs) {
      lastMs = wholeMs;
      text = new Date(wholeMs).toISOString();
    }
    return text;
  };
}

function createHitTexts(): (hit: Hit) => string {
  const known = new WeakMap<Rule, Partial<Record<Hit['how'], string>>>();
  return ({ rule, how }) => {
    const ofRule = known.get(rule) ?? {};
    const before = ofRule[how];
    if (before !== undefined) return before;
    const isOpen = rule.judge !== undefined && rule.judged === undefined;
    const hit: RecordedHit = { id: rule.id, how, ...(isOpen ? {} : { action: rule.action }) };
    known.set(rule, ofRule);
    const text = JSON.stringify(hit);
    ofRule[how] = text;
    return text;
  };
}

function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}
