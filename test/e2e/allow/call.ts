import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from '../../../src/hosts/registry.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { answerIn } from '../hook/in-process.ts';
import { messageText } from '../hook/messages.ts';
import type { Workplace } from '../hook/workplace.ts';

/** How a call is sent to the hook of Gemini CLI. */
export interface CallOptions {
  readonly tool?: string;
  readonly arguments?: JsonObject;
  readonly session?: string;
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What becomes of a shell command, or another call, in the project's folder. */
export async function call(
  place: Workplace,
  command: string,
  options: CallOptions = {},
): Promise<'refused' | 'passed'> {
  const host = HOSTS.find(({ name }) => name === 'gemini');
  if (host === undefined) throw new Error('there is no such host');
  const input = messageText(host, {
    on: 'before_tool',
    tool: options.tool ?? 'shell',
    arguments: options.arguments ?? { command },
    context: { cwd: options.cwd ?? place.project, session: options.session ?? 's1' },
  });
  const said = await answerIn(place, ['--host', 'gemini', ...(options.args ?? [])], input, {
    env: options.env ?? {},
  });
  return JSON.parse(said.stdout).decision === 'deny' ? 'refused' : 'passed';
}

/** The code of a refused call, from where it is kept: nobody but a person at a terminal is shown it. */
export function keptCode(place: Workplace): string | undefined {
  const folder = join(place.state, 'allow/refused');
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  if (name === undefined) return undefined;
  return JSON.parse(readFileSync(join(folder, name), 'utf8').split('\n')[1] ?? '').code;
}
