import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { BareCall } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { settingFor } from '../../src/language/calls/answer-call.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { compileWhen, holds } from '../../src/language/keys/when.ts';
import type { Json, JsonObject } from '../../src/lib/json.ts';
import { NO_HISTORY } from '../../src/model/history.ts';
import { NO_SURROUNDINGS } from '../../src/model/surroundings.ts';
import { runCli } from '../cli/test-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
    { command: 'git push --force --dry-run origin main', path: 'src/a/b.ts' },
    { command: 'rm -f src/a/b.ts docs', url: 'http://10.0.0.7:8080/x' },
    { command: 'curl http://docs.a.example:81/ && git fetch', url: 'ws://localhost/' },
    { team: 'web' },
  ),
});

const some = <T extends Json>(...items: readonly T[]): fc.Arbitrary<Json> =>
  fc.oneof(fc.constantFrom<Json>(...items), fc.subarray<Json>([...items], { minLength: 1, maxLength: 2 }));
const optional = (model: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> =>
  fc
    .record(model, { requiredKeys: [] })
    .filter((keys) => Object.keys(keys).length > 0)
    .map((keys) => keys as JsonObject);

const flags = some('-f', '--force', '-n', '--dry-run', '-r');
const operands = optional({
  first: fc.constantFrom<Json>('origin', { equals: 'b' }, 'src'),
  rest: fc.constantFrom<Json>('main', { one_of: ['docs', 'x'] }),
  min: fc.nat(3),
  max: fc.nat(3),
});
const globs = some('src/**', 'src/a/**', '*.ts', '**/*.ts', '**', 'src/*', 'src/a/b.ts', './src/a/*', 'docs');
const plainCommand = {
  run: some('git', 'rm', 'g*', '*', 'curl'),
  subcommand: fc
    .tuple(some('git', 'g*', 'rm'), some('push', 'fetch'))
    .map(([program, word]): Json => [program, word]),
  flags: optional({ any: flags, all: flags, none: flags, unless: flags }),
  args: operands,
};
const pathTest = optional({
  match: globs,
  except: globs,
  unless: globs,
  outside: fc.constant('workspace'),
}).filter((test) => test['match'] !== undefined || test['outside'] !== undefined);
const urlKeys = {
  scheme: some('http', 'https', 'ws'),
  host: some(
    'a.example',
    'docs.a.example',
    '10.0.0.0/8',
    '10.0.0.0/29',
    '10.0.0.7',
    '*.example',
    'localhost',
  ),
  port: some<Json>(80, '80-90', 8080, '1-65535'),
  private: fc.boolean(),
};
const urlTest = optional({ ...urlKeys, except: optional(urlKeys) }).filter(
  (test) => Object.keys(test).join() !== 'except',
);
/** One key each, as an exception that excepts nothing is named as well. */
const exception = fc.oneof(
  fc.record({ run: plainCommand.run }),
  fc.record({ subcommand: plainCommand.subcommand }),
  fc.constantFrom('any', 'all', 'none').chain((key) => fc.record({ flags: fc.record({ [key]: flags }) })),
  fc.record({ args: fc.record({ first: fc.constantFrom('origin', 'b') }) }),
);
const commandTest = optional({
  ...plainCommand,
  reads: pathTest,
  network: urlTest,
  except: fc.oneof(exception, fc.array(exception, { minLength: 1, maxLength: 3 })),
}).filter((test) => Object.keys(test).join() !== 'except');

/** Keys with nothing in them that is dead, which may be excluded. */
const simple: fc.Arbitrary<readonly [string, Json]> = fc.oneof(
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
const key: fc.Arbitrary<readonly [string, Json]> = fc.oneof(
  { weight: 2, arbitrary: simple },
  { weight: 1, arbitrary: commandTest.map((spec): [string, Json] => ['command', spec]) },
  { weight: 1, arbitrary: pathTest.map((spec): [string, Json] => ['path', spec]) },
  { weight: 1, arbitrary: urlTest.map((spec): [string, Json] => ['url', spec]) },
);
const several = (each: typeof key) =>
  fc.array(each, { minLength: 1, maxLength: 2 }).map((all): JsonObject => Object.fromEntries(all));
const branch = simple.map((each): JsonObject => Object.fromEntries([each]));
const whens: fc.Arbitrary<JsonObject> = fc
  .tuple(
    several(key),
    fc.option(fc.tuple(fc.constantFrom('any', 'all'), fc.array(branch, { minLength: 1, maxLength: 2 }))),
    fc.option(several(simple)),
  )
  .map(([plain, composed, not]) => ({
    ...plain,
    ...(composed === null ? {} : { [composed[0]]: composed[1] }),
    ...(not === null ? {} : { not }),
  }));

/** Two seconds are usual, and a busy machine takes more than the five that `bun test` gives by itself. */
const LIMIT_MS = 60_000;

test(
  'a policy that matches some call is never said to match none',
  async () => {
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
          const facts = {
            event,
            model: undefined,
            newTexts: event.texts,
            surroundings: NO_SURROUNDINGS,
            history: NO_HISTORY,
          };
          const matching = all.filter((when) => holds(compileWhen(when, MATCHER_TABLE), facts) === true);
          if (matching.length === 0) return;
          live += matching.length;
          const cwd = temporaryFolder();
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
          // A branch may match nothing of a policy that matches by another. Tools of plugins are no host's, and may be
          // called like one of another class.
          const whole = diagnostics.filter(
            ({ code, message }) =>
              code === 'never-matches' && !/any\.\d|of this name|these tools are/.test(message),
          );
          expect({
            event: `${host.name} ${event.tool?.name}`,
            matching,
            whole: whole.map(({ message }) => message),
          }).toEqual({ event: `${host.name} ${event.tool?.name}`, matching, whole: [] });
        },
      ),
      { numRuns: 80 },
    );
    expect(live).toBeGreaterThan(50);
  },
  LIMIT_MS,
);
