import type { Json } from '../../lib/json.ts';
import { parsePath } from '../../lib/json-path.ts';
import { renderTemplate } from '../../lib/template.ts';
import type { Event } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { Rule } from '../../model/policy.ts';
import type { Render } from '../actions/action-spec.ts';
import { RewriteError } from '../actions/rewrite/paths.ts';
import {
  ARGUMENT_PREFIX,
  type EventVariable,
  isEventVariable,
  isJudgeVariable,
  type JudgeVariable,
  MATCH_PREFIX,
} from '../actions/template-variables.ts';
import { argumentValues } from '../keys/arguments/values.ts';
import { MATCHER_TABLE } from '../keys/registry.ts';
import { whenCaptures } from '../keys/when.ts';

/** More than any host accepts in one answer. */
const MAX_TEXT_LENGTH = 1024 * 1024;
/** More than a host sends in one message, so that no rewrite of an honest call needs more. */
const MAX_VALUE_LENGTH = 64 * 1024 * 1024;

/** Renders the templates of a policy for one event: text for readers, truncated if too long. */
export function rendererFor(rule: Rule, facts: Facts, maxLength: number = MAX_TEXT_LENGTH): Render {
  const lookup = valuesFor(rule, facts);
  return (template) => renderTemplate(template, lookup, maxLength);
}

/** The same for the parts of a rewritten call, which are refused rather than cut. */
export function valueRendererFor(rule: Rule, facts: Facts): Render {
  const lookup = valuesFor(rule, facts);
  return (template) => {
    const text = renderTemplate(template, lookup, MAX_VALUE_LENGTH + 1);
    if (text.length > MAX_VALUE_LENGTH) throw new RewriteError('its value is too long');
    return text;
  };
}

export function valuesFor(rule: Rule, facts: Facts): (path: string) => Json | undefined {
  let captures: readonly string[] | undefined;
  return (path) => {
    if (path.startsWith(ARGUMENT_PREFIX)) return argumentAt(facts.event, path.slice(ARGUMENT_PREFIX.length));
    if (path.startsWith(MATCH_PREFIX)) {
      captures ??= whenCaptures(rule.when, facts, MATCHER_TABLE) ?? [];
      return captures[Number(path.slice(MATCH_PREFIX.length))];
    }
    if (isJudgeVariable(path)) return judgedValue(path, rule);
    return isEventVariable(path) ? templateValue(path, rule, facts) : undefined;
  };
}

/** The first value at a path in the tool's arguments, portable names included. */
export function argumentAt(event: Event, path: string): Json | undefined {
  return event.tool === undefined ? undefined : argumentValues(event.tool, parsePath(path))[0];
}

function templateValue(path: EventVariable, rule: Rule, facts: Facts): Json | undefined {
  const { event } = facts;
  switch (path) {
    case 'tool_name':
      return event.tool?.name;
    case 'tool_arguments':
      return event.tool?.arguments;
    case 'model':
      return facts.model;
    case 'event':
      return event.kind;
    case 'cwd':
      return event.context.cwd;
    case 'user_input':
      return lastTextBy(event, ['before_prompt', 'prompt_sent'], 'user');
    case 'assistant_output':
      return lastTextBy(event, ['after_llm', 'after_turn'], 'assistant');
    case 'tool_result':
      return event.kind === 'after_tool' || event.kind === 'tool_failure' ? allTexts(event) : undefined;
    case 'policy.id':
      return rule.id;
    default:
      return path satisfies never;
  }
}

function judgedValue(path: JudgeVariable, { judge, judged }: Rule): Json | undefined {
  if (path === 'judge.name') return judge?.name;
  if (judged?.type !== 'verdict') return undefined;
  switch (path) {
    case 'judge.verdict':
      return judged.verdict;
    case 'judge.confidence':
      return judged.confidence;
    case 'judge.reason':
      return judged.reason;
    default:
      return path satisfies never;
  }
}

function lastTextBy(event: Event, wholeEvents: readonly string[], role: string): string | undefined {
  if (wholeEvents.includes(event.kind)) return allTexts(event);
  return event.texts.findLast((text) => text.role === role)?.text;
}

function allTexts(event: Event): string {
  return event.texts.map(({ text }) => text).join('\n');
}
