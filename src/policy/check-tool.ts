import { effectOf } from '../effects/registry.ts';
import type { JsonObject } from '../lib/json.ts';
import { own } from '../lib/json.ts';
import { jsonSchemaProblems } from '../lib/json-schema.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { answerOf } from './plugin-tools.ts';
import { problem } from './problem.ts';
import type { YamlDocument, YamlPath } from './yaml.ts';

/** The problems of one plugin tool that the schema of policy files cannot express. */
export function checkTool(tool: JsonObject, document: YamlDocument, base: YamlPath): readonly Diagnostic[] {
  const schemaProblems = jsonSchemaProblems(own(tool, 'parameters') ?? {}).map(({ path, message }) =>
    problem(
      'json-schema',
      document.positionOf([...base, 'parameters', ...path], 'value'),
      `Cannot use JSON Schema: ${message}`,
    ),
  );
  const answerProblems = (effectOf('respond').check?.(answerOf(tool)) ?? []).map(({ code, path, message, hint }) =>
    problem(code, document.positionOf([...base, ...path], 'value'), message, hint),
  );
  return [...schemaProblems, ...answerProblems];
}
