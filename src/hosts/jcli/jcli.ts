import type { JsonObject } from '../../lib/json.ts';
import { cleanLine, type HookStart, startText } from '../clean-start.ts';
import type { Host } from '../host.ts';
import type { Installation } from '../installation.ts';
import { namesEvent } from '../recognise.ts';
import { compose } from './compose.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { EVENTS } from './events.ts';
import { GENERATIONS, generationOf, refusesByAbort } from './generation.ts';
import { recallReason, rememberReason } from './pending-reasons.ts';
import { refuse } from './refuse.ts';
import { supportsIn } from './supports.ts';
import { TOOLS } from './tools.ts';

/** jcli (`j`): one JSON object on stdin, one on stdout, for each event a process. Facts as of 12.11. */
export const jcli = {
  name: 'jcli',
  title: 'jcli',
  facts: 'measured on 12.11',
  framing: 'document',
  timeoutS: () => 10,
  versions: GENERATIONS,
  events: EVENTS,
  supports: supportsIn,
  versionOf: ({ raw }, setting) => generationOf(setting, raw),
  tools: TOOLS,
  // A result comes without arguments and errors; the failure is about calls that have not run.
  results: { by: 'tool', unmarked: ['unknown', 'not_run'] },
  /** These files decide which hooks run, which of them are off, and which calls jcli allows on its own. */
  guards: {
    paths: [
      '**/.jcli/**',
      '**/HOOK.{yaml,yml}',
      '**/agent_config.json',
      '~/.jdata/agent/{hooks.yaml,hooks/**,data/agent_config.json}',
      '**/.jdata/agent/{hooks.yaml,hooks/**,data/agent_config.json}',
    ],
    notes: ['**/.jcli/{skills,agents,commands}/**/*.md'],
    instructions: ['**/.jcli/{skills,agents,commands}/**/*.md'],
    moved: { $J_DATA_PATH: '~/.jdata' },
    escapes: { programs: ['jcli', 'j'] },
  },
  recognise: (message) => namesEvent(message, EVENTS, 'event'),
  decode,
  encode,
  refuse,
  recall: recallReason,
  remember: rememberReason,
  compose,
  hookConfiguration,
  installation: async (): Promise<Installation> => (await import('./installation.ts')).installationFor(jcli),
  sessions: async () => (await import('./sessions.ts')).sessions,
} satisfies Host;

/** jcli's own: the event, which tells A from C and names the event of a broken message, and the folder of its hooks. */
const KEPT = ['JCLI_HOOK_EVENT', 'J_DATA_PATH'];

/** If the hook is gone, the line prints an answer that depends on the generation, so the line names it. */
function hookConfiguration(start: HookStart): JsonObject {
  const { variables, version } = start;
  const generation = generationOf({ version, env: {}, cwd: '/', interactive: false }, undefined);
  const refusal = refusesByAbort(generation) ? '{\\"abort\\":true}' : '{\\"action\\":\\"skip\\"}';
  const script = `${startText(start, 'jcli', ` --host-version ${generation}`)} | grep }$`;
  return { command: cleanLine(`${script} || echo ${refusal}`, variables, KEPT), timeout: 10 };
}
