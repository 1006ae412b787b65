import { canonicalJson } from '../../lib/canonical-json.ts';
import { child } from '../../lib/child.ts';
import { isDataName } from '../../lib/data-name.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { CLOSED, TEXT } from '../../lib/schema-parts.ts';
import type { RespondResult } from '../../model/decision.ts';
import type { ParamProblem } from './action-spec.ts';
import { resultIn } from './respond-result.ts';

const FILE: JsonObject = {
  description:
    'A JSON or YAML file with "results", from the folder on that holds .policy, else from that of the policy file',
  ...TEXT,
};

export const RECORDED_SCHEMA: JsonObject = {
  description: 'Answers with results out of a file, which policy add-test --record writes',
  oneOf: [
    FILE,
    {
      ...CLOSED,
      required: ['file'],
      properties: {
        file: FILE,
        otherwise: {
          description: 'What happens to a call that is not in the file: an error (the default), or it runs',
          enum: ['error', 'run'],
        },
      },
    },
  ],
};

/** The recording that a policy names, in its long form; undefined if it names none. */
export function recordingOf(params: JsonObject): JsonObject | undefined {
  const written = own(params, 'recorded');
  return typeof written === 'string' ? { file: written } : ownObject(params, 'recorded');
}

/** Checks a recording beyond the schema. */
export function checkRecording(params: JsonObject): readonly ParamProblem[] {
  const file = ownString(recordingOf(params) ?? {}, 'file');
  if (file === undefined || isDataName(file)) return [];
  const message = `Cannot read "${file}" as data: it is neither JSON nor YAML`;
  return [{ code: 'bad-value', path: ['recorded'], message, hint: 'name a *.json, *.yaml or *.yml file' }];
}

export interface RecordedResult {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result: string | RespondResult;
}

/** The results in the data of a file, or its problem. */
export function resultsIn(
  data: Json,
): { readonly results: readonly RecordedResult[] } | { readonly cause: string } {
  const list = isJsonObject(data) ? own(data, 'results') : undefined;
  if (!Array.isArray(list)) return { cause: 'it has no list "results"' };
  const results: RecordedResult[] = [];
  for (const [index, item] of list.entries()) {
    const entry: JsonObject = isJsonObject(item) ? item : {};
    const tool = ownString(entry, 'tool');
    const args = ownObject(entry, 'arguments');
    const result = resultIn(own(entry, 'result'));
    if (tool === undefined || args === undefined || result === undefined)
      return {
        cause: `result ${index + 1} needs "tool", "arguments" and "result", a text or an object with "for_llm"`,
      };
    results.push({ tool, arguments: args, result });
  }
  return { results };
}

/** A call as text: the same for equal calls. */
export function callText(tool: string, args: JsonObject): string {
  return JSON.stringify([tool, canonicalJson(args)]);
}

const LOADED = new WeakMap<JsonObject, ReadonlyMap<string, RecordedResult['result']>>();

/** The results that were loaded for a policy, by the texts of their calls. The last of several for one call counts. */
export function recordedResults(recorded: JsonObject): ReadonlyMap<string, RecordedResult['result']> {
  return child(LOADED, recorded, () => {
    const read = resultsIn(recorded);
    const results = 'cause' in read ? [] : read.results;
    return new Map(results.map((each) => [callText(each.tool, each.arguments), each.result]));
  });
}
