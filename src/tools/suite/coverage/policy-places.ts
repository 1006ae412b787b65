import { parseYaml, type YamlPath } from '../../../language/policy/yaml/yaml.ts';
import { isJsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import type { Position } from '../../../model/diagnostic.ts';
import { factName } from '../../../model/history.ts';
import type { FactRow, Rule } from '../../../model/policy.ts';
import { localId, plainId } from '../../../model/rule-id.ts';

/** Finds the parts of policies in the text of their file. */
export interface PolicyPlaces {
  /** The position of a part of a policy; the policy itself if the part is not written there. */
  readonly positionOf: (rule: Rule, path: YamlPath, what: 'key' | 'value') => Position;
  /** The position of a part of a fact; the fact itself if the part is not written there. */
  readonly positionOfFact: (fact: FactRow, path: YamlPath, what: 'key' | 'value') => Position;
}

/** Reads the text of a file that has compiled. */
export function policyPlaces(text: string, file: string): PolicyPlaces {
  const { document } = parseYaml(text, file);
  const bases = new Map<string, YamlPath>();
  const root = document?.value;
  for (const [section, key] of [
    ['policies', 'id'],
    ['tools', 'name'],
  ] as const) {
    const list = isJsonObject(root) ? own(root, section) : undefined;
    if (!Array.isArray(list)) continue;
    for (const [index, item] of list.entries()) {
      const id = isJsonObject(item) ? ownString(item, key) : undefined;
      if (id !== undefined) bases.set(section === 'tools' ? `${id}:` : id, [section, index]);
    }
  }
  return {
    positionOf: (rule, path, what) => {
      const base = bases.get(placeName(rule));
      return document === undefined || base === undefined
        ? rule.position
        : document.positionOf([...base, ...path], what);
    },
    positionOfFact: ({ id, position }, path, what) => {
      const name = localId(factName(id));
      const isNamed = isJsonObject(root) && Object.hasOwn(ownObject(root, 'facts') ?? {}, name);
      return document === undefined || !isNamed
        ? position
        : document.positionOf(['facts', name, ...path], what);
    },
  };
}

/** True for the rules that make a plugin tool. */
export function isToolRule({ id }: Rule): boolean {
  return plainId(id).includes(':');
}

/** A policy's id, or a tool's name with a colon. */
function placeName({ id }: Rule): string {
  const local = localId(id);
  const colon = local.indexOf(':');
  return colon === -1 ? local : local.slice(0, colon + 1);
}
