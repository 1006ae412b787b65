import type { Host } from '../../hosts/host.ts';
import {
  type Finding,
  finding,
  type HookAnswer,
  type Installation,
  type InstalledHook,
  type Machine,
  REINSTALL,
} from '../../hosts/installation.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import type { EventKind } from '../../model/event.ts';
import { runBriefly } from '../run-briefly.ts';

/** A program that is nowhere, in place of ours. */
const MISSING = '/nonexistent/policy';
/** Of the time that the host waits, a hook that takes more is late when the machine is busy. */
const LATE_SHARE = 0.5;

/** Under which its calls stand in the log. */
export const CANARY_SESSION = 'policy-doctor';

/** What a hook did when it was started as its host starts it. */
export interface CanaryResult {
  /** How long the slowest answer took. */
  readonly elapsedMs: number;
  readonly findings: readonly Finding[];
}

/**
 * Starts an installed hook as its host does, with a call that must be refused, one that must pass, one where the
 * environment says which policies to load, and one where the program is gone.
 */
export async function runCanary(
  host: Host,
  installation: Installation,
  hook: InstalledHook,
  machine: Machine,
): Promise<CanaryResult> {
  const { path } = hook;
  const approves = hook.events.some((event) => host.events[event] === 'approve_tool');
  const on = approves ? 'approve_tool' : 'before_tool';
  const ask = async (
    started: InstalledHook,
    call: JsonObject,
    env: Readonly<Record<string, string>> = {},
  ) => {
    const input = installation.input(messageOf(host, on, call, machine));
    const startMs = performance.now();
    const answer = await runBriefly({
      argv: started.argv,
      cwd: machine.project,
      env: { ...machine.env, ...env, ...started.env },
      input,
      timeoutMs: started.timeoutMs,
    });
    return { reading: installation.read(answer, started), elapsedMs: performance.now() - startMs, answer };
  };
  const gone = {
    ...hook,
    argv: hook.argv.map((word) => (word === hook.program ? MISSING : word.replaceAll(hook.program, MISSING))),
  };
  const refused = await ask(hook, { tool: 'write', path: `${machine.project}/.policy/canary.yaml` });
  const passed = await ask(hook, { tool: 'read', path: `${machine.project}/README.md` });
  const unguarded = await ask(
    hook,
    { tool: 'write', path: `${machine.project}/.policy/canary.yaml` },
    { POLICY_PATH: 'builtin:baseline' },
  );
  const missing = await ask(gone, { tool: 'read', path: `${machine.project}/README.md` });
  const found: Finding[] = [];
  if (refused.reading !== 'refused') {
    const message = `The hook of ${path} lets an agent write a policy; it says ${said(refused.answer)}`;
    found.push(
      finding('canary-refused', message, `${REINSTALL}; see that builtin:self-protection is in force`),
    );
  } else if (unguarded.reading !== 'refused') {
    const message = `The hook of ${path} loads what the agent's environment names (POLICY_PATH)`;
    found.push(finding('environment', message, REINSTALL));
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
  if (missing.reading !== 'refused') {
    const message = `The hook of ${path} lets calls through where the program is gone`;
    found.push(finding('canary-missing', message, REINSTALL));
  }
  const elapsedMs = Math.max(refused.elapsedMs, passed.elapsedMs);
  if (elapsedMs > hook.timeoutMs * LATE_SHARE) {
    const message = `The hook of ${path} took ${Math.round(elapsedMs)} ms, and the host waits ${hook.timeoutMs} ms`;
    found.push(finding('late', message, 'make the host wait longer, and tell the hook by --host-timeout'));
  }
  return { elapsedMs, findings: found };
}

function messageOf(host: Host, on: EventKind, call: JsonObject, machine: Machine): string {
  const { tool, ...given } = call;
  const context = { cwd: machine.project, session: CANARY_SESSION };
  const message = host.compose({ on, tool: String(tool), arguments: given, context });
  return JSON.stringify(isJsonObject(message) ? message : {});
}

/** What a hook printed, short enough for a line. */
function said({ stdout, stderr, exitCode }: HookAnswer): string {
  const text = (stdout.trim() || stderr.trim()).slice(0, 200);
  return text === '' ? `nothing, with exit code ${exitCode ?? 'of a signal'}` : JSON.stringify(text);
}
