import type { Host } from '../../../hosts/host.ts';
import {
  finding,
  type HookAnswer,
  type HookFinding,
  type Installation,
  type InstalledHook,
  type Machine,
  REINSTALL,
} from '../../../hosts/installation.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import type { EventKind } from '../../../model/event.ts';
import { printableCut } from '../../report/layout/printable.ts';
import { runBriefly } from '../run-briefly.ts';
import type { StartableHook } from './examine-line.ts';

/** Of the time that the host waits, a hook that takes more is late when the machine is busy. */
const LATE_SHARE = 0.5;

/** Of which its calls are. */
const CANARY_SESSION = 'policy-doctor';

/** The result of a hook that was started as its host starts it. */
export interface CanaryResult {
  /** How long the slowest answer took. */
  readonly elapsedMs: number;
  readonly findings: readonly HookFinding[];
}

/** A shell sets this path in an empty environment. */
const PATH = '/usr/local/bin:/usr/bin:/bin';
/** A line that lets the environment through passes these on; they decide which policies are loaded. */
const INHERITED = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'POLICY_PATH'];

/** Starts an installed hook with a call to refuse and one to pass, and checks what its host does without it. */
export async function runCanary(
  host: Host,
  installation: Installation,
  hook: InstalledHook,
  { argv, line }: StartableHook,
  machine: Machine,
): Promise<CanaryResult> {
  const { path } = hook;
  const approves = hook.events.some((event) => host.events[event] === 'approve_tool');
  const on = approves ? 'approve_tool' : 'before_tool';
  const inherited = line.isClean
    ? line.passed.map((name) => [name, machine.env[name]] as const)
    : INHERITED.map((name) => [name, hook.env[name] ?? machine.env[name]] as const);
  const env = { HOME: machine.home, ...Object.fromEntries(inherited), ...line.variables, PATH };
  const ask = async (call: JsonObject) => {
    const message = messageOf(host, on, call, machine);
    const input = installation.input?.(message) ?? message;
    const startMs = performance.now();
    const answer = await runBriefly({ argv, cwd: machine.project, env, input, timeoutMs: hook.timeoutMs });
    const reading = line.isWritten && !isWhole(answer) ? 'refused' : installation.read(answer, hook);
    return { reading, elapsedMs: performance.now() - startMs, answer };
  };
  const refused = await ask({ tool: 'write', path: `${machine.project}/.policy/canary.yaml` });
  const passed = await ask({ tool: 'read', path: `${machine.project}/README.md` });
  const found: HookFinding[] = [];
  if (refused.reading !== 'refused') {
    const message = `The hook of ${path} lets an agent write a policy; it says ${said(refused.answer)}`;
    found.push(
      finding('canary-refused', message, `${REINSTALL}; see that builtin:self-protection is in force`),
    );
  }
  if (passed.reading !== 'passes') {
    const message = `The hook of ${path} refuses to read README.md; it says ${said(passed.answer)}`;
    found.push(
      finding(
        'canary-passed',
        message,
        'policy check says what is wrong with policies, policy explain which one it was',
      ),
    );
  }
  if (!line.isWritten && installation.read(GONE, hook) !== 'refused') {
    const message = `The hook of ${path} lets calls through if the program is missing`;
    found.push(finding('canary-missing', message, REINSTALL));
  }
  const elapsedMs = Math.max(refused.elapsedMs, passed.elapsedMs);
  if (elapsedMs > hook.timeoutMs * LATE_SHARE) {
    const message = `The hook of ${path} took ${Math.round(elapsedMs)} ms, and the agent waits ${hook.timeoutMs} ms`;
    found.push(
      finding('late', message, 'make the agent wait longer, and give the hook the same --host-timeout'),
    );
  }
  return { elapsedMs, findings: found };
}

/** A shell's answer for a program that is gone. */
const GONE = { stdout: '', stderr: 'not found', exitCode: 127 };

/** The line that `policy install` writes refuses where this is not so. */
function isWhole({ stdout, exitCode }: HookAnswer): boolean {
  return (exitCode === 0 || exitCode === 2) && /^\s*(?:\{[\s\S]*\}|null)\s*$/.test(stdout);
}

function messageOf(host: Host, on: EventKind, call: JsonObject, machine: Machine): string {
  const { tool, ...given } = call;
  const context = { cwd: machine.project, session: CANARY_SESSION };
  const message = host.compose({ on, tool: String(tool), arguments: given, context });
  return JSON.stringify(isJsonObject(message) ? message : {});
}

/** The output of a hook, short enough for a line: of an answer in JSON the reason, its longest text, if that is no mere word. */
function said({ stdout, stderr, exitCode }: HookAnswer): string {
  const text = stdout.trim() || stderr.trim();
  if (text === '') return `nothing, with exit code ${exitCode ?? 'of a signal'}`;
  const [longest = ''] = textsIn(text).sort((a, b) => b.length - a.length);
  return `"${printableCut(longest.length < MIN_REASON ? text : longest, MAX_SAID)}"`;
}

const MAX_SAID = 240;
const MIN_REASON = 20;

function textsIn(text: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') found.push(value);
    });
  } catch {
    return [text];
  }
  return found.length === 0 ? [text] : found;
}
