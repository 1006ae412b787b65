import { isJsonObject, type JsonObject, own, ownItems, ownObject } from '../../lib/json.ts';
import { CLOSED, TEXT, TEXTS } from '../../lib/schema-parts.ts';
import type { RunSpec } from '../../model/decision.ts';
import type { ActionSpec, ParamProblem } from './action-spec.ts';
import { renderObject } from './render-json.ts';
import { CACHE_SCHEMA, checkCache } from './respond-cache.ts';
import { checkRecording, RECORDED_SCHEMA } from './respond-recorded.ts';
import { RESULT_SCHEMA, renderResult } from './respond-result.ts';
import { TABLE_SCHEMA, tableResult } from './respond-table.ts';
import { checkTemplateKeys, checkTemplates } from './template-params.ts';

const SOURCES = ['result', 'table', 'run', 'cache', 'recorded'] as const;
/** Answers that are results of calls of tools. */
const OF_TOOLS = ['cache', 'recorded'] as const;
const DEFAULT_TIMEOUT_S = 10;
const HINT = `give one of ${SOURCES.join(', ')}`;

export const respond = {
  action: 'respond',
  summary: 'Answer in place of the tool or model, without running it',
  events: ['before_tool', 'before_llm'],
  params: {
    result: RESULT_SCHEMA,
    table: TABLE_SCHEMA,
    run: {
      description: 'A program that answers: the arguments as JSON on stdin, the result on stdout; no shell',
      ...CLOSED,
      required: ['argv'],
      properties: {
        argv: { description: 'The program and its arguments, taken literally', ...TEXTS },
        timeout: {
          description: 'How many seconds the program may take, at most 60; 10 by default',
          type: 'number',
          exclusiveMinimum: 0,
          maximum: 60,
        },
      },
    },
    cache: CACHE_SCHEMA,
    recorded: RECORDED_SCHEMA,
    call: {
      description: 'The call to show instead of the original, if the agent can; strings are templates',
      ...CLOSED,
      minProperties: 1,
      properties: {
        tool: { description: 'Name of the tool', ...TEXT },
        arguments: { description: 'Its arguments', type: 'object' },
      },
    },
  },
  required: [],
  check: (policy) => [
    ...checkSources(policy),
    ...checkTexts(policy),
    ...checkCache(policy),
    ...checkRecording(policy),
    ...checkEvents(policy),
  ],
  decide: (params, input) => {
    const call = ownObject(params, 'call');
    const shown = call === undefined ? {} : { call: renderObject(call, input.render) };
    const run = ownObject(params, 'run');
    if (run !== undefined) return { ...shown, run: runSpec(run, input.arguments ?? {}) };
    const table = ownObject(params, 'table');
    const kept = input.kept;
    if (kept !== undefined) return { ...shown, result: kept, kept: true };
    const result =
      table === undefined
        ? renderResult(own(params, 'result') ?? '', input.render)
        : tableResult(table, input);
    return { ...shown, result };
  },
} satisfies ActionSpec;

function checkSources(params: JsonObject): readonly ParamProblem[] {
  const given = SOURCES.filter((key) => Object.hasOwn(params, key));
  if (given.length === 1) return [];
  const second = given[1];
  if (second === undefined) {
    return [
      { code: 'missing-key', path: [], message: 'Cannot use action "respond": it has no answer', hint: HINT },
    ];
  }
  return [
    {
      code: 'bad-value',
      path: [second],
      message: `Cannot use key "${second}": the answer is given by "${given[0]}" already`,
      hint: HINT,
    },
  ];
}

/** A model's answer is not the result of a call. */
function checkEvents(policy: JsonObject): readonly ParamProblem[] {
  const source = OF_TOOLS.find((key) => Object.hasOwn(policy, key));
  const on = own(policy, 'on') ?? 'before_tool';
  if (source === undefined || !JSON.stringify(on).includes('before_llm')) return [];
  const message = `Cannot answer with "${source}" on event "before_llm": it is about results of tools`;
  return [{ code: 'event-action', path: [source], message, hint: 'leave "on" out, or use before_tool' }];
}

function checkTexts(params: JsonObject): readonly ParamProblem[] {
  const table = own(params, 'table');
  const rows = isJsonObject(table) ? own(table, 'rows') : undefined;
  const otherwise = isJsonObject(table) ? own(table, 'otherwise') : undefined;
  return [
    ...checkTemplateKeys(params, ['result', 'call']),
    ...checkTemplates(rows, ['table', 'rows']),
    ...checkTemplates(otherwise, ['table', 'otherwise']),
  ];
}

function runSpec(run: JsonObject, input: JsonObject): RunSpec {
  const timeoutS = own(run, 'timeout');
  return {
    argv: ownItems(run, 'argv').map(String),
    timeoutMs: (typeof timeoutS === 'number' ? timeoutS : DEFAULT_TIMEOUT_S) * 1000,
    input,
  };
}
