import type { Guards } from '../guards.ts';

/** Which hooks run, which of them are switched off, and what jcli allows by itself. */
export const GUARDS = {
  paths: [
    '**/.jcli/**',
    '**/HOOK.{yaml,yml}',
    '**/agent_config.json',
    '~/.jdata/agent/{hooks.yaml,hooks/**,data/agent_config.json}',
    '**/.jdata/agent/{hooks.yaml,hooks/**,data/agent_config.json}',
  ],
  notes: ['**/.jcli/{skills,agents,commands}/**/*.md'],
  instructions: ['**/.jcli/{skills,agents,commands}/**/*.md'],
  moved: { $J_DATA_PATH: '~/.jdata' },
  escapes: { programs: ['jcli', 'j'] },
} as const satisfies Guards;
