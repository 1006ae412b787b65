import { isJsonObject, own, ownString } from '../../../lib/json.ts';
import { isListType, typeProblem } from '../schema/parameter-types.ts';
import type { Permission } from '../schema/parameters-schema.ts';
import { problem } from '../yaml/problem.ts';
import type { ParameterDraft, SettingDraft } from './file-draft.ts';
import { entriesIn, type FileReading } from './file-reading.ts';

/** The parameters of a file that has passed the schema; their problems go to the diagnostics. */
export function readParameters(reading: FileReading): readonly ParameterDraft[] {
  const { document, diagnostics } = reading;
  return entriesIn(reading, 'parameters').flatMap(([name, declared]) => {
    if (!isJsonObject(declared)) return [];
    const type = ownString(declared, 'type') ?? '';
    const value = own(declared, 'default') ?? null;
    const may = (ownString(declared, 'may') ?? 'nothing') as Permission;
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

/** Reads the settings of a file that has passed the schema, and reports their faults. */
export function readSettings(reading: FileReading): readonly SettingDraft[] {
  const { document, diagnostics } = reading;
  return entriesIn(reading, 'settings').flatMap(([parameter, value]) => {
    const path = ['settings', parameter];
    if (parameter.includes('/')) return [{ parameter, value, position: document.positionOf(path, 'value') }];
    const message = `Cannot set "${parameter}": it does not say whose parameter it is`;
    const hint = `write file-name/${parameter}`;
    diagnostics.push(problem('parameter', document.positionOf(path, 'key'), message, hint));
    return [];
  });
}
