import type { JsonObject } from '../lib/json.ts';
import type { Rule } from '../model/policy.ts';
import { alignColumns } from './columns.ts';
import type { Paint } from './paint.ts';
import { printable, printableCut } from './printable.ts';

/** Version of the JSON shape; grows when a key changes its meaning or goes away. */
const VERSION = 1;
const MAX_PARAMS_CHARS = 120;

/** What the set of one project can do that needs trust. */
export interface TrustReport {
  readonly root: string;
  readonly digest: string;
  /** `changed`: trusted once, and different since. */
  readonly state: 'new' | 'changed' | 'trusted';
  readonly rules: readonly Rule[];
}

/** What project sets can do beside refusing, for people. Ends with a line break. */
export function trustText(reports: readonly TrustReport[], paint: Paint): string {
  if (reports.length === 0) return 'Nothing to trust: the policies here only refuse, or there are none\n';
  return `${reports.flatMap((report) => blockOf(report, paint)).join('\n')}\n`;
}

/** The same as data: `policy trust --json`. */
export function trustJson(reports: readonly TrustReport[]): JsonObject {
  return {
    version: VERSION,
    sets: reports.map(({ root, digest, state, rules }) => ({
      root,
      digest,
      state,
      policies: rules.map((rule) => ({
        id: rule.id,
        action: actionOf(rule),
        params: paramsOf(rule),
        file: rule.position.file,
        line: rule.position.line,
      })),
    })),
  };
}

function blockOf({ root, state, rules }: TrustReport, paint: Paint): readonly string[] {
  const what = {
    new: 'policies that do more than refuse',
    changed: 'policies that do more than refuse, changed since they were trusted',
    trusted: 'trusted as it is now',
  }[state];
  const rows = rules.map((rule) => [
    actionOf(rule),
    printable(rule.id),
    paint.dim(printable(`${rule.position.file}:${rule.position.line}`)),
    printableCut(shownParams(paramsOf(rule)), MAX_PARAMS_CHARS),
  ]);
  return [`${paint.bold(printable(root))}: ${what}`, ...alignColumns(rows).map((line) => `  ${line}`)];
}

/** A judge's policy does what a model says: that it asks one is what there is to know. */
function actionOf({ action, judge }: Rule): string {
  return judge === undefined ? action : 'llm_judge';
}

function paramsOf({ params, judge }: Rule): JsonObject {
  if (judge === undefined) return params;
  const verdicts = Object.entries(judge.verdicts).map(([name, effect]) => [name, { ...effect }] as const);
  return { verdicts: Object.fromEntries(verdicts), prompt: judge.prompt };
}

/** What the action would do, as written; reasons and the like do nothing. */
function shownParams(params: JsonObject): string {
  return Object.keys(params).length === 0 ? '' : JSON.stringify(params);
}
