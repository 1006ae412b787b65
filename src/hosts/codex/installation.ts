import { createHash } from 'node:crypto';
import { type Json, type JsonObject, own } from '../../lib/json.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import { type FoundHook, hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import { type Files, type Finding, finding, type Installation, type Machine } from '../installation.ts';

/** Hooks of Codex CLI: https://developers.openai.com/codex/hooks, and what 0.169 makes of them. */
export function installationFor(host: Host): Installation {
  return hooksInGroups(host, {
    programs: ['codex'],
    release: { newest: '0.169', args: ['--version'] },
    folder,
    guarding: ['before_tool', 'after_tool'],
    dialect: { comments: false },
    at: ['hooks'],
    place: (scope, machine) =>
      ({
        user: `${folder(machine)}/hooks.json`,
        project: `${machine.project}/.codex/hooks.json`,
        // Hooks that a person manages for all stand in requirements.toml.
        system: undefined,
      })[scope],
    layers: (machine) => [`${folder(machine)}/hooks.json`, `${machine.project}/.codex/hooks.json`],
    group: { matcher: '.*' },
    allTools: ['*', '.*'],
    shell: ['sh', '-c'],
    unitMs: 1_000,
    usualTimeoutS: 600,
    findings: (_layers, hooks, machine, files) => trustFindings(hooks, machine, files),
    read: readExitCode,
  });
}

function folder({ env, home }: Machine): string {
  return env['CODEX_HOME'] ?? `${home}/.codex`;
}

/** Codex CLI passes over hooks that no person has trusted as they are, without a word. */
function trustFindings(hooks: readonly FoundHook[], machine: Machine, files: Files): readonly Finding[] {
  const path = `${folder(machine)}/config.toml`;
  const sections = sectionsOf(files.text(path) ?? '');
  const found: Finding[] = [];
  if (/^\s*hooks\s*=\s*false\b/m.test(sections.get('features') ?? ''))
    found.push(finding('hooks-off', `${path} switches all hooks off (features.hooks)`, 'take it out'));
  const untrusted = hooks.filter((hook) => {
    const state = sections.get(`hooks.state.${JSON.stringify(keyOf(hook))}`) ?? '';
    return !state.includes(`"sha256:${hashOf(hook)}"`) || /^\s*enabled\s*=\s*false\b/m.test(state);
  });
  const [first] = untrusted;
  if (first !== undefined) {
    const events = untrusted.map(({ event }) => event).join(', ');
    const message = `Codex CLI passes over the hook of ${first.file} on ${events}: nobody has trusted it as it is now`;
    found.push(
      finding(
        'untrusted-hook',
        message,
        'start codex, say /hooks and trust it; do so after each policy install',
      ),
    );
  }
  return found;
}

/** The lines below each header of a TOML text, by what stands between the brackets. */
function sectionsOf(text: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    const [, header] = /^\s*\[([^[\]]+)\]\s*$/.exec(line) ?? [];
    if (header !== undefined) name = header.trim();
    else sections.set(name, `${sections.get(name) ?? ''}${line}\n`);
  }
  return sections;
}

/** The name under which Codex CLI keeps what a person has said of a hook. */
function keyOf({ file, event, path }: FoundHook): string {
  const [group = 0, , handler = 0] = path.slice(2);
  return `${file}:${snakeCase(event)}:${group}:${handler}`;
}

/** What a person has trusted: the group with its one hook, keys in order and defaults written out. */
function hashOf({ event, group, hook }: FoundHook): string {
  const identity = {
    event_name: snakeCase(event),
    matcher: own(group, 'matcher') ?? null,
    hooks: [{ async: false, ...hook }],
  };
  return createHash('sha256')
    .update(JSON.stringify(inOrder(identity)))
    .digest('hex');
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

function snakeCase(event: string): string {
  return event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
