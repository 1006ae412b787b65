import { type JsonObject, own, ownItems, ownObject } from '../../../lib/json.ts';
import { jsonSchemaProblems } from '../../../lib/json-schema/json-schema.ts';
import type { Steps } from '../../../lib/steps.ts';
import type { Diagnostic, SpecProblem } from '../../../model/diagnostic.ts';
import type { Example } from '../../../model/policy.ts';
import { actionSpec } from '../../actions/registry.ts';
import { prefixed } from '../../keys/spec-path.ts';
import { ownerName } from '../schema/policy-names.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import { checkPolicy } from './check-policy.ts';
import { dataListPaths } from './data-lists.ts';
import type { DataReference, FactDraft, FactReference, RuleDraft } from './file-draft.ts';
import { type FileReading, itemsIn } from './file-reading.ts';
import { modeOf, normalisePolicy } from './normalise-policy.ts';
import { answerOf, toolRules } from './plugin-tools.ts';
import { withOwnFacts } from './read-facts.ts';

/** The findings in the policies of a file. */
interface Found {
  readonly rules: RuleDraft[];
  readonly examples: Example[];
  readonly data: DataReference[];
  readonly factsElsewhere: FactReference[];
}

export function* readPolicies(reading: FileReading, facts: readonly FactDraft[], found: Found): Steps<void> {
  const { rules, examples, data } = found;
  const { document, root, name } = reading;
  const mode = modeOf(ownObject(root, 'defaults') ?? {}) ?? 'enforce';
  const declared = Object.keys(ownObject(root, 'facts') ?? {});
  for (const item of itemsIn(reading, 'policies', 'id')) {
    yield;
    const { object: policy, base, refused } = item;
    const problems = checkPolicy(policy, document, base, refused);
    reading.diagnostics.push(...problems);
    if (item.isTaken || refused.length > 0 || problems.length > 0) continue;
    const normal = normalisePolicy(policy, { name, mode }, (key) =>
      document.positionOf([...base, key], key === 'id' ? 'value' : 'key'),
    );
    const when = withOwnFacts(
      normal.when,
      facts,
      declared,
      (path) => document.positionOf([...base, ...path], 'value'),
      (reference) => found.factsElsewhere.push(reference),
      reading.diagnostics,
    );
    const rule = when === normal.when ? normal : { ...normal, when };
    rules.push(rule);
    for (const path of dataListPaths(rule.when)) {
      const placeOf = (key: string) => document.positionOf([...base, ...path, key], 'value');
      data.push({ ruleId: rule.id, path, position: placeOf('file'), atPosition: placeOf('at') });
    }
    if (Object.hasOwn(rule.params, 'recorded')) {
      const position = document.positionOf([...base, 'recorded'], 'value');
      data.push({ ruleId: rule.id, path: undefined, position, atPosition: position });
    }
    examples.push(...examplesOf(policy, rule.id, document, base));
  }
}

export function* readTools(reading: FileReading, rules: RuleDraft[]): Steps<void> {
  const { document, name } = reading;
  for (const { object: tool, base, refused, isTaken } of itemsIn(reading, 'tools', 'name')) {
    yield;
    if (refused.length > 0) continue;
    const problems = checkTool(tool, document, base);
    reading.diagnostics.push(...problems);
    if (!isTaken && problems.length === 0)
      rules.push(...toolRules(tool, name, document.positionOf([...base, 'name'], 'value')));
  }
}

function examplesOf(
  policy: JsonObject,
  ruleId: string,
  document: YamlDocument,
  base: YamlPath,
): readonly Example[] {
  const examples = ownObject(policy, 'examples') ?? {};
  return (['hit', 'miss'] as const).flatMap((expect) =>
    ownItems(examples, expect).map((call, index) => ({
      ruleId,
      position: document.positionOf([...base, 'examples', expect, index], 'value'),
      expect,
      call,
    })),
  );
}

/** The problems of one plugin tool that the schema of policy files cannot express. */
function checkTool(tool: JsonObject, document: YamlDocument, base: YamlPath): readonly Diagnostic[] {
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
