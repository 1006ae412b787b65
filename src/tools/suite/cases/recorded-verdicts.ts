import { isJsonObject, type JsonObject, own, ownObject, ownString, parseJson } from '../../../lib/json.ts';
import { type JudgeAnswer, type JudgeQuestion, VERDICTS } from '../../../model/judge.ts';
import type { KeptVerdict } from '../../../model/verdict-store.ts';
import { questionKey } from './question-key.ts';

/** The file beside a suite's tests that holds the verdicts for them. */
export const VERDICTS_FILE = 'verdicts.json';
const VERSION = 1;

export interface RecordedVerdict extends KeptVerdict {
  /** The model that gave it, or `tests` if it was taken from the expectations of the tests. */
  readonly by: string;
  /** The subject of the question, for people: the values in the prompt, by their paths. */
  readonly about: Readonly<Record<string, string>>;
}

/** Verdicts by policy and question, so that tests need no model. */
export interface RecordedVerdicts {
  /** The verdict, or a failure that says how to record it. */
  readonly answer: (question: JudgeQuestion) => JudgeAnswer;
  readonly has: (question: JudgeQuestion) => boolean;
}

/** By policy id, then by the question's digest. */
export type VerdictTable = Readonly<Record<string, Readonly<Record<string, RecordedVerdict>>>>;

export function recordedVerdicts(table: VerdictTable): RecordedVerdicts {
  const find = (question: JudgeQuestion): RecordedVerdict | undefined => {
    const known = Object.hasOwn(table, question.ruleId) ? table[question.ruleId] : undefined;
    const { digest } = questionKey(question);
    return known !== undefined && Object.hasOwn(known, digest) ? known[digest] : undefined;
  };
  return {
    has: (question) => find(question) !== undefined,
    answer: (question) => {
      const found = find(question);
      if (found === undefined) return NOT_RECORDED;
      const { verdict, confidence, reason } = found;
      return { type: 'verdict', verdict, confidence, reason, doubt: null, cached: true };
    },
  };
}

const NOT_RECORDED: JudgeAnswer = {
  type: 'failed',
  failure: 'no-recording',
  cause: 'no verdict is recorded for this question; run policy judge record',
};

/** Reads the text of a file of verdicts; a message in place of the table if it is not one. */
export function readVerdicts(text: string): VerdictTable | string {
  const value = parseJson(text);
  if (value === undefined) return 'it is not JSON';
  const policies =
    isJsonObject(value) && own(value, 'version') === VERSION ? ownObject(value, 'verdicts') : undefined;
  if (policies === undefined) return 'it is not a file of verdicts';
  const table: Record<string, Record<string, RecordedVerdict>> = {};
  for (const [ruleId, recorded] of Object.entries(policies)) {
    const verdicts: Record<string, RecordedVerdict> = {};
    for (const [digest, entry] of isJsonObject(recorded) ? Object.entries(recorded) : []) {
      const verdict = isJsonObject(entry) ? recordedVerdict(entry) : undefined;
      if (verdict === undefined) return `the verdict ${digest} of "${ruleId}" is not whole`;
      verdicts[digest] = verdict;
    }
    table[ruleId] = verdicts;
  }
  return table;
}

function recordedVerdict(entry: JsonObject): RecordedVerdict | undefined {
  const verdict = VERDICTS.find((name) => name === own(entry, 'verdict'));
  const confidence = own(entry, 'confidence');
  const reason = ownString(entry, 'reason');
  const by = ownString(entry, 'by');
  const about = ownObject(entry, 'about');
  if (verdict === undefined || typeof confidence !== 'number' || reason === undefined) return undefined;
  if (by === undefined || about === undefined) return undefined;
  const texts = Object.entries(about).map(([path, value]) => [path, String(value)]);
  return { verdict, confidence, reason, by, about: Object.fromEntries(texts) };
}

/** The text of a file of verdicts; the same table always gives the same text. */
export function verdictsText(table: VerdictTable): string {
  const verdicts = sorted(
    Object.entries(table).map(([id, recorded]) => [id, sorted(Object.entries(recorded))]),
  );
  return `${JSON.stringify({ version: VERSION, verdicts }, null, 2)}\n`;
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
