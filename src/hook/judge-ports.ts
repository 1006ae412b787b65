import { askModel } from '../judge/client.ts';
import { MACHINE_CLOCK } from '../judge/client-clock.ts';
import type { JudgePorts } from '../judge/judge-ports.ts';
import { openDatabase, type StateDatabase } from '../state/database.ts';
import { createJudgeUsage } from '../state/judge-usage.ts';
import { openStateFolder } from '../state/state-folder.ts';
import { createVerdictStore } from '../state/verdict-store.ts';

/** What judges use of this machine. The state file is opened when it is first needed. */
export function machineJudgePorts(env: JudgePorts['env']): JudgePorts {
  let opened: StateDatabase | undefined;
  const database = (): StateDatabase => {
    opened ??= openDatabase(openStateFolder(env));
    return opened;
  };
  return {
    env,
    clock: MACHINE_CLOCK,
    random: () => crypto.randomUUID().replaceAll('-', ''),
    askModel,
    storeFor: () => createVerdictStore({ database: database(), nowMs: MACHINE_CLOCK.nowMs }),
    usage: () => createJudgeUsage({ database: database(), nowMs: MACHINE_CLOCK.nowMs }),
  };
}
