import type { Guards } from '../guards.ts';

/** Which hooks run, and with which rights PicoClaw works. */
export const GUARDS = {
  paths: ['~/.picoclaw/**', '**/.picoclaw/config.json'],
  notes: ['~/.picoclaw/workspace{,-*}/**'],
  moved: { $PICOCLAW_CONFIG: '~/.picoclaw/config.json', $PICOCLAW_HOME: '~/.picoclaw' },
  escapes: { programs: ['picoclaw'] },
} as const satisfies Guards;
