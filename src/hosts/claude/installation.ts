import { own, ownObject } from '../../lib/json.ts';
import { driveOf } from '../../lib/path/drive-path.ts';
import type { FoundConfiguration, HookGroups } from '../hook-groups.ts';
import { finding, type HookFinding, type Machine } from '../installation.ts';

/** Linux, and macOS. */
const MANAGED_FOLDERS = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];
const MANAGED_ON_WINDOWS = ['C:/Program Files/ClaudeCode'];

/** Settings of Claude Code: https://code.claude.com/docs/en/settings, as 2.1.332 reads them. */
export const installation: HookGroups = {
  programs: ['claude'],
  release: { newest: '2.1.332' },
  folder: '~/.claude',
  late: { since: { PreSkillShellCommand: '2.1.332' }, harmlessFrom: '2.1.101' },
  places: {
    user: '~/.claude/settings.json',
    project: '.claude/settings.json',
    // A file of its own, so that nobody who hands out the other one takes the hook away.
    system: (machine) => `${managedFolders(machine)[0]}/managed-settings.d/policy.json`,
  },
  // The last one that an administrator has set counts.
  layers: (machine) => [
    '~/.claude/settings.json',
    '.claude/settings.json',
    '.claude/settings.local.json',
    ...managedFolders(machine).flatMap((at) => [
      `${at}/managed-settings.json`,
      `${at}/managed-settings.d/*.json`,
    ]),
  ],
  group: { matcher: '*' },
  usualTimeoutS: 600,
  findings: (found) => [...offFindings(found), ...variableFindings(found)],
};

function managedFolders({ home }: Machine): readonly string[] {
  return driveOf(home) === undefined ? MANAGED_FOLDERS : MANAGED_ON_WINDOWS;
}

function isManaged(path: string): boolean {
  return [...MANAGED_FOLDERS, ...MANAGED_ON_WINDOWS].some((at) => path.startsWith(`${at}/`));
}

/** A hook that an administrator has set runs whatever others say; theirs run only where the administrator lets them. */
function offFindings({ layers, hooks }: FoundConfiguration): readonly HookFinding[] {
  const managed = layers.filter(({ path }) => isManaged(path));
  const lastWith = (key: string) => managed.findLast(({ settings }) => own(settings, key) !== undefined);
  const off = lastWith('disableAllHooks');
  if (off !== undefined && own(off.settings, 'disableAllHooks') === true)
    return [offFinding(off.path, 'disableAllHooks')];
  if (hooks.length === 0 || hooks.some(({ file }) => isManaged(file))) return [];
  const only = ['allowManagedHooksOnly', 'strictPluginOnlyCustomization'].flatMap((key) => {
    const layer = lastWith(key);
    const value = layer && own(layer.settings, key);
    const isOn = value === true || (Array.isArray(value) && value.includes('hooks'));
    return layer !== undefined && isOn ? [offFinding(layer.path, key)] : [];
  });
  const others = layers.filter(
    ({ path, settings }) => !isManaged(path) && own(settings, 'disableAllHooks') === true,
  );
  return [...only, ...others.map(({ path }) => offFinding(path, 'disableAllHooks'))];
}

function offFinding(path: string, key: string): HookFinding {
  const fix =
    key === 'disableAllHooks' ? 'take it out' : 'have the hook installed with policy install --system';
  return finding('hooks-off', `${path} switches all hooks off (${key})`, fix);
}

/** Settings put variables into the environment of Claude Code: those too with which it runs no hook. */
function variableFindings({ layers, host: { guards } }: FoundConfiguration): readonly HookFinding[] {
  return layers.flatMap(({ path, settings }) => {
    const set = ownObject(settings, 'env') ?? {};
    return (guards.escapes?.off ?? [])
      .filter((name) => !/^(?:|0|false|no|off|undefined)$/i.test(String(own(set, name) ?? '')))
      .map((name) => finding('hooks-off', `${path} switches all hooks off (env.${name})`, 'take it out'));
  });
}
