import type { RewriteForm } from '../action-spec.ts';
import { replace, truncate } from './cut.ts';
import { flags } from './flags.ts';
import { addMessages, messages } from './messages.ts';
import { program } from './program.ts';
import { redact } from './redact.ts';
import { mode, model, options } from './request.ts';
import { remove, set } from './set.ts';
import { subcommand } from './subcommand.ts';
import { systemPrompt } from './system-prompt.ts';
import { editToolCalls } from './tool-calls.ts';
import { addTools, allowTools, dropToolCalls, removeTools, renameTool } from './tools.ts';

/** Every form of `rewrite` in order: additions before removals, programs before flags, redaction before cuts. */
export const REWRITE_FORMS: readonly RewriteForm[] = [
  model,
  options,
  messages,
  systemPrompt,
  addMessages,
  addTools,
  removeTools,
  mode,
  allowTools,
  renameTool,
  dropToolCalls,
  editToolCalls,
  set,
  remove,
  program,
  subcommand,
  flags,
  replace,
  redact,
  truncate,
];

const BY_KEY = new Map(REWRITE_FORMS.map((form) => [form.key, form]));

export function rewriteForm(key: string): RewriteForm | undefined {
  return BY_KEY.get(key);
}
