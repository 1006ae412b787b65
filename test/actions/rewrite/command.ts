import { RewriteError } from '../../../src/language/actions/rewrite/paths.ts';
import { rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import { type Json, ownObject } from '../../../src/lib/json.ts';
import { readCommand } from '../../../src/reader/commands/read-command.ts';
import type { Reading } from '../../../src/reader/reading/reading.ts';
import { deepFreeze, rewriteInput } from '../input.ts';

/** A command after a rewrite, or the error's message after `! `. */
export function rewritten(form: string, spec: Json, command: string): string {
  const subject = deepFreeze({ tool: 'exec', arguments: { command } });
  const input = rewriteInput('before_tool', subject);
  try {
    const changed = rewriteForm(form)?.apply(spec, subject, input) ?? {};
    return String(ownObject(changed, 'arguments')?.['command']);
  } catch (error) {
    if (error instanceof RewriteError) return `! ${error.message}`;
    throw error;
  }
}

/** True for what `rewritten` gives if the rewrite cannot be carried out. */
export function isRefused(result: string): boolean {
  return result.startsWith('! Cannot ');
}

/** Reads a command where the rewrites of these tests read it. */
export function readHere(command: string): Reading {
  return readCommand(command, rewriteInput('before_tool', {}).place());
}
