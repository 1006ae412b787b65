import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { answerIn } from '../hook/in-process.ts';
import { callText } from '../hook/messages.ts';
import type { Workplace } from '../hook/workplace.ts';

/** Why the hook refuses a shell command; empty if it passes. */
export async function reasonOf(place: Workplace, command: string): Promise<string> {
  const { stdout } = await answerIn(place, ['--host', 'gemini'], callText(gemini, command, place.project));
  const { decision, reason = '' } = JSON.parse(stdout) as { decision?: string; reason?: string };
  return decision === 'deny' ? reason : '';
}

/** Where the files of sources are kept. */
export function sourcesOf({ state }: Workplace): string {
  return join(state, 'sources');
}
