import { isJsonObject, itemsOf, type JsonObject, own, ownString } from '../../lib/json.ts';
import type { Position } from '../../model/diagnostic.ts';
import type { Rule } from '../../model/policy.ts';
import { localId } from '../../model/rule-id.ts';
import { parseYaml, type YamlDocument, type YamlPath } from '../policy/yaml/yaml.ts';

/** A policy as its author wrote it. */
export interface PolicySource {
  readonly file: string;
  readonly text: string;
  /** Leads from the file to the policy. */
  readonly base: YamlPath;
  readonly written: JsonObject;
  /** The position of a part of the policy. */
  readonly positionOf: (path: YamlPath, what: 'key' | 'value') => Position;
}

/** Finds policies in the texts of their files. */
export type SourceLookup = (rule: Rule) => PolicySource | undefined;

/** Reads each file once, when it is first asked for. */
export function createSourceLookup(texts: ReadonlyMap<string, string>): SourceLookup {
  const files = new Map<string, ReadonlyMap<string, PolicySource>>();
  return (rule) => {
    const { file } = rule.position;
    const text = texts.get(file);
    if (text === undefined) return undefined;
    const known = files.get(file) ?? sourcesIn(text, file);
    files.set(file, known);
    return known.get(localId(rule.id));
  };
}

function sourcesIn(text: string, file: string): ReadonlyMap<string, PolicySource> {
  const { document } = parseYaml(text, file);
  const sources = new Map<string, PolicySource>();
  const root = document?.value;
  const list = isJsonObject(root) ? own(root, 'policies') : undefined;
  if (document === undefined || !Array.isArray(list)) return sources;
  for (const [index, written] of list.entries()) {
    const id = isJsonObject(written) ? ownString(written, 'id') : undefined;
    if (isJsonObject(written) && id !== undefined && !sources.has(id)) {
      sources.set(id, sourceOf(document, text, file, written, ['policies', index]));
    }
  }
  return sources;
}

/** The place in `applies_to` of a condition that it has added to `all`. */
function scopePath(path: YamlPath, written: JsonObject): YamlPath | undefined {
  const [all, index, branch, at] = path;
  const count = itemsOf(own(written, 'all')).length;
  if (all !== 'all' || typeof index !== 'number' || index < count) return undefined;
  const key = path.includes('repository') ? 'repositories' : path.includes('agent') ? 'agents' : 'hosts';
  return ['applies_to', key, branch === 'any' && typeof at === 'number' ? at : 0];
}

function sourceOf(
  document: YamlDocument,
  text: string,
  file: string,
  written: JsonObject,
  base: YamlPath,
): PolicySource {
  return {
    file,
    text,
    base,
    written,
    positionOf: (path, what) => document.positionOf(scopePath(path, written) ?? [...base, ...path], what),
  };
}
