import { type JsonObject, own } from '../../../lib/json.ts';
import { jsonSchemaProblems } from '../../../lib/json-schema/json-schema.ts';
import type { Diagnostic, SpecProblem } from '../../../model/diagnostic.ts';
import { actionSpec } from '../../actions/registry.ts';
import { prefixed } from '../../keys/spec-path.ts';
import { ownerName } from '../schema/policy-names.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { answerOf } from './plugin-tools.ts';

/** The problems of one plugin tool that the schema of policy files cannot express. */
export function checkTool(tool: JsonObject, document: YamlDocument, base: YamlPath): readonly Diagnostic[] {
  const parameters = jsonSchemaProblems(own(tool, 'parameters') ?? {}).map(
    ({ path, message }): SpecProblem => ({
      code: 'json-schema',
      path,
      message: `Cannot use JSON Schema: ${message}`,
    }),
  );
  const answer = answerProblems(tool, ownerName(document.value, base));
  return problemsAt(document, base, [...prefixed('parameters', parameters), ...answer]);
}

const ANSWERS = ['result', 'table', 'run'] as const;

function answerProblems(tool: JsonObject, name: string): readonly SpecProblem[] {
  const [first, second] = ANSWERS.filter((key) => Object.hasOwn(tool, key));
  const hint = 'give one of result, table and run';
  if (first === undefined)
    return [{ code: 'missing-key', path: [], message: `Cannot use ${name}: it has no answer`, hint }];
  if (second === undefined) return actionSpec('respond').check?.(answerOf(tool)) ?? [];
  const message = `Cannot use key "${second}" in ${name}: the answer is given by "${first}" already`;
  return [{ code: 'bad-value', path: [second], at: 'key', message, hint }];
}
