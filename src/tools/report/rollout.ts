import type { JsonObject } from '../../lib/json.ts';
import type { PlannedPolicy, RolloutPlan } from '../compare/rollout.ts';
import { alignColumns } from './columns.ts';
import type { Paint } from './paint.ts';
import { printable, printableCut } from './printable.ts';
import { countOf, grouped } from './quantity.ts';
import { percent } from './test-text.ts';

/** Version of the JSON shape; grows when a key changes its meaning or goes away. */
const VERSION = 1;
const MAX_EXAMPLES = 3;
const MAX_CALL_CHARS = 100;

export interface RolloutTextOptions {
  readonly paint: Paint;
  /** True to list every call that is known. */
  readonly verbose: boolean;
}

/** What a roll-out would have refused, by policy and by repository, for people. Ends with a line break. */
export function rolloutText({ repositories, policies }: RolloutPlan, options: RolloutTextOptions): string {
  const { paint } = options;
  const titles = ['repository', 'decisions', 'would be refused'].map(paint.dim);
  const rows = repositories.map(({ repository, decisions, refused }) => [
    printable(repository),
    grouped(decisions),
    refused === 0 ? '0' : `${grouped(refused)} (${percent(refused, decisions)})`,
  ]);
  const blocks = [
    ...policies.map((policy) => policyLines(policy, options)),
    alignColumns([titles, ...rows], { right: [1] }),
    [summaryOf({ repositories, policies })],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function policyLines(
  { policy, action, repository, calls, sessions, last, examples }: PlannedPolicy,
  { paint, verbose }: RolloutTextOptions,
): readonly string[] {
  const shown = verbose ? examples : examples.slice(0, MAX_EXAMPLES);
  const maxChars = verbose ? Number.POSITIVE_INFINITY : MAX_CALL_CHARS;
  const rows = shown.map(({ call, calls: count }) => [`  ${grouped(count)}`, printableCut(call, maxChars)]);
  const left = examples.length - shown.length;
  const counts = `${countOf(calls, 'call')} in ${countOf(sessions, 'session')}`;
  return [
    `${paint.bold(printable(policy))}  ${action}  ${printable(repository)}  ${counts}  ${paint.dim(`last ${last}`)}`,
    ...alignColumns(rows, { right: [0] }),
    ...(left === 0 ? [] : [`  and ${grouped(left)} more (-v lists them)`]),
  ];
}

function summaryOf({ repositories }: RolloutPlan): string {
  const decisions = sum(repositories.map((each) => each.decisions));
  const refused = sum(repositories.map((each) => each.refused));
  const hit = repositories.filter((each) => each.refused > 0).length;
  if (refused === 0) return `Nothing more would have been refused in ${countOf(decisions, 'decision')}`;
  const share = `${grouped(refused)} of ${countOf(decisions, 'decision')} (${percent(refused, decisions)})`;
  return `${share} would have been refused, in ${hit} of ${countOf(repositories.length, 'repository')}`;
}

/** The same as data. */
export function rolloutJson({ repositories, policies }: RolloutPlan, left: number): JsonObject {
  return {
    version: VERSION,
    decisions: sum(repositories.map((each) => each.decisions)),
    refused: sum(repositories.map((each) => each.refused)),
    without_message: left,
    repositories: repositories.map((each) => ({ ...each })),
    policies: policies.map((each) => ({
      ...each,
      examples: each.examples.map((example) => ({ ...example })),
    })),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
