import { commandTextsOf, isCommandArgument, runnerText } from '../../../lib/command-argument.ts';
import type { Json } from '../../../lib/json.ts';
import { atPath } from '../../../lib/json-path.ts';
import { checkTime } from '../../../lib/time-limit.ts';
import type { ArgumentPath, ToolCall } from '../../../model/event.ts';
import { argumentValues } from '../arguments/values.ts';

/** A command text as it is in the arguments of a call. */
export interface WrittenCommand {
  readonly text: string;
  /** True if it may be no command at all. */
  readonly uncertain: boolean;
  /** The arguments that say where it runs; undefined for all of the call. */
  readonly directories: readonly Json[] | undefined;
}

/** The command texts of a shell call. `complete` is false if there may be more, because the arguments cannot be read. */
export function writtenCommands(call: ToolCall): {
  readonly written: readonly WrittenCommand[];
  readonly complete: boolean;
} {
  if (call.arguments === undefined) return { written: [], complete: false };
  return call.commands === undefined ? declared(call) : possible(call, call.arguments);
}

/** A tool that is known has one argument for its command, which is a text. */
function declared(call: ToolCall): ReturnType<typeof writtenCommands> {
  const values = argumentValues(call, ['command']);
  const words = argumentValues(call, ['args']);
  const texts = values.map((value) => commandTextsOf(value, words));
  return {
    written: texts.flatMap((each = []) =>
      each.map((text) => ({ text, uncertain: false, directories: undefined })),
    ),
    complete:
      call.unsure !== true && values.every(isCommandArgument) && texts.every((each) => each !== undefined),
  };
}

/** Characters of all commands of a call, those that are in several of them counted each time. */
const MAX_CHARS = 1 << 22;

function possible(
  { commands = [], unsure, extraArguments }: ToolCall,
  args: Json,
): ReturnType<typeof writtenCommands> {
  const valuesAt = (paths: readonly ArgumentPath[]) => paths.flatMap((path) => atPath(args, path) ?? []);
  const meant = extraArguments?.['command'];
  const written: WrittenCommand[] =
    meant === undefined ? [] : [{ text: meant, uncertain: false, directories: undefined }];
  let complete = unsure !== true;
  let chars = 0;
  for (const { at, words, directories, uncertain, runner } of commands) {
    checkTime();
    const own = directories.length === 0 ? undefined : valuesAt(directories);
    const beside = words.map((path) => atPath(args, path) ?? null);
    const texts = commandTextsOf(atPath(args, at) ?? null, beside);
    if (texts === undefined) complete = false;
    for (const each of texts ?? []) {
      const text = runner === undefined ? each : runnerText(runner, each);
      written.push({ text, uncertain, directories: own });
      chars += text.length;
    }
    if (chars > MAX_CHARS) return { written, complete: false };
  }
  return { written, complete };
}
