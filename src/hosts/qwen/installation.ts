import type { HookGroups } from '../hook-groups.ts';
import { isNewer } from '../is-newer.ts';

/** From 0.25 on `timeout` is in seconds, and from 1000 on it still counts as milliseconds; before it is always in these. */
function isInSeconds(release: string | undefined): boolean {
  return release === undefined || !isNewer('0.25', release);
}

/** Settings of Qwen Code, as 0.24.4 reads them. */
export const installation: HookGroups = {
  programs: ['qwen'],
  release: { newest: '0.24.4' },
  folder: '~/.qwen',
  places: {
    user: '~/.qwen/settings.json',
    project: '.qwen/settings.json',
    system: '/etc/qwen-code/settings.json',
  },
  dialect: { comments: true },
  shell: 'bash',
  toMs: (written, release) => (isInSeconds(release) && written < 1_000 ? written * 1_000 : written),
  // This is right for every version; a newer one that is known to be here gets seconds.
  timeout: (release) => (release !== undefined && isInSeconds(release) ? 60 : 60_000),
  usualTimeoutS: 60,
  off: { key: 'disableAllHooks' },
};
