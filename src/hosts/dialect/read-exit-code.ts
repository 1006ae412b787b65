import { asObject, own, ownObject, parseJson } from '../../lib/json.ts';
import type { AnswerEffect, HookAnswer } from '../installation.ts';

/** Reads an answer as a host that takes exit code 2 with a word on stderr, or the dialect's answers, for a refusal. */
export function readExitCode({ stdout, stderr, exitCode }: HookAnswer): AnswerEffect {
  if (exitCode === 2 && stderr.trim() !== '') return 'refused';
  if (exitCode !== 0) return 'passes';
  const output = parseJson(stdout);
  const specific = ownObject(asObject(output), 'hookSpecificOutput') ?? {};
  return own(specific, 'permissionDecision') === 'deny' ? 'refused' : 'passes';
}
