import { type JsonObject, own } from '../../../lib/json.ts';
import { jsonSchemaProblems } from '../../../lib/json-schema/json-schema.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { actionSpec } from '../../actions/registry.ts';
import { ownerName } from '../schema/policy-names.ts';
import { problem } from '../yaml/problem.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { answerOf } from './plugin-tools.ts';

/** The problems of one plugin tool that the schema of policy files cannot express. */
export function checkTool(tool: JsonObject, document: YamlDocument, base: YamlPath): readonly Diagnostic[] {
  const found = jsonSchemaProblems(own(tool, 'parameters') ?? {}).map(
    ({ path, message }) =>
      ({ code: 'json-schema', path, message: `Cannot use JSON Schema: ${message}` }) as const,
  );
  return [...problemsAt(document, [...base, 'parameters'], found), ...answerProblems(tool, document, base)];
}

const ANSWERS = ['result', 'table', 'run'] as const;

function answerProblems(tool: JsonObject, document: YamlDocument, base: YamlPath): readonly Diagnostic[] {
  const [first, second] = ANSWERS.filter((key) => Object.hasOwn(tool, key));
  const name = ownerName(document.value, base);
  const hint = 'give one of result, table and run';
  if (first === undefined)
    return problemsAt(document, base, [
      { code: 'missing-key', path: [], message: `Cannot use ${name}: it has no answer`, hint },
    ]);
  if (second !== undefined) {
    const message = `Cannot use key "${second}" in ${name}: the answer is given by "${first}" already`;
    return [problem('bad-value', document.positionOf([...base, second], 'key'), message, hint)];
  }
  const found = actionSpec('respond').check?.(answerOf(tool)) ?? [];
  return problemsAt(document, base, found);
}
