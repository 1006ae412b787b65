import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../../lib/json.ts';
import type { Diagnostic, Position } from '../../../model/diagnostic.ts';
import { isListType, typeProblem } from '../schema/parameter-types.ts';
import type { May } from '../schema/parameters-schema.ts';
import { problem } from '../yaml/problem.ts';
import type { YamlDocument, YamlPath } from '../yaml/yaml.ts';

/** A parameter as its file declares it. */
export interface ParameterDraft {
  /** Without the name of its file. */
  readonly name: string;
  readonly type: string;
  readonly default: Json;
  readonly may: May;
  readonly position: Position;
}

/** A value that a file gives a parameter of another file. */
export interface SettingDraft {
  /** `file-name/parameter`. */
  readonly parameter: string;
  readonly value: Json;
  readonly position: Position;
}

/** The parameters of a file that has passed the schema, and what is wrong with them. */
export function readParameters(
  { document, root, refused }: SoundFile,
  diagnostics: Diagnostic[],
): readonly ParameterDraft[] {
  return entriesIn(root, 'parameters', refused).flatMap(([name, declared]) => {
    if (!isJsonObject(declared)) return [];
    const type = ownString(declared, 'type') ?? '';
    const value = own(declared, 'default') ?? null;
    const may = (ownString(declared, 'may') ?? 'nothing') as May;
    const at = (key: string) => document.positionOf(['parameters', name, key], 'value');
    const wrong = typeProblem(value, type);
    if (wrong !== undefined)
      diagnostics.push(problem('parameter', at('default'), `Cannot use the default of "${name}": ${wrong}`));
    if (may === 'extend' && !isListType(type)) {
      const hint = `write may: replace, or type: list of ${type}s`;
      diagnostics.push(problem('parameter', at('may'), `Cannot extend "${name}": it is not a list`, hint));
    }
    return [{ name, type, default: value, may, position: document.positionOf(['parameters', name], 'key') }];
  });
}

/** What a file that has passed the schema sets, and what is wrong with that. */
export function readSettings(
  { document, root, refused }: SoundFile,
  diagnostics: Diagnostic[],
): readonly SettingDraft[] {
  return entriesIn(root, 'settings', refused).flatMap(([parameter, value]) => {
    const path = ['settings', parameter];
    if (parameter.includes('/')) return [{ parameter, value, position: document.positionOf(path, 'value') }];
    const message = `Cannot set "${parameter}": it does not say whose parameter it is`;
    const hint = `write file-name/${parameter}`;
    diagnostics.push(problem('parameter', document.positionOf(path, 'key'), message, hint));
    return [];
  });
}

interface SoundFile {
  readonly document: YamlDocument;
  readonly root: JsonObject;
  /** Paths that the schema has refused. */
  readonly refused: readonly YamlPath[];
}

function entriesIn(
  root: JsonObject,
  section: 'parameters' | 'settings',
  refused: readonly YamlPath[],
): readonly (readonly [string, Json])[] {
  const isRefused = (name: string) =>
    refused.some((path) => path[0] === section && (path.length < 2 || path[1] === name));
  return Object.entries(ownObject(root, section) ?? {}).filter(([name]) => !isRefused(name));
}
