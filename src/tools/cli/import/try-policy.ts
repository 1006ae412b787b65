import { runExamples } from '../../../language/calls/examples.ts';
import { parsePolicyFile } from '../../../language/policy/parse/parse.ts';
import { isJsonObject, type Json, type JsonObject, ownObject } from '../../../lib/json.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import { commandTests, sampleCommands } from './command-tests.ts';
import type { CommandPattern } from './imported.ts';

/** A policy with those of its examples that are as they say; undefined if it is not valid or the first one is not. */
export function triedPolicy(policy: JsonObject): JsonObject | undefined {
  const text = JSON.stringify({ version: 1, policies: [policy] });
  const { draft, diagnostics } = parsePolicyFile(text, 'import.yaml', 'import');
  if (draft === undefined || errorsIn(diagnostics).length > 0) return undefined;
  const right = new Set(
    runExamples(draft.rules, draft.examples)
      .filter(({ problem }) => problem === undefined)
      .map(({ example }) => keyOf(example.expect, example.call)),
  );
  const examples = ownObject(policy, 'examples') ?? {};
  const kept = (expect: string) => listOf(examples[expect]).filter((call) => right.has(keyOf(expect, call)));
  const [first] = listOf(examples['hit']);
  if (first === undefined || !right.has(keyOf('hit', first))) return undefined;
  return { ...policy, examples: { hit: [...kept('hit')], ...nonEmpty('miss', kept('miss')) } };
}

/** The test that says a pattern, as tried on a command that fits; undefined if there is none. */
export function provenTest(pattern: CommandPattern): JsonObject | undefined {
  const [command = ''] = sampleCommands(pattern).hits;
  return commandTests(pattern).find(
    (test) =>
      triedPolicy({
        id: 'a',
        command: test,
        action: 'deny',
        reason: 'a',
        examples: { hit: [{ command }] },
      }) !== undefined,
  );
}

/** A key with a list, where there is something in it. */
export function nonEmpty(key: string, list: readonly Json[]): JsonObject {
  return list.length === 0 ? {} : { [key]: [...list] };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : isJsonObject(value) ? [value] : [];
}

function keyOf(expect: string, call: Json): string {
  return `${expect} ${JSON.stringify(call)}`;
}
