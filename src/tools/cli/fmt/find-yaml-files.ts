import { resolve } from 'node:path';
import { displayPath, kindOf } from '../../../language/policy/files/folders.ts';
import { UsageError } from '../io.ts';
import { listFiles } from '../list-files.ts';
import { policyFolder } from '../policy-place.ts';

export interface YamlFile {
  readonly path: string;
  /** As messages name it. */
  readonly file: string;
  /** False if it was found in a folder: then it may be something else. */
  readonly isNamed: boolean;
}

/**
 * The YAML files that are named, and those below the folders that are; without any, those of the project's policies.
 *
 * @throws UsageError if a path does not exist or has no YAML files
 */
export function findYamlFiles(operands: readonly string[], cwd: string): readonly YamlFile[] {
  const found = new Map<string, YamlFile>();
  for (const operand of operands.length > 0 ? operands : [defaultFolder(cwd)]) {
    const path = resolve(cwd, operand);
    const files = filesAt(operand, path);
    for (const each of files) {
      found.set(each, { path: each, file: displayPath(each, cwd), isNamed: each === path });
    }
  }
  return [...found.values()];
}

function defaultFolder(cwd: string): string {
  const folder = policyFolder(cwd);
  if (folder === undefined)
    throw new UsageError(
      'Cannot find a folder .policy or policies here, nor .policy above: name files or folders',
    );
  return folder;
}

function filesAt(operand: string, path: string): readonly string[] {
  switch (kindOf(path)) {
    case 'file':
      return [path];
    case 'folder': {
      const files = listFiles(path, 'format').filter((each) => /\.ya?ml$/.test(each));
      if (files.length === 0) throw new UsageError(`Cannot format "${operand}": it has no YAML files`);
      return files;
    }
    case 'missing':
      throw new UsageError(`Cannot format "${operand}": there is no such file or folder`);
    default:
      throw new UsageError(`Cannot format "${operand}": it cannot be read`);
  }
}
