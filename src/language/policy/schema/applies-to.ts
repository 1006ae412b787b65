import { HOSTS } from '../../../hosts/registry.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import { CLOSED, LIST, TEXTS } from '../../../lib/schema-parts.ts';
import type { YamlPath } from '../yaml/yaml.ts';
import { EVERYWHERE_SECTIONS } from './sections.ts';

const HOST_NAMES: readonly string[] = HOSTS.map(({ name }) => name);

export function appliesToSchema(): JsonObject {
  return {
    description: 'Where the policies of this file apply: every given key must hold; everywhere by default',
    ...CLOSED,
    minProperties: 1,
    properties: {
      repositories: { description: 'Globs for context.repository, such as github.com/acme/*', ...TEXTS },
      hosts: { description: 'Agents by name', ...LIST, items: { enum: HOST_NAMES } },
      agents: { description: 'Globs for context.agent', ...TEXTS },
    },
  };
}

/** Paths from the file to the parts that hold everywhere, whatever `applies_to` says. */
const EVERYWHERE: readonly YamlPath[] = [
  ...EVERYWHERE_SECTIONS.map((key) => [key]),
  ['defaults', 'unmatched'],
  ['defaults', 'on_error'],
];

/** The parts of a file with `applies_to` that would hold elsewhere too. */
export function unscopedParts(file: JsonObject): readonly YamlPath[] {
  if (!Object.hasOwn(file, 'applies_to')) return [];
  return EVERYWHERE.filter((path) => atPath(file, path) !== undefined);
}

/** A file whose policies have the `applies_to` of the file themselves, as a last condition of `all`. */
export function withAppliesTo(file: Json): Json {
  const policies = isJsonObject(file) ? own(file, 'policies') : undefined;
  const scope = isJsonObject(file) ? ownObject(file, 'applies_to') : undefined;
  if (!isJsonObject(file) || scope === undefined || !Array.isArray(policies)) return file;
  const conditions = [
    ...globConditions('repository', own(scope, 'repositories')),
    ...hostConditions(own(scope, 'hosts')),
    ...globConditions('agent', own(scope, 'agents')),
  ];
  if (conditions.length === 0) return file;
  const scoped = (policy: Json): Json => {
    if (!isJsonObject(policy)) return policy;
    const all = own(policy, 'all') ?? [];
    // A value that is no list is an error of the policy, and is reported as its author wrote it.
    return Array.isArray(all) ? { ...policy, all: [...all, ...conditions] } : policy;
  };
  return { ...file, policies: policies.map(scoped) };
}

/** Names that no host has are an error of the section alone. */
function hostConditions(written: Json | undefined): readonly JsonObject[] {
  const hosts = Array.isArray(written)
    ? written.filter((name: Json) => HOST_NAMES.includes(String(name)))
    : [];
  return hosts.length === 0 ? [] : [{ hosts }];
}

function globConditions(key: string, globs: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(globs)) return [];
  const [only, ...others] = globs.map((glob: Json): JsonObject => ({ context: { [key]: { glob } } }));
  if (only === undefined) return [];
  return [others.length === 0 ? only : { any: [only, ...others] }];
}

/** The hosts that a policy names, itself or in `all`, where `applies_to` puts those of its file. */
export function hostsNamed(when: JsonObject): readonly Json[] | undefined {
  const parts = [when, ...[own(when, 'all') ?? []].flat().filter(isJsonObject)];
  const lists = parts.map((part) => own(part, 'hosts')).filter((list) => Array.isArray(list));
  const [first, ...others] = lists;
  return first?.filter((name) => others.every((list) => list.includes(name)));
}
