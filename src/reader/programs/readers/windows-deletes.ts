import { knownText } from '../../reading/word.ts';
import type { ProgramReader } from '../../shell/scope/walker.ts';

/** `rd /s /q folder`, `del /s *.obj`: what begins with a slash is a switch. */
const deleteBySwitches: ProgramReader = (call, walker) => {
  const isSwitch = (text: string | undefined) => text !== undefined && /^\/[a-z](?::\S*)?$/i.test(text);
  const texts = call.args.map(({ word }) => knownText(word));
  if (!texts.some(isSwitch)) return undefined;
  const recursive = texts.some((text) => text?.toLowerCase() === '/s');
  call.command.effects = call.command.effects.filter(({ type }) => type !== 'path');
  call.args.forEach(({ word, span }, at) => {
    if (!isSwitch(texts[at])) walker.path(call.command, 'delete', word, { recursive, span });
  });
  return undefined;
};

export const WINDOWS_DELETE_READERS: Readonly<Record<string, ProgramReader>> = {
  del: deleteBySwitches,
  erase: deleteBySwitches,
  rd: deleteBySwitches,
  rmdir: deleteBySwitches,
};
