import { isJsonObject, type JsonObject, own, ownObject, ownString, parseJson } from '../../lib/json.ts';
import { type FoundConfiguration, type FoundHook, hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import { finding, type HookFinding, type Installation, REINSTALL, readBy } from '../installation.ts';
import { parseConfiguration } from '../json-configuration.ts';

const DIALECT = { comments: true };

const SYSTEM = '/etc/gemini-cli/settings.json';

/** Settings of Gemini CLI: its `docs/hooks/reference.md`, as 0.61 reads them. */
export function installationFor(host: Host): Installation {
  const [user, project] = ['~/.gemini/settings.json', '.gemini/settings.json'];
  return hooksInGroups(host, {
    programs: ['gemini'],
    release: { newest: '0.61' },
    folder: '~/.gemini',
    places: { user, project, system: SYSTEM },
    layers: ['/etc/gemini-cli/system-defaults.json', user, project, SYSTEM],
    dialect: DIALECT,
    shell: 'bash',
    toMs: (written) => written,
    usualTimeoutS: 60,
    also(settings, current, { scope, digits }) {
      const isOff = own(ownObject(settings, 'hooksConfig') ?? {}, 'enabled') === false;
      // Only in the system's file does it keep a project from saying otherwise.
      const isNeeded = isOff || scope === 'system';
      return {
        changes: isNeeded ? [{ path: ['hooksConfig', 'enabled'], value: true }] : [],
        entry: { name: nameIn(current) ?? `policy-${digits}` },
      };
    },
    findings: (found) => [...layerFindings(found), ...trustFindings(found)],
    read({ stdout, stderr, exitCode }) {
      const text = stdout.trim() || stderr.trim();
      const output = parseJson(text);
      if (isJsonObject(output))
        return ['deny', 'block'].includes(String(own(output, 'decision'))) ? 'refused' : 'passes';
      // To Gemini CLI a signal is exit code 0.
      return output === undefined && text !== '' && (exitCode ?? 0) >= 2 ? 'refused' : 'passes';
    },
  });
}

/** The name that an earlier install has given: a project that knew it still knows it, one that did not must not learn it. */
function nameIn(current: readonly FoundHook[]): string | undefined {
  const names = current.map(({ hook }) => ownString(hook, 'name') ?? '');
  return names.find((name) => /^policy-[0-9a-f]{6}$/.test(name));
}

function layerFindings({ layers, hooks, at }: FoundConfiguration): readonly HookFinding[] {
  const findings: HookFinding[] = [];
  const system = layers.find(({ path }) => path === at(SYSTEM));
  const names = new Set(hooks.map(({ hook }) => ownString(hook, 'name') ?? ownString(hook, 'command') ?? ''));
  const systemSays = own(ownObject(system?.settings ?? {}, 'hooksConfig') ?? {}, 'enabled');
  for (const { path, settings } of layers) {
    const config = ownObject(settings, 'hooksConfig') ?? {};
    if (own(config, 'enabled') === false && systemSays !== true) {
      const message = `${path} switches all hooks off (hooksConfig.enabled)`;
      findings.push(finding('hooks-off', message, `take it out, or ${REINSTALL} --system`));
    }
    const disabled = own(config, 'disabled');
    for (const name of Array.isArray(disabled) ? disabled : []) {
      if (!names.has(String(name))) continue;
      const fix = 'take the name out of that list; policy uninstall and policy install give the hook another';
      findings.push(finding('hook-disabled', `${path} switches the hook "${name}" off`, fix));
    }
    for (const [event, groups] of Object.entries(ownObject(settings, 'hooks') ?? {})) {
      if (!(Array.isArray(groups) ? groups : []).some(hasOddMatcher)) continue;
      const message = `${path} has a matcher on ${event} that is no text: Gemini CLI skips all hooks of that event`;
      findings.push(finding('matcher', message, 'write it as text, or take it out'));
    }
  }
  return findings;
}

function hasOddMatcher(group: unknown): boolean {
  return isJsonObject(group) && !['string', 'undefined', 'object'].includes(typeof own(group, 'matcher'));
}

function trustFindings({ machine: { project }, files, at }: FoundConfiguration): readonly HookFinding[] {
  const path = at('~/.gemini/trustedFolders.json');
  const folders = Object.entries(readBy(path, files, parsed));
  const around = folders.filter(([folder]) => project === folder || project.startsWith(`${folder}/`));
  const [nearest] = around.sort(([a], [b]) => b.length - a.length);
  if (nearest?.[1] !== 'DO_NOT_TRUST') return [];
  const message = `${path} says not to trust ${nearest[0]}: Gemini CLI runs no hooks there`;
  return [
    finding(
      'untrusted-folder',
      message,
      'trust the folder in Gemini CLI (/permissions), or start with --skip-trust',
    ),
  ];
}

function parsed(text: string | undefined): JsonObject {
  return parseConfiguration(text, DIALECT);
}
