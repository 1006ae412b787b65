import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDecisionLog } from '../../src/hook/audit/decision-log.ts';
import { hostNamed } from '../../src/hosts/registry.ts';
import { createEngine } from '../../src/language/engine/engine.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import type { Json } from '../../src/lib/json.ts';
import { NO_SURROUNDINGS, type Surroundings } from '../../src/model/surroundings.ts';
import { readDecisionLog } from '../../src/tools/log/read-log.ts';
import { testResponder } from '../support/test-responder.ts';

export interface LoggedOptions {
  readonly host: string;
  /** Policy files or folders, absolute. */
  readonly policies: readonly string[];
  readonly cwd: string;
  /** Where the state folder is. */
  readonly stateHome: string;
  readonly keepInput?: boolean;
  /** What is known of the machine; nothing unless given. */
  readonly surroundings?: Partial<Surroundings>;
}

/** Judges messages as the hook does, with its log, and returns the ids of the decisions. */
export async function logDecisions(
  messages: readonly Json[],
  options: LoggedOptions,
): Promise<readonly string[]> {
  const host = hostNamed(options.host);
  if (host === undefined) throw new Error(`there is no host ${options.host}`);
  const folder = join(options.stateHome, 'policy');
  mkdirSync(folder, { recursive: true });
  const { program } = compileFiles({
    place: { named: options.policies, cwd: options.cwd, sessionDirectory: options.cwd, env: {} },
    trust: { trusted: () => undefined },
  });
  const engine = createEngine(program);
  const log = openDecisionLog({ folder: () => folder, buffered: false });
  const { respond } = testResponder({
    host,
    setting: { version: undefined, env: {}, cwd: options.cwd, interactive: false },
    policies: () => ({ ok: true, engine }),
    surroundings: () => ({ ...NO_SURROUNDINGS, ...options.surroundings }),
    log: (entry) => log.log(entry),
    keepInput: options.keepInput ?? true,
  });
  for (const message of messages) await respond(JSON.stringify(message));
  log.close();
  const ids: string[] = [];
  readDecisionLog(folder, ({ decision_id }) => ids.push(decision_id));
  return ids.slice(-messages.length);
}
