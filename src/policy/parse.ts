import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../lib/json.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Example } from '../model/policy.ts';
import { checkPolicy } from './check-policy.ts';
import { checkTool } from './check-tool.ts';
import type { FileDraft, Named, RuleDraft } from './file-draft.ts';
import { normalisePolicy } from './normalise-policy.ts';
import { toolRules } from './plugin-tools.ts';
import { problem, startOf } from './problem.ts';
import { schemaDiagnostics } from './schema-diagnostics.ts';
import { validatePolicyFile } from './validate.ts';
import { parseYaml, type YamlDocument, type YamlPath } from './yaml.ts';

/** What became of one file: its draft with the parts that are sound, and all of its problems. */
export interface ParsedFile {
  /** Undefined if the text is no YAML mapping at all. */
  readonly draft: FileDraft | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads one policy file: YAML, schema, checks, normal form. Reports everything that is wrong with it at once.
 *
 * @param file how positions name it
 * @param baseName the file's name without its ending, for a file that does not name itself
 */
export function parsePolicyFile(text: string, file: string, baseName: string): ParsedFile {
  const { document, diagnostics: yamlDiagnostics } = parseYaml(text, file);
  if (document === undefined) return { draft: undefined, diagnostics: yamlDiagnostics };
  const found = schemaDiagnostics(validatePolicyFile(document.value), document);
  const diagnostics = [...yamlDiagnostics, ...found.map(({ diagnostic }) => diagnostic)];
  if (!isJsonObject(document.value)) return { draft: undefined, diagnostics };

  const broken = found.map(({ path }) => path);
  const name = nameOf(document.value, baseName, file, diagnostics);
  const parts = readParts({ document, root: document.value, name, broken }, diagnostics);
  return { draft: parts, diagnostics };
}

interface Reading {
  readonly document: YamlDocument;
  readonly root: JsonObject;
  readonly name: string;
  /** Paths that the schema has refused. */
  readonly broken: readonly YamlPath[];
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function nameOf(root: JsonObject, baseName: string, file: string, diagnostics: Diagnostic[]): string {
  const name = ownString(root, 'name');
  if (name !== undefined) return name;
  if (!NAME.test(baseName)) {
    const message = 'Cannot name the policies after their file: its name has other characters than an id';
    diagnostics.push(problem('missing-key', startOf(file), message, 'add "name" to the file'));
  }
  return baseName;
}

function readParts(reading: Reading, diagnostics: Diagnostic[]): FileDraft {
  const { document, root, name } = reading;
  const defaults = ownObject(root, 'defaults') ?? {};
  const onErrorContinue = own(defaults, 'on_error') === 'continue';
  const rules: RuleDraft[] = [];
  const examples: Example[] = [];
  readPolicies(reading, rules, examples, diagnostics);
  readTools(reading, rules, diagnostics);
  if (!['policies', 'tools', 'extends', 'disable', 'defaults'].some((key) => Object.hasOwn(root, key))) {
    const message = 'Cannot use the file: it has no policies';
    diagnostics.push(problem('missing-key', document.positionOf([], 'value'), message, 'add "policies"'));
  }
  return {
    name,
    extends: namedIn(reading, 'extends'),
    disable: namedIn(reading, 'disable'),
    unmatchedDeny: own(defaults, 'unmatched') === 'deny',
    onErrorContinue: onErrorContinue ? document.positionOf(['defaults', 'on_error'], 'key') : null,
    rules,
    examples,
  };
}

function readPolicies(
  reading: Reading,
  rules: RuleDraft[],
  examples: Example[],
  diagnostics: Diagnostic[],
): void {
  const { document, root, name, broken } = reading;
  const mode = own(ownObject(root, 'defaults') ?? {}, 'mode') === 'monitor' ? 'monitor' : 'enforce';
  const seen = new Map<string, number>();
  for (const [index, policy] of listIn(root, 'policies').entries()) {
    const base = ['policies', index];
    if (!isJsonObject(policy)) continue;
    diagnostics.push(...duplicates(ownString(policy, 'id'), [...base, 'id'], 'policy', seen, document));
    const refused = pathsBelow(broken, base);
    const problems = checkPolicy(policy, document, base, refused);
    diagnostics.push(...problems);
    if (refused.length > 0 || problems.length > 0) continue;
    const rule = normalisePolicy(policy, { name, mode }, document.positionOf([...base, 'id'], 'value'));
    rules.push(rule);
    examples.push(...examplesOf(policy, rule.id, document, base));
  }
}

function readTools(reading: Reading, rules: RuleDraft[], diagnostics: Diagnostic[]): void {
  const { document, root, name, broken } = reading;
  const seen = new Map<string, number>();
  for (const [index, tool] of listIn(root, 'tools').entries()) {
    const base = ['tools', index];
    if (!isJsonObject(tool)) continue;
    diagnostics.push(...duplicates(ownString(tool, 'name'), [...base, 'name'], 'tool', seen, document));
    if (pathsBelow(broken, base).length > 0) continue;
    const problems = checkTool(tool, document, base);
    diagnostics.push(...problems);
    if (problems.length === 0)
      rules.push(...toolRules(tool, name, document.positionOf([...base, 'name'], 'value')));
  }
}

function listIn(root: JsonObject, key: string): readonly Json[] {
  const list = own(root, key);
  return Array.isArray(list) ? list : [];
}

/** The paths that begin with another, from there on. */
function pathsBelow(paths: readonly YamlPath[], base: YamlPath): readonly YamlPath[] {
  return paths
    .filter((path) => base.every((step, depth) => path[depth] === step))
    .map((path) => path.slice(base.length));
}

function duplicates(
  id: string | undefined,
  path: YamlPath,
  kind: 'policy' | 'tool',
  seen: Map<string, number>,
  document: YamlDocument,
): readonly Diagnostic[] {
  if (id === undefined) return [];
  const position = document.positionOf(path, 'value');
  const line = seen.get(id);
  if (line === undefined) {
    seen.set(id, position.line);
    return [];
  }
  const message = `Cannot name two ${kind === 'policy' ? 'policies' : 'tools'} "${id}" in one file`;
  return [problem('duplicate-id', position, message, `the first is in line ${line}`)];
}

function examplesOf(
  policy: JsonObject,
  ruleId: string,
  document: YamlDocument,
  base: YamlPath,
): readonly Example[] {
  const examples = ownObject(policy, 'examples') ?? {};
  return (['hit', 'miss'] as const).flatMap((expect) =>
    listIn(examples, expect).map((call, index) => ({
      ruleId,
      position: document.positionOf([...base, 'examples', expect, index], 'value'),
      expect,
      call,
    })),
  );
}

function namedIn({ document, root, broken }: Reading, key: 'extends' | 'disable'): readonly Named[] {
  return listIn(root, key).flatMap((text, index) => {
    const refused = broken.some((path) => path[0] === key && path[1] === index);
    if (typeof text !== 'string' || refused) return [];
    return [{ text, position: document.positionOf([key, index], 'value') }];
  });
}
