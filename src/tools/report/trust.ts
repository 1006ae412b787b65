import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Rule } from '../../model/policy.ts';
import { actionOf } from './effective.ts';
import { alignColumns } from './layout/columns.ts';
import { displayWidth } from './layout/display-width.ts';
import type { Paint } from './layout/paint.ts';
import { printable } from './layout/printable.ts';

/** Below the line that names a policy. */
const INDENT = '    ';
const USUAL_COLUMNS = 120;

/** The powers of a project's set that need trust. */
export interface TrustReport {
  readonly root: string;
  readonly digest: string;
  /** `changed`: trusted once, and different since. */
  readonly state: 'new' | 'changed' | 'trusted';
  readonly rules: readonly Rule[];
  /** The values that it sets for policies of others, by parameter. */
  readonly settings: JsonObject;
  /** The programs that files of the project describe, by name: the policies are judged with them. */
  readonly programs: JsonObject;
}

/** The powers of project sets beside refusing, for people. Ends with a line break. */
export function trustText(reports: readonly TrustReport[], paint: Paint): string {
  if (reports.length === 0) return 'Nothing to trust: the policies here only refuse, or there are none\n';
  return `${reports.flatMap((report) => blockOf(report, paint)).join('\n')}\n`;
}

/** The same as data: `policy trust --json`. */
export function trustJson(reports: readonly TrustReport[]): JsonObject {
  return {
    sets: reports.map(({ root, digest, state, rules, settings, programs }) => ({
      root,
      digest,
      state,
      policies: rules.map((rule) => ({
        id: rule.id,
        action: actionOf(rule),
        trust: rule.trust,
        match: matchOf(rule),
        params: paramsOf(rule),
        file: rule.position.file,
        line: rule.position.line,
      })),
      settings,
      programs,
    })),
  };
}

function blockOf({ root, state, rules, settings, programs }: TrustReport, paint: Paint): readonly string[] {
  const what = {
    new: 'does more than refuse',
    changed: 'does more than refuse, and has changed since it was trusted',
    trusted: 'trusted as it is now',
  }[state];
  const titles = alignColumns(
    rules.map((rule) => [
      actionOf(rule),
      printable(rule.id),
      paint.dim(printable(`${rule.position.file}:${rule.position.line}`)),
      state === 'changed' && rule.trust !== 'active' ? paint.yellow('new or changed') : '',
    ]),
  );
  const below = (object: JsonObject) =>
    yamlLines(object, (paint.columns ?? USUAL_COLUMNS) - INDENT.length).map((line) => INDENT + line);
  const section = (title: string, object: JsonObject) =>
    Object.keys(object).length === 0 ? [] : [title, ...below(object)];
  return [
    `${paint.bold(printable(root))}: ${what}`,
    ...rules.flatMap((rule, at) => [`  ${titles[at]}`, ...below({ ...matchOf(rule), ...paramsOf(rule) })]),
    ...section('  set for policies of others', settings),
    ...section('  said of programs', programs),
  ];
}

/** The calls that a rule is about, as written, and the settings that change that. */
function matchOf({ on, when, whenUnknown, mode, priority }: Rule): JsonObject {
  return {
    on,
    ...when,
    when_unknown: whenUnknown,
    ...(mode === 'enforce' ? {} : { mode }),
    ...(priority === 0 ? {} : { priority }),
  };
}

function paramsOf({ params, judge }: Rule): JsonObject {
  return judge === undefined ? params : (snakeCase(JSON.parse(JSON.stringify(judge))) as JsonObject);
}

/** The same with keys as policy files have them. */
function snakeCase(value: Json): Json {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(inside),
    ]),
  );
}

/** An object as YAML without control characters: each key on its line, with a long value below it. */
function yamlLines(object: JsonObject, columns: number): readonly string[] {
  const { CORE_SCHEMA, dump } = require('js-yaml') as typeof import('js-yaml');
  return Object.entries(object).flatMap(([key, value]) => {
    const linesOf = (flowLevel: number) =>
      dump({ [key]: value }, { schema: CORE_SCHEMA, flowLevel, lineWidth: -1, noRefs: true })
        .trimEnd()
        .split('\n')
        .map(printable);
    const [line = '', ...others] = linesOf(1);
    return others.length === 0 && displayWidth(line) <= columns ? [line] : linesOf(-1);
  });
}
