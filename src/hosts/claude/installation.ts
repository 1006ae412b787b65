import { own } from '../../lib/json.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import { hooksInGroups, type Layer } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import { type Finding, finding, type Installation, type Machine } from '../installation.ts';

const MANAGED = '/etc/claude-code/managed-settings.json';

/** Settings of Claude Code: https://code.claude.com/docs/en/settings, and what 2.1.332 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['claude'],
    release: { newest: '2.1', args: ['--version'] },
    folder,
    guarding: ['before_tool', 'after_tool'],
    late: { since: { PreSkillShellCommand: '2.1.332' }, harmlessFrom: '2.1.101' },
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, machine) =>
      ({
        user: `${folder(machine)}/settings.json`,
        project: `${machine.project}/.claude/settings.json`,
        system: MANAGED,
      })[scope],
    layers: (machine) => [
      `${folder(machine)}/settings.json`,
      `${machine.project}/.claude/settings.json`,
      `${machine.project}/.claude/settings.local.json`,
      MANAGED,
    ],
    group: { matcher: '*' },
    allTools: ['*', '.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 600,
    findings: (layers) => layers.flatMap(switchedOff),
    read: readExitCode,
  });
}

function folder({ env, home }: Machine): string {
  return env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`;
}

function switchedOff({ path, settings }: Layer): readonly Finding[] {
  if (own(settings, 'disableAllHooks') !== true) return [];
  return [finding('hooks-off', `${path} switches all hooks off (disableAllHooks)`, 'take it out')];
}
