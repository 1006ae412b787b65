import { type JsonObject, own } from '../../lib/json.ts';
import type { HostSetting } from '../host.ts';

export interface Generation {
  readonly version: string;
  /** `before_tool` takes a result in place of the tool's. Before, an answer with a result was ignored and the tool ran. */
  readonly respond: boolean;
  /** Requests carry `context`, and no longer `channel` and `chat_id` of their own. */
  readonly context: boolean;
  /** The answer to `before_llm` can change neither tools nor system messages. */
  readonly fixedPrompt: boolean;
}

const GENERATIONS = [
  { version: '0.2.4', respond: false, context: false, fixedPrompt: false },
  { version: '0.2.5', respond: false, context: false, fixedPrompt: false },
  { version: '0.2.6', respond: true, context: false, fixedPrompt: false },
  { version: '0.2.7', respond: true, context: true, fixedPrompt: false },
  { version: '0.2.8', respond: true, context: true, fixedPrompt: true },
] as const satisfies readonly Generation[];

/** Newer versions count as this one, too. */
export const NEWEST: Generation = { version: '0.2.9', respond: true, context: true, fixedPrompt: true };
/** The newest of those that put `channel` and `chat_id` at the top. */
const WITHOUT_CONTEXT = '0.2.6';

/** Versions that differ, oldest first. */
export const VERSIONS: readonly string[] = [...GENERATIONS.map(({ version }) => version), NEWEST.version];

/** The facts about a version; those of the newest if it is not given or not listed. */
export function generationOf(version: string | undefined): Generation {
  if (version === undefined || version === NEWEST.version) return NEWEST;
  return GENERATIONS.find((generation) => generation.version === version) ?? NEWEST;
}

/** The version that sent a request: the one that the user named, else the one that the request shows. */
export function versionOf(params: JsonObject, setting: HostSetting): string {
  if (setting.version !== undefined) return setting.version;
  const old = own(params, 'context') === undefined && own(params, 'channel') !== undefined;
  return old ? WITHOUT_CONTEXT : NEWEST.version;
}
