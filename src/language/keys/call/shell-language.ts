import { driveOf } from '../../../lib/path/drive-path.ts';
import type { ToolCall } from '../../../model/event.ts';
import type { ReadingContext } from '../../../reader/reading/reading.ts';

/** The language that a tool's commands are in. The system's shell is PowerShell where folders lie on drives. */
export function languageOf(
  tool: Pick<ToolCall, 'shell'> | undefined,
  cwd: string | undefined,
): ReadingContext['language'] {
  if (tool?.shell !== 'system') return tool?.shell ?? 'sh';
  return driveOf(cwd ?? '') === undefined ? 'sh' : 'powershell';
}
