import type { Diagnostic, SpecProblem } from '../../../model/diagnostic.ts';
import { problem } from './problem.ts';
import type { YamlDocument, YamlPath } from './yaml.ts';

/** The problems of a part of a file. */
export function problemsAt(
  document: YamlDocument,
  base: YamlPath,
  found: readonly SpecProblem[],
): readonly Diagnostic[] {
  return found.map(({ code, path, at = 'value', message, hint }) =>
    problem(code, document.positionOf([...base, ...path], at), message, hint),
  );
}
