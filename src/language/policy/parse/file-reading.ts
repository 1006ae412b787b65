import {
  isJsonObject,
  type Json,
  type JsonObject,
  ownItems,
  ownObject,
  ownString,
} from '../../../lib/json.ts';
import type { Diagnostic, Position } from '../../../model/diagnostic.ts';
import { ownerName } from '../schema/policy-names.ts';
import { problem } from '../yaml/problem.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';
import type { Allowance } from './allowance.ts';
import type { Named } from './file-draft.ts';
import { MAX_POLICY_COST, policyCost } from './policy-cost.ts';

export interface FileReading {
  readonly document: YamlDocument;
  readonly root: JsonObject;
  readonly name: string;
  readonly refused: readonly YamlPath[];
  readonly allowance: Allowance | undefined;
  readonly diagnostics: Diagnostic[];
}

/** The entries of a section of which the schema has refused nothing. */
export function entriesIn(
  { root, refused }: FileReading,
  section: 'facts' | 'judges' | 'parameters' | 'settings',
): readonly (readonly [name: string, value: Json])[] {
  const isRefused = (name: string) =>
    refused.some((path) => path[0] === section && (path.length < 2 || path[1] === name));
  return Object.entries(ownObject(root, section) ?? {}).filter(([name]) => !isRefused(name));
}

/** Takes the cost of the patterns in a part of a file; false, with a diagnostic, if that is too much. */
export function takeCost(part: string, { allowance, diagnostics }: FileReading) {
  return (written: JsonObject, position: Position): boolean => {
    const cost = policyCost(written);
    if (allowance?.take('cost', cost, position, diagnostics) === false) return false;
    if (cost <= MAX_POLICY_COST) return true;
    const message = `Cannot use the ${part}: its patterns are too large together`;
    diagnostics.push(problem('bad-value', position, message, 'repeat less in its patterns'));
    return false;
  };
}

/** A policy or tool with its place and the parts that the schema has refused. */
interface Item {
  readonly object: JsonObject;
  readonly base: YamlPath;
  /** From the item on. */
  readonly refused: readonly YamlPath[];
  /** Another one before it has its id. */
  readonly isTaken: boolean;
}

/** The policies or tools that can be looked at, one by one. */
export function* itemsIn(
  reading: FileReading,
  section: 'policies' | 'tools',
  idKey: 'id' | 'name',
): Generator<Item> {
  const { document, root, diagnostics } = reading;
  const refused = refusedByItem(reading.refused, section);
  const seen = new Map<string, number>();
  for (const [index, object] of ownItems(root, section).entries()) {
    const base = [section, index];
    if (!isJsonObject(object)) continue;
    const taken = duplicates(ownString(object, idKey), [...base, idKey], section, seen, document);
    diagnostics.push(...taken);
    const cost = policyCost(object);
    if (reading.allowance?.take('cost', cost, document.positionOf(base, 'value'), diagnostics) === false)
      return;
    if (cost > MAX_POLICY_COST) {
      const message = `Cannot use ${ownerName(root, base)}: its patterns and schemas are too large together`;
      const hint = 'split it, or repeat less in its patterns';
      diagnostics.push(problem('bad-value', document.positionOf(base, 'value'), message, hint));
    } else yield { object, base, refused: refused.get(index) ?? [], isTaken: taken.length > 0 };
  }
}

export function refusedByItem(
  refused: readonly YamlPath[],
  section: string,
): ReadonlyMap<number, readonly YamlPath[]> {
  const byItem = new Map<number, YamlPath[]>();
  for (const [first, index, ...rest] of refused) {
    if (first !== section || typeof index !== 'number') continue;
    const paths = byItem.get(index);
    if (paths === undefined) byItem.set(index, [rest]);
    else paths.push(rest);
  }
  return byItem;
}

function duplicates(
  id: string | undefined,
  path: YamlPath,
  section: 'policies' | 'tools',
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
  const message = `Cannot name two ${section} "${id}" in one file`;
  return [problem('duplicate-id', position, message, `the first is in line ${line}`)];
}

export function namedIn(
  { document, root, refused }: FileReading,
  key: 'extends' | 'disable',
): readonly Named[] {
  return ownItems(root, key).flatMap((text, index) => {
    const isRefused = refused.some((path) => path[0] === key && path[1] === index);
    if (typeof text !== 'string' || isRefused) return [];
    return [{ text, position: document.positionOf([key, index], 'value') }];
  });
}
