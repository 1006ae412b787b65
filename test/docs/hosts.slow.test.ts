import { describe, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { DOCUMENTED_START } from '../../src/hosts/clean-start.ts';
import { type Guards, OWN } from '../../src/hosts/guards.ts';
import { HOSTS, hostNamed } from '../../src/hosts/registry.ts';
import { REWRITE_FORMS } from '../../src/language/actions/rewrite/registry.ts';
import { isJsonObject, type Json, type JsonObject, ownString } from '../../src/lib/json.ts';
import { readOwnLine } from '../../src/tools/cli/install/own-line.ts';
import { runCli } from '../cli/test-io.ts';
import { BINARY } from '../support/binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { GEMINI_EVENTS, type HookStart, hookStarts, isPolicy, JCLI_EVENTS } from './host-configuration.ts';
import { agentChanges, agentPlaces, agentTicks, hostsMarkdown } from './hosts-markdown.ts';
import { AGENT_PAGES, codeBlocks, expectMarkedText, markedText, pageText, tableRows } from './markdown.ts';
import { answersTo, kindOf, refuses, refusesInPlaceOf, runHook } from './start-hook.ts';

/** The hosts that have a row and no section. */
const ROWS = tableRows(AGENT_PAGES, 'more-hosts');
const DESCRIBED = HOSTS.filter(({ title }) => !ROWS.some(([each]) => each === title));

describe('the tables of what hosts can do', () => {
  test('are those that the hosts describe', async () => {
    expectMarkedText('docs/hosts.md', 'changes', agentChanges(HOSTS));
    expectMarkedText('docs/install.md', 'places', await agentPlaces(HOSTS));
    const [overview = '', ...sections] = hostsMarkdown(HOSTS).split(/^## .*\n\n/m);
    expect(sections).toHaveLength(HOSTS.length);
    expectMarkedText('README.md', 'agents', agentTicks(HOSTS));
    expectMarkedText(AGENT_PAGES, 'hosts', overview);
    for (const [index, host] of HOSTS.entries()) {
      if (DESCRIBED.includes(host))
        expectMarkedText(AGENT_PAGES, `hosts ${host.name}`, sections[index] ?? '');
    }
  });

  test('name only forms of rewrite that the language has', () => {
    const forms = REWRITE_FORMS.map(({ key }) => key);
    for (const host of HOSTS) {
      for (const version of [undefined, ...host.versions]) {
        for (const support of Object.values(host.supports(version))) {
          for (const form of support.rewrites) expect(forms).toContain(form);
        }
      }
    }
  });

  test('name every event of Gemini CLI and jcli, and no other', () => {
    expect(Object.keys(hostNamed('gemini')?.events ?? {}).toSorted()).toEqual(GEMINI_EVENTS.toSorted());
    expect(Object.keys(hostNamed('jcli')?.events ?? {}).toSorted()).toEqual(JCLI_EVENTS.toSorted());
  });
});

describe('the documented configurations', () => {
  const configurations = codeBlocks(AGENT_PAGES).filter(
    (block) => ['json', 'yaml'].includes(block.language) && !isPolicy(block),
  );

  test('are there for every host', () => {
    const hosts = configurations.flatMap(hookStarts).map(({ host }) => host);
    for (const { name } of DESCRIBED) expect(hosts).toContain(name as HookStart['host']);
  });

  test('start the hook by what policy docs hosts prints', () => {
    for (const { host, argv, env } of configurations.flatMap(hookStarts)) {
      const [, version] = /--host-version (\w+)/.exec(argv.join(' ')) ?? [];
      const { command = '', env: over = {} } =
        hostNamed(host)?.hookConfiguration({ ...DOCUMENTED_START, version }) ?? {};
      // More options may follow where they are words of their own.
      const started = Array.isArray(command) ? argv.slice(0, command.length) : argv.at(-1);
      expect<readonly (Json | undefined)[]>([started, env ?? {}]).toEqual([command, over]);
    }
  });

  test('ask for approval of calls wherever the host does', () => {
    for (const { host, events } of configurations.flatMap(hookStarts)) {
      if (host !== 'picoclaw') continue;
      expect(events).toContain('hook.before_tool');
      expect(events).toContain('hook.approve_tool');
    }
  });

  for (const start of configurations.flatMap(hookStarts)) {
    test(`start a hook that answers: ${start.host} ${start.events.join(' ')} ${start.argv.at(-1)}`, () => {
      const harmless = answersTo(start, 'ls', temporaryFolder());
      const harmful = answersTo(start, 'rm -rf ~', temporaryFolder());
      expect([...harmless.values()].filter(refuses)).toEqual([]);
      for (const [event, answer] of harmful) {
        const isCall = ['before_tool', 'approve_tool'].includes(kindOf(start, event) ?? '');
        expect([event, refuses(answer)]).toEqual([event, isCall]);
      }
    });

    // PicoClaw starts no agent without its hooks, and refuses at approve_tool when they have died.
    if (start.host === 'picoclaw') continue;
    test(`refuse where the program is not there or dies: ${start.host} ${start.events.join(' ')}`, () => {
      const home = temporaryFolder();
      const dying = join(home, 'dying');
      writeFileSync(dying, '#!/bin/sh\nkill -9 $$\n');
      chmodSync(dying, 0o755);
      expect(refusesInPlaceOf(start, join(home, 'nowhere'), home)).toBe(true);
      expect(refusesInPlaceOf(start, dying, home)).toBe(true);
    });
  }
});

test('the policies on the pages of agents are valid, and their examples hold', async () => {
  const policies = codeBlocks(AGENT_PAGES).filter(isPolicy);
  expect(policies.length).toBeGreaterThan(0);
  for (const { text } of policies) {
    const file = join(temporaryFolder(), 'policy.yaml');
    writeFileSync(file, text);
    const checked = await runCli(['check', file]);
    expect([checked.exitCode, checked.stdout]).toEqual([0, expect.stringContaining('No problems')]);
  }
});

test('the variables in docs/failures.md are those that the program reads', () => {
  const table = markedText(AGENT_PAGES, 'environment');
  // Hosts set these for their hooks, where --host says which host it is; people set those for a terminal.
  const others = ['GEMINI_SESSION_ID', 'JCLI_HOOK_EVENT', 'JCLI_HOOK_DIR', 'USERPROFILE', 'NO_COLOR', 'TERM'];
  others.push('FORCE_COLOR', 'PAGER', 'LC_ALL', 'LC_CTYPE', 'LANG');
  // Where hosts have their configuration: for install and doctor, not for the hook.
  others.push('GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH');
  others.push('GEMINI_CLI_TRUSTED_FOLDERS_PATH', 'PICOCLAW_HOME', 'PICOCLAW_CONFIG', 'J_DATA_PATH');
  others.push('OPENCODE_PURE', 'XDG_DATA_HOME');
  // What registries are asked with, and where install looks for programs.
  others.push('DOCKER_CONFIG', 'PATH');
  const read = [...new Bun.Glob('src/**/*.ts').scanSync(join(import.meta.dir, '../..'))]
    .filter((file) => !file.includes('/generated/'))
    .flatMap((file) => [...pageText(file).matchAll(/\benv\['(\w+)'\]/g)].map(([, name = '']) => name));
  const places = [OWN.policies, OWN.state, ...HOSTS.map(({ guards }) => guards)].flatMap(
    ({ moved = {} }: Guards) => Object.keys(moved).map((place) => place.replace(/^\$(\w+).*/, '$1')),
  );
  const lost = [...table.matchAll(/`([A-Z_]+)`/g)].filter(([, name]) => {
    const argv = ['/usr/bin/env', '-i', `${name}=x`, '/usr/local/bin/policy', 'hook', '--host', 'gemini'];
    return HOSTS.every((host) => readOwnLine(argv, host) === undefined);
  });
  expect(lost).toEqual([]);
  expect(places.length).toBeGreaterThan(10);
  for (const name of places) expect(table).toContain(`\`${name}\``);
  expect(read.length).toBeGreaterThan(others.length);
  for (const name of read) if (!others.includes(name)) expect(table).toContain(`\`${name}\``);
});

test('the deadlines in docs/failures.md are those of the hosts', () => {
  for (const [title = '', , unlessSet, within] of tableRows(AGENT_PAGES, 'deadlines')) {
    const host = DESCRIBED.find((each) => title.startsWith(each.title));
    const waitS = host?.timeoutS(title.includes('approve_tool') ? 'approve_tool' : undefined) ?? 0;
    expect([title, unlessSet, within]).toEqual([title, `${waitS} s`, `${waitS * 0.8} s`]);
  }
  expect(tableRows(AGENT_PAGES, 'deadlines')).toHaveLength(DESCRIBED.length + 1);
});

test('the rows of more hosts say what they are called, where they are configured and how long they wait', async () => {
  const home = '/home/me';
  for (const [title, name = '', file, waits] of ROWS) {
    const host = hostNamed(name.replaceAll('`', ''));
    const installation = await host?.installation();
    const [place = ''] = installation?.places('user', { env: {}, home, project: '/work' }) ?? [];
    const path = place.replace(home, '~');
    expect([title, file, waits]).toEqual([
      host?.title ?? '',
      `\`${path}\``,
      `${host?.timeoutS(undefined)} s`,
    ]);
  }
});

describe('the filters in docs/jcli.md', () => {
  const TOOLS = ['Write', 'Edit', 'write', 'WriteFile', 'Bash', 'Shell', 'Write|Edit'];
  const MODELS = ['gpt-4o', 'gpt-3.5', 'my-gpt-4'];

  test.each(tableRows(AGENT_PAGES, 'filters').map(([filter = '', keys = '']) => [filter, keys] as const))(
    '%s match the calls that %s matches',
    (filter, keys) => {
      const home = temporaryFolder();
      const file = join(home, 'policy.yaml');
      writeFileSync(
        file,
        JSON.stringify({ version: 1, policies: [{ id: 'a', action: 'deny', ...inCode(keys) }] }),
      );
      const argv = [BINARY, 'hook', '--host', 'jcli', '--policies', file, '--no-log'];
      const start: HookStart = { host: 'jcli', events: [], argv };
      const asked = inCode(filter);
      for (const model of 'model_prefix' in asked ? MODELS : MODELS.slice(0, 1)) {
        const common = { session_id: model, cwd: home };
        const request = { ...common, event: 'pre_llm_request', model, messages: [], system_prompt: '' };
        runHook(start, JSON.stringify(request), home);
        for (const tool of Object.keys(asked).join() === 'model_prefix' ? TOOLS.slice(0, 1) : TOOLS) {
          const call = { ...common, event: 'pre_tool_execution', tool_name: tool, tool_arguments: '{}' };
          const answer = JSON.parse(runHook(start, JSON.stringify(call), home)) as JsonObject;
          const wanted = jcliRuns(asked, tool, model);
          expect([model, tool, refuses(answer)]).toEqual([model, tool, wanted]);
        }
      }
    },
    30_000,
  );

  test('are those that jcli has', () => {
    const used = tableRows(AGENT_PAGES, 'filters').flatMap(([filter = '']) => Object.keys(inCode(filter)));
    expect([...new Set(used)].toSorted()).toEqual(['model_prefix', 'tool_matcher', 'tool_name']);
    expect(markedText(AGENT_PAGES, 'filters')).toContain('model_prefix');
  });
});

function inCode(cell: string): JsonObject {
  const value: unknown = load(cell.replaceAll('`', ''));
  if (!isJsonObject(value)) throw new Error(`Cannot read "${cell}": it is not an object`);
  return value;
}

/** How jcli reads a filter, if it knows the model of a call. */
function jcliRuns(filter: JsonObject, tool: string, model: string): boolean {
  const name = ownString(filter, 'tool_name');
  const names = ownString(filter, 'tool_matcher')
    ?.split('|')
    .map((each) => each.trim());
  const prefix = ownString(filter, 'model_prefix') ?? '';
  const fitsTool = name === undefined ? (names?.includes(tool) ?? true) : tool === name;
  return fitsTool && model.startsWith(prefix);
}
