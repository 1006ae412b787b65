import { createHash } from 'node:crypto';
import { asObject, type Json, type JsonObject, own, ownObject } from '../../lib/json.ts';
import { ConfigurationProblem } from '../configuration-problem.ts';
import { type FoundConfiguration, type FoundHook, hooksInGroups } from '../hook-groups.ts';
import type { Host } from '../host.ts';
import {
  askedEvents,
  finding,
  type HookFinding,
  type Installation,
  note,
  type Order,
  readBy,
} from '../installation.ts';

const REQUIREMENTS = '/etc/codex/requirements.toml';
/** The lines around the hook in requirements. */
const [BEGIN, END] = ['# policy install --system: begin', '# policy install --system: end'];
const OURS = new RegExp(`\n?${BEGIN}\n[^]*?${END}\n`, 'g');

/** Hooks of Codex CLI: https://developers.openai.com/codex/hooks, as 0.171 reads them. */
export function installationFor(host: Host): Installation {
  const inGroups = hooksInGroups(host, {
    programs: ['codex'],
    release: { newest: '0.171.0' },
    folder: '~/.codex',
    places: { user: '~/.codex/hooks.json', project: '.codex/hooks.json', system: REQUIREMENTS },
    layers: ['~/.codex/hooks.json', '.codex/hooks.json', ...CONFIGURATIONS, REQUIREMENTS],
    parse: (path, text) => (path.endsWith('.toml') ? parseToml(text) : undefined),
    group: { matcher: '.*' },
    usualTimeoutS: 600,
    findings: (found) => [...offFindings(found), ...trustFindings(found)],
  });
  return {
    ...inGroups,
    // The requirements of an administrator are in TOML.
    edit(base, current, order, machine) {
      if (order.scope !== 'system') return inGroups.edit(base, current, order, machine);
      return withHook(base ?? '', host, order, askedEvents(host.events, inGroups.guarding, order.kinds));
    },
    strip: (text) => (text.trimStart().startsWith('{') ? inGroups.strip(text) : withoutHook(text)),
  };
}

/** The settings of a person, a project and the machine; hooks may be in them too. */
const CONFIGURATIONS = ['~/.codex/config.toml', '.codex/config.toml', '/etc/codex/config.toml'] as const;

/** Requirements hold; without them any of the settings may switch hooks off. */
function offFindings({ layers, hooks, files, at }: FoundConfiguration): readonly HookFinding[] {
  const found: HookFinding[] = [];
  const off = (path: string, key: string, fix = 'take it out') =>
    found.push(finding('hooks-off', `${path} switches all hooks off (${key})`, fix));
  const settingsOf = (path: string) => layers.find((layer) => layer.path === path)?.settings ?? {};
  const required = settingsOf(REQUIREMENTS);
  if (switchIn(required) === false) off(REQUIREMENTS, 'features.hooks');
  if (own(required, 'allow_managed_hooks_only') === true && !hooks.some(({ file }) => file === REQUIREMENTS))
    off(REQUIREMENTS, 'allow_managed_hooks_only', 'have the hook installed with policy install --system');
  if (switchIn(required) !== true) {
    for (const path of CONFIGURATIONS.map(at))
      if (switchIn(settingsOf(path)) === false) off(path, 'features.hooks');
    found.push(...profileFindings(settingsOf(at('~/.codex/config.toml')), at('~/.codex'), files));
  }
  for (const { path, settings } of layers.filter((each) => each.path.endsWith('.json'))) {
    const unknown = Object.keys(settings).find((key) => key !== 'hooks');
    if (unknown === undefined || !hooks.some(({ file }) => file === path)) continue;
    const message = `${path} has the key "${unknown}", with which Codex CLI drops all hooks of the file`;
    found.push(finding('unknown-key', message, 'take it out'));
  }
  return found;
}

/** Settings that a person starts Codex CLI with by name; one that is always taken counts as the others do. */
function profileFindings(
  settings: JsonObject,
  folder: string,
  files: FoundConfiguration['files'],
): readonly HookFinding[] {
  const usual = own(settings, 'profile');
  return files
    .names(folder)
    .filter((name) => name.endsWith('.config.toml'))
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      if (switchIn(readBy(path, files, parseToml)) !== false) return [];
      const message = `${path} switches all hooks off (features.hooks)`;
      return [
        name === `${String(usual)}.config.toml`
          ? finding('hooks-off', message, 'take it out')
          : note('hooks-off', `${message} where codex is started with this profile`, 'take it out'),
      ];
    });
}

/** The switch for hooks in settings, by either name of the feature. */
function switchIn(settings: JsonObject): boolean | undefined {
  const features = ownObject(settings, 'features') ?? {};
  const said = ['hooks', 'codex_hooks'].map((key) => own(features, key));
  if (said.includes(false)) return false;
  return said.includes(true) ? true : undefined;
}

/** TOML as an object. A text that cannot be read is not ours to judge: Codex CLI itself says so and does not start. */
function parseToml(text: string | undefined): JsonObject {
  try {
    return asObject(Bun.TOML.parse(text ?? ''));
  } catch {
    return {};
  }
}

/** Codex CLI passes over hooks that no person has trusted as they are, without a word. */
function trustFindings({ hooks, files, at }: FoundConfiguration): readonly HookFinding[] {
  const path = at('~/.codex/config.toml');
  const sections = sectionsOf(files.text(path) ?? '');
  const found: HookFinding[] = [];
  const untrusted = hooks.filter((hook) => {
    if (hook.file === REQUIREMENTS) return false;
    const state = sections.get(`hooks.state.${JSON.stringify(keyOf(hook))}`) ?? '';
    return !state.includes(`"sha256:${hashOf(hook)}"`) || /^\s*enabled\s*=\s*false\b/m.test(state);
  });
  for (const [file, ofFile] of Map.groupBy(untrusted, (hook) => hook.file)) {
    const events = [...new Set(ofFile.map(({ event }) => event))].join(', ');
    const message = `Codex CLI passes over the hook of ${file} on ${events}: nobody has trusted it as it is now`;
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

/** The lines below each header of a TOML text, by the text between the brackets. */
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

/** The name under which Codex CLI keeps a person's answer about a hook. */
function keyOf({ file, event, path }: FoundHook): string {
  const [group = 0, , handler = 0] = path.slice(2);
  return `${file}:${snakeCase(event)}:${group}:${handler}`;
}

/** Hashes the group that a person has trusted with its one hook, keys in order and defaults written out. */
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

/** Requirements with the hook in them, which runs without a person's trust: measured on 0.171.0. */
function withHook(
  base: string,
  host: Pick<Host, 'hookConfiguration'>,
  { start }: Pick<Order, 'start'>,
  events: readonly string[],
): string {
  if (/^\s*hooks\s*=\s*\{/m.test(base))
    throw new ConfigurationProblem(
      'its "hooks" are in one line; write each of them as [[hooks.EVENT]] first',
    );
  const hook = Object.entries(host.hookConfiguration(start)).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}\n`,
  );
  const tables = events.map(
    (event) => `[[hooks.${event}]]\nmatcher = ".*"\n[[hooks.${event}.hooks]]\n${hook.join('')}`,
  );
  const text = base === '' || base.endsWith('\n') ? base : `${base}\n`;
  return `${text}${text === '' ? '' : '\n'}${BEGIN}\n${tables.join('')}${END}\n`;
}

function withoutHook(text: string): string | undefined {
  if (!text.includes(BEGIN)) return text;
  const left = text.replace(OURS, '');
  return left.trim() === '' ? undefined : left;
}
