import { isJsonObject, type Json, own, ownString, parseJson } from '../lib/json.ts';
import type { RespondResult, RunSpec } from '../model/decision.ts';
import { runProgram } from './run-program.ts';

/** Runs a plugin tool's program: arguments as JSON on stdin, a result on stdout. Never throws; failures give `is_error`. */
export async function runTool(spec: RunSpec, budgetMs: number): Promise<RespondResult> {
  const printed = await runProgram(spec.argv, JSON.stringify(spec.input), Math.min(spec.timeoutMs, budgetMs));
  return 'text' in printed ? resultFrom(printed.text) : failed(printed.cause);
}

function resultFrom(output: string): RespondResult {
  const value = parseJson(output);
  const text = isJsonObject(value) ? ownString(value, 'for_llm') : undefined;
  if (!isJsonObject(value) || text === undefined) return { for_llm: output.trimEnd() };
  const media = own(value, 'media');
  const forUser = ownString(value, 'for_user');
  return {
    for_llm: text,
    ...(forUser === undefined ? {} : { for_user: forUser }),
    ...flag(value, 'silent'),
    ...flag(value, 'is_error'),
    ...flag(value, 'response_handled'),
    ...(Array.isArray(media) ? { media: media.filter((item) => typeof item === 'string') } : {}),
  };
}

function flag(value: Json, key: 'silent' | 'is_error' | 'response_handled'): Partial<RespondResult> {
  const found = isJsonObject(value) ? own(value, key) : undefined;
  return typeof found === 'boolean' ? { [key]: found } : {};
}

function failed(cause: string): RespondResult {
  return { for_llm: `The tool failed: ${cause}.`, is_error: true };
}
