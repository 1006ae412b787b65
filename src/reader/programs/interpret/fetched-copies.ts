import { baseName, inFolder } from '../../reading/path.ts';
import { readRemotePath } from '../../reading/url.ts';
import { knownText, unknownWord } from '../../reading/word.ts';
import type { Call, Operand } from '../../shell/scope/interpreter.ts';

/** Containers are set up from here: files out of one are no more foreign than others. */
const LOCAL_SCHEMES: readonly string[] = ['docker', 'kubernetes'];

/** Records copies of fetched files: in the named file, under their names in that folder, or anywhere below. */
export function keepFetchedCopies(
  call: Call,
  operands: readonly Operand[],
  scheme: string,
  recursive: boolean,
): void {
  const { interpreter } = call;
  const target = operands.at(-1)?.word;
  if (target === undefined || operands.length < 2 || LOCAL_SCHEMES.includes(scheme)) return;
  if (knownText(target) === '-' || readRemotePath(target) !== undefined) return;
  for (const { word } of operands.slice(0, -1)) {
    const remote = readRemotePath(word);
    if (remote === undefined) continue;
    const content = unknownWord('what is fetched', [{ type: 'network', source: word }]);
    const copy = inFolder(target, baseName(remote.path));
    interpreter.keepFile(call, target, content);
    interpreter.keepFile(call, copy, content);
    if (recursive) for (const folder of [target, copy]) interpreter.keepTree(call, folder, content);
  }
}
