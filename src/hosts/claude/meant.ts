import { own, ownObject, ownString } from '../../lib/json.ts';
import type { MeantBy } from '../meant/meant.ts';

/** Settings that change how Claude Code looks and thinks. Any other may switch hooks off or give rights. */
const HARMLESS = new Set([
  'alwaysThinkingEnabled',
  'autoCompactEnabled',
  'autoMemoryEnabled',
  'editorMode',
  'fileCheckpointingEnabled',
  'language',
  'model',
  'outputStyle',
  'preferredNotifChannel',
  'showTurnDuration',
  'terminalProgressBarEnabled',
  'theme',
  'todoFeatureEnabled',
  'verbose',
  'voiceEnabled',
]);

/** `Config` with a value writes it into the settings; without one it reads. */
export const setting: MeantBy = (args) => {
  if (own(args, 'value') === undefined || HARMLESS.has(ownString(args, 'setting') ?? '')) return undefined;
  return { classes: ['write'], told: { path: '~/.claude/settings.json' } };
};

/** `Monitor` watches a socket where it runs no command. */
export const socket: MeantBy = (args) => {
  const url = ownString(ownObject(args, 'ws') ?? {}, 'url');
  return url === undefined ? undefined : { classes: ['fetch'], told: { url } };
};
