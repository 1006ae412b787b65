import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { BareCall } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { MATCHER_TABLE } from '../../src/matchers/registry.ts';
import { compileWhen, holds } from '../../src/matchers/when.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import { settingFor } from '../../src/suite/answer-call.ts';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folders = temporaryFolders();

const classes = fc.constantFrom('shell', 'read', 'write', 'edit', 'fetch', 'list', 'mcp', 'other');
const names = HOSTS.flatMap(({ tools }) => Object.keys(tools)).filter((name) => !name.includes('*'));
const tools = fc.oneof(
  classes,
  fc.constantFrom(...names),
  fc.constantFrom('mcp__a__b', 'deploy', 'apply_patch'),
);
const calls: fc.Arbitrary<BareCall> = fc.record({
  on: fc.constantFrom('before_tool', 'after_tool'),
  tool: tools,
  arguments: fc.constantFrom<JsonObject>(
    { command: 'git push -f origin' },
    { path: 'src/a.ts', content: 'x' },
    { url: 'https://a.example/x' },
    { command: 'rm -rf b; npm test', path: 'a' },
    { team: 'web' },
  ),
});

const key: fc.Arbitrary<readonly [string, Json]> = fc.oneof(
  fc.array(classes, { minLength: 1, maxLength: 3 }).map((list): [string, Json] => ['tool', list]),
  fc
    .constantFrom(...names, 'mcp__a__b', '*', 'run_*|B*')
    .map((name): [string, Json] => ['tool_matcher', name]),
  fc
    .subarray(
      HOSTS.map(({ name }) => name),
      { minLength: 1 },
    )
    .map((list): [string, Json] => ['hosts', list]),
  fc.constantFrom(...HOSTS.map(({ name }) => name)).map((host): [string, Json] => ['context', { host }]),
  fc.constantFrom<[string, Json]>(
    ['command', { run: 'git', flags: { any: '-f', none: '-n' } }],
    ['command', { run: 'git', except: { flags: { any: '-x' } } }],
    ['command', [{ run: 'rm', flags: { all: ['-r', '-f'] } }, 'npm']],
    ['command', { subcommand: ['git', 'push'], args: { first: 'origin' } }],
    ['path', { match: 'src/**', except: 'src/b/**' }],
    ['url', { host: 'a.example', except: 'b.a.example' }],
    ['arguments', { team: { one_of: ['web', 'data'] } }],
    ['arguments', { command: { regex: 'git', not_regex: 'pull' } }],
  ),
);
const keys = fc.array(key, { minLength: 1, maxLength: 2 }).map((all): JsonObject => Object.fromEntries(all));
const branch = key.map((each): JsonObject => Object.fromEntries([each]));
const whens: fc.Arbitrary<JsonObject> = fc
  .tuple(
    keys,
    fc.option(fc.tuple(fc.constantFrom('any', 'all'), fc.array(branch, { minLength: 1, maxLength: 2 }))),
    fc.option(keys),
  )
  .map(([plain, composed, not]) => ({
    ...plain,
    ...(composed === null ? {} : { [composed[0]]: composed[1] }),
    ...(not === null ? {} : { not }),
  }));

test('a policy that matches some call is never said to match none', async () => {
  let live = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...HOSTS),
      calls,
      fc.array(whens, { minLength: 60, maxLength: 60 }),
      async (host, call, all) => {
        const decoded = host.decode(host.compose(call), settingFor(false));
        if (decoded.type !== 'event') return;
        const { event } = decoded;
        const facts = { event, model: undefined, newTexts: event.texts, surroundings: NO_SURROUNDINGS };
        const matching = all.filter((when) => holds(compileWhen(when, MATCHER_TABLE), facts) === true);
        if (matching.length === 0) return;
        live += matching.length;
        const cwd = folders();
        const policies = matching.map((when, index) => ({
          id: `p${index}`,
          on: event.kind,
          ...when,
          action: 'deny',
          reason: 'no',
        }));
        writeFileSync(join(cwd, 'policy.yaml'), JSON.stringify({ version: 1, policies }));
        const { stdout } = await runCli(['check', '--json', 'policy.yaml'], {
          cwd,
          env: { HOME: '/nonexistent' },
        });
        const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string }[] };
        // A branch may match nothing of a policy that matches by another, and tools of plugins are no host's.
        const whole = diagnostics.filter(
          ({ code, message }) => code === 'never-matches' && !/any\.\d|of this name/.test(message),
        );
        expect({
          event: `${host.name} ${event.tool?.name}`,
          matching,
          whole: whole.map(({ message }) => message),
        }).toEqual({
          event: `${host.name} ${event.tool?.name}`,
          matching,
          whole: [],
        });
      },
    ),
    { numRuns: 150 },
  );
  expect(live).toBeGreaterThan(300);
});
