import { join } from 'node:path';
import { answerIn } from '../hook/in-process.ts';
import type { Workplace } from '../hook/workplace.ts';

/** Why the hook refuses a shell command; empty if it passes. */
export async function reasonOf(place: Workplace, command: string): Promise<string> {
  const input = JSON.stringify({
    hook_event_name: 'BeforeTool',
    session_id: 's',
    transcript_path: '',
    cwd: place.project,
    timestamp: '2026-11-20T09:38:00Z',
    tool_name: 'run_shell_command',
    tool_input: { command },
  });
  const { stdout } = await answerIn(place, ['--host', 'gemini'], input);
  const { decision, reason = '' } = JSON.parse(stdout) as { decision?: string; reason?: string };
  return decision === 'deny' ? reason : '';
}

/** Where the files of sources are kept. */
export function sourcesOf({ state }: Workplace): string {
  return join(state, 'sources');
}
