import { takeChars } from '../../reading/bounds.ts';
import { TOOL_VARIABLE } from '../../reading/command-variable.ts';
import type { Span } from '../../reading/reading.ts';
import { EMPTY_WORD, originsOf, showWord, type Word } from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import type { Call } from '../../shell/scope/interpreter.ts';
import { filesOf } from '../../shell/scope/scope.ts';

/** Variables that name files which a program loads before it does anything else; others name tools. */
const LOADED = /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|MAKEFILES)$/;

/** Notes which of the files that a command runs or loads the script has fetched or decoded. */
export function noteFetchedRuns(call: Call): void {
  const { command, frame } = call;
  if (filesOf(frame.scope).contents.size === 0 && filesOf(frame.scope).trees.size === 0) return;
  for (const effect of [...command.effects])
    if (effect.type === 'path' && effect.use === 'execute') noteFetchedRun(call, effect.written, effect.span);
  for (const { name, value } of command.assignments)
    if (LOADED.test(name) || TOOL_VARIABLE.test(name)) noteFetchedRun(call, value, command.span);
}

/** Notes that a file is run, if it was fetched or decoded and nothing says so yet. */
export function noteFetchedRun(call: Call, file: Word, span: Span): void {
  const { interpreter } = call;
  const origins = originsOf(interpreter.fileAt(call, file) ?? EMPTY_WORD);
  const { effects } = call.command;
  if (origins.length === 0 || !takeChars(interpreter.budget, effects.length)) return;
  const said = new Set(
    effects.map((effect) => (effect.type === 'remote_code' ? showWord(effect.source ?? []) : undefined)),
  );
  const news = origins.filter(({ source }) => !said.has(showWord(source)));
  addRemoteCode(call.command, news, span, interpreter);
}
