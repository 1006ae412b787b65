import type { Host, HostSetting, Reply } from '../../../src/hosts/host.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { isJsonObject, type Json, type JsonObject, own, ownObject } from '../../../src/lib/json.ts';
import type { EventKind } from '../../../src/model/event.ts';
import { GENERATIONS, type GenerationName } from '../jcli/generations.ts';
import { parseHookResult } from '../jcli/hook-result.ts';
import { readDialect } from './dialect-reading.ts';

/** What a host makes of an answer: the effect is prevented, or it happens, changed perhaps. */
export type Reading = 'prevented' | 'happens';

export type Answer = Pick<Reply, 'stdout' | 'stderr'> & { readonly exitCode: number | null };

/** How the tests see a host. */
export interface TestedHost {
  readonly title: string;
  readonly host: Host;
  /** For `--host-version`; undefined for the newest. */
  readonly version?: string;
  /** How its environment shows which of its versions it is. */
  readonly env?: HostSetting['env'];
  /** Kinds of events that a refusal can prevent. */
  readonly preventable: readonly EventKind[];
  /** True if the host takes exit code 2 without a word on stderr for a hook that has failed. */
  readonly needsErrors?: boolean;
  /** What the host makes of an answer to an event. Throws where it would take the hook for broken. */
  readonly read: (kind: EventKind, answer: Answer) => Reading;
}

/** By the names of hosts, which their titles begin with. */
const READINGS: readonly Omit<TestedHost, 'host'>[] = [
  {
    title: 'gemini',
    preventable: ['before_tool', 'after_tool', 'before_llm', 'after_llm', 'before_prompt', 'tool_choice'],
    read: readGemini,
  },
  {
    title: 'jcli',
    preventable: ['before_tool', 'after_tool', 'tool_failure', 'before_llm', 'after_llm', 'before_prompt'],
    env: { JCLI_HOOK_DIR: '' },
    read: readJcli('E'),
  },
  {
    // Of those that refuse in this way the one whose messages say no more than --host-version.
    title: 'jcli of the second generation',
    version: 'B',
    preventable: ['before_tool', 'after_tool', 'before_llm', 'after_llm', 'before_prompt'],
    read: readJcli('B'),
  },
  {
    title: 'picoclaw',
    preventable: ['before_tool', 'approve_tool', 'after_tool', 'before_llm', 'after_llm'],
    read: readPicoclaw,
  },
  {
    title: 'claude',
    preventable: ['before_tool', 'approve_tool', 'after_tool', 'before_prompt'],
    read: readDialect({ replacesResults: true }),
  },
  {
    title: 'codex',
    preventable: ['before_tool', 'approve_tool', 'after_tool', 'before_prompt'],
    needsErrors: true,
    read: readDialect({
      keys: (kind) => [
        ...(kind === 'after_turn' ? ['continue', 'stopReason'] : []),
        'decision',
        'reason',
        'systemMessage',
        'hookSpecificOutput',
        'hookEventName',
        'permissionDecision',
        'permissionDecisionReason',
        'updatedInput',
        'additionalContext',
      ],
      prevents: ['deny'],
      needsErrors: true,
    }),
  },
  {
    title: 'qwen',
    // A permission request that nobody can read is left to the person who is about to be asked.
    preventable: ['before_tool', 'after_tool', 'before_prompt'],
    read: readDialect({ stopsResults: 'without an exit code' }),
  },
  {
    title: 'droid',
    preventable: ['before_tool', 'after_tool', 'before_prompt'],
    read: readDialect({ prevents: ['deny'], stopsResults: 'always' }),
  },
  {
    title: 'opencode',
    preventable: ['before_tool', 'after_tool', 'before_prompt'],
    needsErrors: true,
    read: readDialect({ prevents: ['deny'], needsErrors: true }),
  },
  {
    title: 'openclaw',
    preventable: ['before_tool'],
    needsErrors: true,
    // A question that nobody answers is a refusal.
    read: readDialect({ prevents: ['deny', 'ask'], needsErrors: true }),
  },
  {
    title: 'copilot',
    preventable: ['before_tool', 'approve_tool', 'after_tool', 'before_prompt'],
    read: readCopilot,
  },
  {
    title: 'vscode',
    preventable: ['before_tool', 'after_tool', 'before_prompt'],
    read: readDialect({ stopsResults: 'always' }),
  },
  {
    title: 'devin',
    preventable: ['before_tool', 'approve_tool', 'before_prompt'],
    read: (_kind, { stdout, exitCode }) =>
      exitCode === 2 || own(objectIn(stdout), 'decision') === 'block' ? 'prevented' : 'happens',
  },
  {
    title: 'hermes',
    preventable: ['before_tool'],
    // No exit code counts in every version.
    read: (_kind, { stdout }) => (own(objectIn(stdout), 'decision') === 'block' ? 'prevented' : 'happens'),
  },
  {
    title: 'kimi',
    preventable: ['before_tool', 'before_prompt'],
    needsErrors: true,
    read: readDialect({ prevents: ['deny'], needsErrors: true }),
  },
  { title: 'crush', preventable: ['before_tool'], read: readCrush },
  {
    title: 'grok',
    // A result is replaced by one of its own shape, which a message that cannot be read does not show.
    preventable: ['before_tool', 'before_prompt'],
    read: readDialect({ replacesResults: true }),
  },
  { title: 'goose', preventable: ['before_tool'], read: readGoose },
  { title: 'cline', preventable: ['before_tool'], read: readCline },
  { title: 'kiro', preventable: ['before_tool'], needsErrors: true, read: readExitCodeAlone },
  {
    title: 'antigravity',
    preventable: ['before_tool'],
    // It asks a person by itself; where it always does, nobody is there.
    read: (_, { stdout }) =>
      ['deny', 'force_ask'].includes(JSON.parse(stdout).decision) ? 'prevented' : 'happens',
  },
  {
    title: 'windsurf',
    preventable: ['before_tool', 'before_prompt'],
    needsErrors: true,
    read: readExitCodeAlone,
  },
  { title: 'cursor', preventable: ['before_tool', 'approve_tool', 'before_prompt'], read: readCursor },
];

export const TESTED_HOSTS: readonly TestedHost[] = READINGS.flatMap((reading) =>
  HOSTS.filter(({ name }) => name === reading.title.split(' ')[0]).map((host) => ({ ...reading, host })),
);

/** The host with this title, which for the newest version is its name. */
export function testedHost(title: string): TestedHost {
  const found = TESTED_HOSTS.find((each) => each.title === title);
  if (found === undefined) throw new Error(`no host ${title}`);
  return found;
}

/** Hosts that start a process for each event, each once. */
export const DOCUMENT_HOSTS = TESTED_HOSTS.filter(
  ({ host, version }) => host.framing === 'document' && version === undefined,
);

/**
 * The case that falls to a host where all hosts share cases out among them: for what is decided before any host's own code,
 * so that every case in every host would show nothing new.
 */
export function shareOf<T>(cases: readonly T[], tested: TestedHost): readonly T[] {
  const index = DOCUMENT_HOSTS.indexOf(tested);
  return cases.filter((_, number) => number % DOCUMENT_HOSTS.length === index % cases.length);
}

/** With on_failure all that is no decision refuses a call; other events only listen for a word. */
function readGoose(kind: EventKind, { stdout, stderr, exitCode }: Answer): Reading {
  if (exitCode === 2) return 'prevented';
  const decision = stdout === '' ? undefined : own(objectIn(stdout), 'decision');
  if (stderr !== '') throw new Error(`something on stderr: ${stderr}`);
  if (kind !== 'before_tool') return decision === 'block' ? 'prevented' : 'happens';
  if (decision !== 'allow') throw new Error(`the decision ${JSON.stringify(decision)}`);
  return 'happens';
}

function readCrush(_kind: EventKind, { stdout, exitCode }: Answer): Reading {
  if (exitCode === 2) return 'prevented';
  return ['deny', 'halt'].some((word) => own(objectIn(stdout), 'decision') === word)
    ? 'prevented'
    : 'happens';
}

/** Only its own word ends a run, and no exit code does. */
function readCline(_kind: EventKind, { stdout }: Answer): Reading {
  const output = objectIn(stdout);
  if (own(output, 'cancel') !== true) return 'happens';
  if (typeof own(output, 'errorMessage') !== 'string') throw new Error('no errorMessage');
  return 'prevented';
}

/** An exit code is all that it hears; what is on stderr is what the agent is told. */
function readExitCodeAlone(_kind: EventKind, { stderr, exitCode }: Answer): Reading {
  if (exitCode === 0) return 'happens';
  if (exitCode !== 2 || stderr.trim() === '') throw new Error('no refusal with a reason');
  return 'prevented';
}

/** With failClosed all but a permission refuses; beside exit code 2 words would be the reason. */
function readCursor(kind: EventKind, { stdout, stderr, exitCode }: Answer): Reading {
  const isCall = kind === 'before_tool' || kind === 'approve_tool';
  if (exitCode !== 0 && stdout !== '') throw new Error(`words beside exit code ${exitCode}: ${stdout}`);
  if (exitCode !== 0 || stdout === '') return 'prevented';
  if (stderr !== '') throw new Error(`something on stderr: ${stderr}`);
  const output = objectIn(stdout);
  if (!isCall) return own(output, 'continue') === false ? 'prevented' : 'happens';
  const permission = own(output, 'permission');
  if (permission === 'allow') return 'happens';
  if (permission !== 'deny') throw new Error(`the permission ${JSON.stringify(permission)}`);
  for (const key of ['user_message', 'agent_message'])
    if (typeof own(output, key) !== 'string') throw new Error(`no ${key}`);
  return 'prevented';
}

/** Exit code 2 refuses calls alone; each event has words of its own. */
function readCopilot(kind: EventKind, { stdout, stderr, exitCode }: Answer): Reading {
  if (exitCode === 2) return kind === 'before_tool' || kind === 'approve_tool' ? 'prevented' : 'happens';
  if (exitCode !== 0 || stderr !== '') throw new Error(`exit code ${exitCode}: ${stderr}`);
  const output = objectIn(stdout);
  const [word, reason, ...refusals]: readonly string[] =
    kind === 'before_tool'
      ? ['permissionDecision', 'permissionDecisionReason', 'deny', 'ask']
      : kind === 'approve_tool'
        ? ['behavior', 'message', 'deny']
        : ['decision', 'reason', 'block'];
  if (kind === 'after_tool' && Object.hasOwn(output, 'modifiedResult')) return 'happens';
  if (!refusals.includes(String(own(output, word ?? '')))) return 'happens';
  if (typeof own(output, reason ?? '') !== 'string') throw new Error('no reason');
  return 'prevented';
}

/** stdout is the answer, an object is obeyed whatever the exit code is, other JSON goes on. Silence is no answer of ours. */
function readGemini(kind: EventKind, { stdout, stderr, exitCode }: Answer): Reading {
  if (stderr !== '') throw new Error(`something on stderr: ${stderr}`);
  if (exitCode !== 0 && exitCode !== 2) throw new Error(`exit code ${exitCode}`);
  if (stdout === '') throw new Error('silence looks like a hook that has failed');
  if (stdout === 'null') return 'happens';
  const output = objectIn(stdout);
  if (kind === 'tool_choice') {
    const config = ownObject(ownObject(output, 'hookSpecificOutput') ?? {}, 'toolConfig');
    return config !== undefined && own(config, 'mode') === 'NONE' ? 'prevented' : 'happens';
  }
  const refuses = own(output, 'decision') === 'deny' || own(output, 'continue') === false;
  if (!refuses) return 'happens';
  if (typeof (own(output, 'reason') ?? own(output, 'stopReason')) !== 'string') throw new Error('no reason');
  return 'prevented';
}

/** One slip and the whole answer is thrown away; a stop of the newer generations lets a tool run. */
function readJcli(name: GenerationName): TestedHost['read'] {
  const generation = GENERATIONS[name];
  return (kind, { stdout, exitCode }) => {
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
    if (/(?<!\\)(\\\\)*\\ud[89a-f]/i.test(stdout)) throw new Error('half of a surrogate pair');
    const { halt, texts } = parseHookResult(stdout, generation);
    switch (kind) {
      case 'before_tool':
        return halt === (generation.control === 'abort' ? 'stop' : 'skip') ? 'prevented' : 'happens';
      case 'after_tool':
        return texts.tool_result === undefined ? 'happens' : 'prevented';
      case 'tool_failure':
        return texts.tool_error === undefined ? 'happens' : 'prevented';
      case 'after_llm':
        return halt === 'stop' || texts.assistant_output !== undefined ? 'prevented' : 'happens';
      default:
        return halt === 'stop' ? 'prevented' : 'happens';
    }
  };
}

/** One line with an integer id; only the words that the method knows count. */
function readPicoclaw(kind: EventKind, { stdout }: Answer): Reading {
  if (!stdout.endsWith('\n') || stdout.indexOf('\n') !== stdout.length - 1) throw new Error('not one line');
  if (Buffer.byteLength(stdout) > 1_048_576) throw new Error('longer than the host reads');
  const answer = objectIn(stdout);
  const id = own(answer, 'id');
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) throw new Error('no id');
  const result = ownObject(answer, 'result');
  if (result === undefined || Object.hasOwn(answer, 'error')) throw new Error('no result');
  if (kind === 'approve_tool') return own(result, 'approved') === true ? 'happens' : 'prevented';
  const action = own(result, 'action');
  if (action === 'abort_turn' || action === 'hard_abort') return 'prevented';
  if (kind === 'before_tool') return action === 'deny_tool' ? 'prevented' : 'happens';
  if (kind !== 'after_tool' || action !== 'modify') return 'happens';
  const replaced = ownObject(ownObject(result, 'result') ?? {}, 'result');
  return replaced !== undefined && own(replaced, 'is_error') === true ? 'prevented' : 'happens';
}

function objectIn(text: string): JsonObject {
  const value = JSON.parse(text) as Json;
  if (!isJsonObject(value)) throw new Error(`no object: ${text.slice(0, 100)}`);
  return value;
}
