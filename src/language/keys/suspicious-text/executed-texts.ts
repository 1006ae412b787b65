import type { ToolCall } from '../../../model/event.ts';
import { argumentValues, textsOf } from '../arguments/values.ts';

/** The arguments that are carried out as they are; texts such as a file's content may hold anything. */
const CARRIED_OUT: readonly (readonly string[])[] = [['command'], ['path'], ['url']];

export function executedTexts(call: ToolCall): readonly string[] {
  return CARRIED_OUT.flatMap((path) => argumentValues(call, path).flatMap(textsOf));
}
