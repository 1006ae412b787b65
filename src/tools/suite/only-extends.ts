import type { CompiledFiles } from '../../language/policy/compile/compile-files.ts';
import type { SuitePlan } from './suite-plan.ts';

/** True for a folder without tests whose files have no policy of their own, and extend those of others. */
export function onlyExtends({ policyFiles, testFiles }: SuitePlan, { program }: CompiledFiles): boolean {
  const isOwn = (file: string) => policyFiles.includes(file);
  return (
    testFiles.length === 0 &&
    program.rules.length > 0 &&
    !program.rules.some(({ position }) => isOwn(position.file))
  );
}
