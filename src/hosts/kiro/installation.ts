import { isJsonObject, type Json, type JsonObject, own, ownObject, ownString } from '../../lib/json.ts';
import { readExitCode } from '../dialect/read-exit-code.ts';
import type { Host } from '../host.ts';
import {
  askedEvents,
  finding,
  type HookFinding,
  type Installation,
  lineFindings,
  programIn,
  REINSTALL,
  readBy,
  shellHook,
} from '../installation.ts';
import { changeConfiguration, keepIfSame, parseConfiguration } from '../json-configuration.ts';

const FILE = '.kiro/hooks/policy.json';
const DIALECT = { comments: false } as const;
const GUARDING = ['before_tool'] as const;
/** Kiro waits so long for a hook that does not say how long, in seconds. */
const USUAL_TIMEOUT_S = 60;

/** Hooks of Kiro 1 and its command line 3, in a file of their own. */
export function installationFor(host: Host): Installation {
  const ours = (text: string | undefined) => hooksIn(parseConfiguration(text, DIALECT), host.name);
  return {
    programs: ['kiro', 'kiro-cli'],
    release: { newest: '3' },
    folder: ({ home }) => `${home}/.kiro`,
    guarding: GUARDING,
    places: (scope, { home, project }) =>
      scope === 'system' ? [] : [`${scope === 'user' ? home : project}/${FILE}`],
    edit(base, current, { start, kinds }) {
      const added = askedEvents(host.events, GUARDING, kinds)
        // The others are those of an agent's configuration.
        .filter((event) => /^[A-Z]/.test(event))
        .map((trigger) => ({
          path: ['hooks', -1],
          value: {
            name: `policy ${trigger}`,
            trigger,
            action: host.hookConfiguration(start),
            timeout: USUAL_TIMEOUT_S,
            enabled: true,
          },
        }));
      const version = Object.hasOwn(parseConfiguration(base, DIALECT), 'version')
        ? []
        : [{ path: ['version'], value: 'v1' }];
      return keepIfSame(current, changeConfiguration(base, [...version, ...added], DIALECT), DIALECT);
    },
    strip(text) {
      let stripped: string | undefined = text;
      for (;;) {
        const settings = parseConfiguration(stripped, DIALECT);
        const hooks = listOf(settings);
        const first = hooks.findIndex((hook) => isOurs(hook, host.name));
        if (first < 0) return stripped;
        const path = hooks.length === 1 ? ['hooks'] : ['hooks', first];
        stripped = changeConfiguration(stripped, [{ path, value: undefined }], DIALECT);
        // Nothing but the keys that `edit` has put beside the hooks.
        if (Object.keys(parseConfiguration(stripped, DIALECT)).join() === 'version') return undefined;
      }
    },
    inspect({ home, project }, files) {
      const found = [...new Set([`${home}/${FILE}`, `${project}/${FILE}`])].flatMap((path) =>
        readBy(path, files, ours).map((hook) => ({ path, hook })),
      );
      const hooks = found.map(({ path, hook }) =>
        shellHook(host.name, lineOf(hook), {
          path,
          events: [ownString(hook, 'trigger') ?? ''],
          timeoutMs: Number(own(hook, 'timeout') ?? USUAL_TIMEOUT_S) * 1_000,
        }),
      );
      return {
        hooks: hooks.filter((_, index) => isOn(found[index]?.hook ?? {})),
        findings: [
          ...found.flatMap(({ path, hook }) => shapeFindings(path, hook, host)),
          ...hooks.flatMap((each) => lineFindings(each, host.timeoutS(undefined))),
        ],
      };
    },
    read: readExitCode,
  };
}

function listOf(settings: JsonObject): readonly Json[] {
  const hooks = own(settings, 'hooks');
  return Array.isArray(hooks) ? hooks : [];
}

function isOurs(hook: Json, name: string): hook is JsonObject {
  return isJsonObject(hook) && programIn(lineOf(hook), name) !== undefined;
}

function hooksIn(settings: JsonObject, name: string): readonly JsonObject[] {
  return listOf(settings).filter((hook): hook is JsonObject => isOurs(hook, name));
}

/** A word instead of yes or no makes Kiro drop the hook. */
function isOn(hook: JsonObject): boolean {
  const enabled = own(hook, 'enabled');
  return enabled === undefined || enabled === true;
}

function lineOf(hook: JsonObject): string {
  return ownString(ownObject(hook, 'action') ?? {}, 'command') ?? '';
}

function shapeFindings(path: string, hook: JsonObject, { title, events }: Host): readonly HookFinding[] {
  const trigger = ownString(hook, 'trigger') ?? '';
  const matcher = own(hook, 'matcher');
  const found: HookFinding[] = [];
  if (!Object.hasOwn(events, trigger))
    found.push(
      finding('event', `${path} names the event "${trigger}", which ${title} does not have`, REINSTALL),
    );
  if (!isOn(hook))
    found.push(finding('hooks-off', `${path} switches the hook on ${trigger} off (enabled)`, REINSTALL));
  if (matcher !== undefined && !['', '.*'].includes(String(matcher)))
    found.push(
      finding(
        'matcher',
        `${path} shows the hook only tools that match ${JSON.stringify(matcher)} on ${trigger}`,
        REINSTALL,
      ),
    );
  return found;
}
