import type { Json } from '../../../src/lib/json.ts';
import { goDecode } from './go-json.ts';
import { type HookCommand, HookProcess } from './hook-process.ts';
import type { Chain, Features, Hook, Mode } from './hooks.ts';
import { observableNames } from './notifications.ts';
import { type AgentConfig, runTurn, type TurnReport, type TurnScript } from './turn.ts';

/**
 * A stand-in for PicoClaw, as strict as the real one where a hook could get it wrong. It starts hooks, runs turns whose
 * model answers are scripted, and reports which tools ran and what the model and the user were told.
 */
export interface PicoclawConfig extends AgentConfig {
  readonly version?: keyof typeof FEATURES;
  /** By name; started in the order of the names, asked in the order of priority, then name. */
  readonly processes: Readonly<Record<string, HookConfig>>;
  readonly interceptorMs?: number;
  readonly approvalMs?: number;
}

export interface HookConfig extends HookCommand {
  readonly priority?: number;
  readonly intercept?: readonly string[];
  readonly observe?: readonly string[];
}

const FEATURES = {
  '0.2.4': {
    topLevelChannel: true,
    context: false,
    respond: false,
    promptGuard: false,
    runtimeEvents: false,
  },
  '0.2.5': {
    topLevelChannel: true,
    context: false,
    respond: false,
    promptGuard: false,
    runtimeEvents: false,
  },
  '0.2.6': { topLevelChannel: true, context: false, respond: true, promptGuard: false, runtimeEvents: false },
  '0.2.7': { topLevelChannel: false, context: true, respond: true, promptGuard: false, runtimeEvents: false },
  '0.2.8': { topLevelChannel: false, context: true, respond: true, promptGuard: true, runtimeEvents: false },
  '0.2.9': { topLevelChannel: false, context: true, respond: true, promptGuard: true, runtimeEvents: true },
} as const satisfies Record<string, Features>;

const INTERCEPT_MODES: Readonly<Record<string, Mode>> = {
  before_llm: 'llm',
  after_llm: 'llm',
  before_tool: 'tool',
  after_tool: 'tool',
  approve_tool: 'approve',
};
const MODE_ORDER: readonly Mode[] = ['observe', 'llm', 'tool', 'approve'];

export interface Picoclaw {
  /** Runs one turn. Turns of different sessions may run at the same time. */
  readonly turn: (script: TurnScript) => Promise<TurnReport>;
  readonly hook: (name: string) => HookProcess;
  /** What the log would say. */
  readonly warnings: readonly string[];
  /** Why hooks could not be started; every turn fails then. */
  readonly initError: string | undefined;
  readonly close: () => Promise<void>;
}

/** Starts the hooks. There is no deadline: a hook that never answers hello is waited for for ever. */
export async function startPicoclaw(config: PicoclawConfig): Promise<Picoclaw> {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const features = FEATURES[config.version ?? '0.2.9'];
  const mounted: (Hook & { readonly priority: number })[] = [];
  let initError: string | undefined;
  for (const name of Object.keys(config.processes).sort()) {
    const hook = config.processes[name];
    if (hook === undefined) continue;
    try {
      mounted.push({ ...(await mount(name, hook, features, warn)), priority: hook.priority ?? 0 });
    } catch (error) {
      initError = `hook "${name}": ${error instanceof Error ? error.message : error}`;
      await Promise.all(mounted.map(({ process }) => process.close()));
      mounted.length = 0;
      break;
    }
  }
  mounted.sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1));
  const chain: Chain = {
    hooks: mounted,
    interceptorMs: config.interceptorMs ?? 5000,
    approvalMs: config.approvalMs ?? 60_000,
    features,
    warn,
  };
  let turns = 0;
  const histories = new Map<string, Json[]>();
  return {
    warnings,
    initError,
    hook: (name) => {
      const found = mounted.find((hook) => hook.name === name);
      if (found === undefined) throw new Error(`no hook "${name}"`);
      return found.process;
    },
    turn: async (script) => {
      if (initError !== undefined) return failedTurn(initError);
      turns += 1;
      return runTurn(config, chain, script, `main-turn-${turns}`, histories);
    },
    close: async () => {
      await Promise.all(mounted.map(({ process }) => process.close()));
    },
  };
}

async function mount(
  name: string,
  config: HookConfig,
  features: Features,
  warn: (text: string) => void,
): Promise<Hook> {
  const observes = new Set(config.observe ?? []);
  for (const observed of observes) {
    const known = observed === '*' || observableNames(features).has(observed);
    if (!known) throw new Error(`unsupported observe "${observed}"`);
  }
  const modes = new Set<Mode>(observes.size > 0 ? ['observe'] : []);
  for (const stage of config.intercept ?? []) {
    const mode = INTERCEPT_MODES[stage];
    if (mode === undefined) throw new Error(`unsupported intercept "${stage}"`);
    modes.add(mode);
  }
  if (modes.size === 0) throw new Error('no hook modes enabled');
  const ordered = MODE_ORDER.filter((mode) => modes.has(mode));
  const process = new HookProcess(config, (text) => warn(`${name}: ${text}`));
  try {
    const greeting = await process.call('hook.hello', { name, version: 1, modes: ordered }, undefined);
    goDecode({ pointer: { map: 'any' } }, greeting);
  } catch (error) {
    await process.close();
    throw error;
  }
  return { name, process, modes: ordered, observes };
}

function failedTurn(error: string): TurnReport {
  return { ran: [], toldModel: [], toldUser: [`Error: ${error}`], requests: [], error };
}
