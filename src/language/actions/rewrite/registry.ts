import type { RewriteForm } from '../action-spec.ts';
import { addMessages } from './add-messages.ts';
import { addTools } from './add-tools.ts';
import { allowTools } from './allow-tools.ts';
import { dropToolCalls } from './drop-tool-calls.ts';
import { editToolCalls } from './edit-tool-calls.ts';
import { flags } from './flags.ts';
import { messages } from './messages.ts';
import { mode } from './mode.ts';
import { model } from './model.ts';
import { options } from './options.ts';
import { program } from './program.ts';
import { redact } from './redact.ts';
import { remove } from './remove.ts';
import { removeTools } from './remove-tools.ts';
import { renameTool } from './rename-tool.ts';
import { replace } from './replace.ts';
import { set } from './set.ts';
import { subcommand } from './subcommand.ts';
import { systemPrompt } from './system-prompt.ts';
import { truncate } from './truncate.ts';

/**
 * Every form of `rewrite`, in the order in which those of one policy are carried out: what adds before what takes
 * away, the program before its flags, and redaction before a cut that could leave half a secret.
 */
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

/** The form of a key, or undefined if there is none. */
export function rewriteForm(key: string): RewriteForm | undefined {
  return BY_KEY.get(key);
}
