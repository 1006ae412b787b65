import { closest } from '../../lib/closest.ts';

/** Templates may name these as a whole. */
export const EVENT_VARIABLES = [
  'tool_name',
  'tool_arguments',
  'tool_result',
  'user_input',
  'assistant_output',
  'model',
  'event',
  'cwd',
  'policy.id',
] as const;
export type EventVariable = (typeof EVENT_VARIABLES)[number];

/** Only the texts of a verdict may name these. */
export const JUDGE_VARIABLES = ['judge.verdict', 'judge.confidence', 'judge.reason', 'judge.name'] as const;
export type JudgeVariable = (typeof JUDGE_VARIABLES)[number];

/** Starts the path of an argument. */
export const ARGUMENT_PREFIX = 'arguments.';
/** Starts the number of a captured group. */
export const MATCH_PREFIX = 'match.';

const NAMES: readonly string[] = [...EVENT_VARIABLES, ...JUDGE_VARIABLES];
const EVERY_FORM = [...EVENT_VARIABLES, `${ARGUMENT_PREFIX}NAME`, `${MATCH_PREFIX}N`];

/** True for a variable that some event gives a value, without a judge. */
export function isEventVariable(path: string): path is EventVariable {
  return (EVENT_VARIABLES as readonly string[]).includes(path);
}

/** True for a variable that only a judge's verdict fills. */
export function isJudgeVariable(path: string): path is JudgeVariable {
  return (JUDGE_VARIABLES as readonly string[]).includes(path);
}

/** True for every path that some template can be filled with. */
export function isTemplateVariable(path: string): boolean {
  return (
    isEventVariable(path) ||
    isJudgeVariable(path) ||
    (path.startsWith(ARGUMENT_PREFIX) && path.length > ARGUMENT_PREFIX.length) ||
    /^match\.\d+$/.test(path)
  );
}

/** The hint for a path without a value. */
export function templateHint(path: string): string {
  const near = closest(path, NAMES) ?? nearPrefix(path);
  return near === undefined ? `use one of ${EVERY_FORM.join(', ')}` : `did you mean "{{${near}}}"?`;
}

function nearPrefix(path: string): string | undefined {
  const dot = path.indexOf('.') + 1;
  if (dot === 0 || dot === path.length) return undefined;
  const near = closest(path.slice(0, dot), [ARGUMENT_PREFIX, MATCH_PREFIX]);
  const whole = near === undefined ? undefined : near + path.slice(dot);
  return whole !== undefined && isTemplateVariable(whole) ? whole : undefined;
}
