import { describe, expect, test } from 'bun:test';
import { metFacts } from '../../src/language/engine/met-facts.ts';
import { requirementsOf } from '../../src/language/policy/parse/normalise-policy.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import type { MetFact } from '../../src/model/history.ts';
import type { FactRow } from '../../src/model/policy.ts';
import { factsOf, shell } from '../matchers/support.ts';

const ROOT = '/workspace';
const IN_SHOP = {
  repository: (folder = ROOT) => (`${folder}/`.startsWith(`${ROOT}/`) ? { root: ROOT, name: null } : null),
  workspace: ROOT,
  isThere: (path: string) => !path.startsWith('/nowhere'),
};
const TESTED = { command: { subcommand: ['npm', 'test'] } };

function row(when: JsonObject, values: readonly string[] = []): FactRow {
  const position = { file: 'f.yaml', line: 1, column: 1, length: 1 };
  return { id: 'f', position, layer: 'project', when, values, ...requirementsOf(when) };
}

/** What is certain of a command for a fact; undefined if it does not meet it. */
function certainty(command: string, when: JsonObject = TESTED): string | undefined {
  return told(metFacts([row(when)], shell(command, IN_SHOP)));
}

function told([found]: readonly MetFact[]): string | undefined {
  if (found === undefined) return undefined;
  const { met, ran, own, alone, hiddenBy } = found;
  return Object.entries({ met, ran, own, alone })
    .flatMap(([key, value]) => (value === true ? [key] : []))
    .concat(hiddenBy ?? [])
    .join(' ');
}

describe('metFacts', () => {
  test.each([
    ['npm test', 'met ran own alone'],
    ['npm run lint', undefined],
    ['npm test > test.log 2>&1', 'met ran own alone'],
    ['npm test > /nowhere/x', 'met own alone'],
    ['npm test 2>/dev/null', 'met ran own alone'],
    ['npm test && git push', 'met ran own'],
    ['cd web && npm test', 'met own'],
    ['npm test | tail -3', 'met ran pipe'],
    ['set -o pipefail; npm test | tail -3', 'met ran own'],
    ['true || npm test', 'met or'],
    ['npm test || true', 'met ran or'],
    ['npm test; true', 'met ran sequence'],
    ['if false; then npm test; fi', 'met condition'],
    ['f() { npm test; }', undefined],
    ['npm test &', 'met background'],
    ['npm test --help', 'met dry_run'],
    ['npm test -- --listTests', 'met dry_run'],
    ['cd /tmp/stub && npm test', 'met elsewhere'],
    ['npm --prefix /tmp/stub test', 'met elsewhere'],
    ['npm --prefix=../stub test', 'met elsewhere'],
    ['npm --prefix other test', 'met elsewhere'],
    ['SKIP_SLOW=1 npm test', 'met dry_run'],
    ['APP_ENV=test npm -s test', 'met ran own alone'],
    ['npm test --node-options=--require=/tmp/x.js', 'met code'],
    ['npm test --node-options "--require /tmp/x.js"', 'met code'],
    ['npm test --script-shell=true', 'met dry_run'],
    ['npm test --if-present=true', 'met dry_run'],
    ['npm test --ignore-scripts=true', 'met dry_run'],
    ['npm test -- --require=--x=/tmp/x.js', 'met elsewhere'],
    ['/tmp/bin/npm test', 'met code'],
    ['flock /tmp/lock npm test', 'met ran own alone'],
    ['timeout 60 npm test', 'met ran own alone'],
    ['pnpm --dir /tmp/stub exec npm test', 'met elsewhere'],
    ['/tmp/bin/timeout 60 npm test', 'met code'],
    ['bash -euo pipefail -c "npm test | tail"', 'met ran own'],
    ['/usr/bin/npm test', 'met ran own alone'],
    ['PATH=/tmp/bin:$PATH npm test', 'met code'],
    ['export PATH=/tmp/bin; npm test', 'met code'],
    ['. ./settings.sh && npm test', 'met code'],
    ['. .venv/bin/activate && npm test', 'met own'],
    ['NODE_OPTIONS=--require=./x npm test', 'met code'],
    ['CI=1 npm test', 'met ran own alone'],
    ['PATH=stub npm test', 'met code'],
    ['LD_PRELOAD=x.so npm test', 'met code'],
    ['npm_config_script_shell=true npm test', 'met code'],
    ['PYTHONPATH=stub npm test', 'met code'],
    ['PYTEST_PLUGINS=stub npm test', 'met code'],
    ['GOWORK=off npm test', 'met code'],
    ['PYTHONPATH=. npm test', 'met ran own alone'],
    [`NODE_OPTIONS=${'a'.repeat(64)}! npm test`, 'met code'],
    ['NODE_OPTIONS=--max-old-space-size=4096 npm test', 'met ran own alone'],
    ['npm test -- --junitxml=/tmp/j.xml', 'met ran own alone'],
    ['cd node_modules/x && npm test', 'met elsewhere'],
    ['npm --prefix x/../../other test', 'met elsewhere'],
    ['ssh ci npm test', 'met machine'],
    ['timeout 60 npm test', 'met ran own alone'],
    ['bash -lc "npm test"', 'met ran own alone'],
    ['npm test > /tmp/log 2>&1', 'met ran own alone'],
    ['npm test; npm test', 'met ran own'],
    ['eval "$(cat x)"; npm test', 'met code'],
    ['eval "$(pyenv init -)"; npm test', 'met ran own'],
    ['source <(cat x); npm test', 'met code'],
    ['. /dev/stdin < x; npm test', 'met code'],
    ['bash --rcfile x -ic "npm test"', 'met code'],
    ['CDPATH=/x npm test', 'met code'],
    ['PYTHONPATH=src:. npm test', 'met ran own alone'],
    ['echo npm test', undefined],
  ])('of %j: %s', (command, expected) => {
    expect(certainty(command)).toBe(expected as string);
  });

  test.each([
    ['jest -t nothing', 'jest --coverage'],
    ['jest src/a.test.ts', 'jest --silent'],
    ['jest -o', 'jest --ci'],
    ['npm test -- -t nothing', 'npm test -- --verbose'],
    ['npm test -- src/a.test.ts', 'npm test -- --reporter dot'],
    ['npm test -- --changed', 'npm test -- --runInBand'],
    ['pnpm --filter none test', 'pnpm test'],
    ['mocha -g nothing', 'mocha --exit'],
    ['rspec -e nothing', 'rspec --format doc'],
    ['ctest -R nothing', 'ctest --test-dir build'],
    ['swift test --skip .', 'swift test'],
    ['mix test test/a_test.exs', 'mix test --trace'],
    ['cargo test parser', 'cargo test --workspace --features x --message-format short'],
    ['cargo test --workspace --exclude x', 'cargo test --target a --profile ci -j 2 --color never'],
    ['cargo test --test integration', 'cargo test --lockfile-path a --target-dir b --all-targets'],
    ['cargo t --bin=shop', 'cargo t --manifest-path Cargo.toml'],
    ['cargo test -p shop', 'cargo +nightly test --tests'],
    ['cargo nextest run parser', 'cargo nextest run --message-format human -P ci'],
    ['cargo nextest run -E none', 'cargo nextest r --retries 2'],
    ['cargo nextest list', 'cargo nextest run --workspace'],
    ['cargo t -- --exact parser', 'cargo t -- --nocapture --test-threads 1'],
    ['ava --version', 'ava -v'],
    ['phpunit --group none', 'phpunit -v tests'],
    ['flutter test --version', 'flutter -v test'],
    ['cargo test -- --skip ""', 'cargo test -v -- --nocapture'],
    ['mvn test -DfailIfNoTests=false', 'mvn -q test'],
    ['make test -o all', 'make -k test'],
    ['make -v test', 'make -j4 test'],
    ['go test ./shop', 'go test -v ./...'],
    ['go test -count=0 ./...', 'go test -count=1 ./...'],
    ['go test ./... --run=NONE', 'go test ./... -json'],
    ['npm test -- --run NONE', 'npm test -- --run'],
    ['pytest -k login', 'pytest -xvs --tb=short tests/'],
    ['dotnet test --filter Nothing', 'dotnet test -v n'],
    ['npx -v jest', 'npx jest'],
    ['npx -p jest -v jest', 'npx -y jest'],
    ["fish -v -c 'npm test'", "fish -c 'npm test'"],
    ['bats -v test', 'bats test'],
    ['bundle -v exec rspec', 'bundle exec rspec'],
    ['timeout -V 9 npm test', 'timeout -v 9 npm test'],
    ['ctest -N', 'ctest -V'],
    ['mvn verify -PskipTests', 'mvn verify -Pintegration'],
    ['make test TESTS=none', 'make -j4 V=1 test'],
    ['dotnet test Other.csproj', 'dotnet test Shop.sln --no-build -v n'],
    ['mvn -pl other test', 'mvn -B clean verify'],
    ['gradle test --tests A', 'gradle clean test --info'],
    ['rake test TEST=a.rb', 'rake test'],
    ['cargo -V test', 'cargo -v test'],
    ['unheard-of -v test', 'unheard-of test -v'],
  ])('%j may pass without a test, unlike %j', (none, some) => {
    const [program = ''] = none.split(' ');
    const ran = { command: { run: [program] } };
    expect([certainty(none, ran), certainty(some, ran)]).toEqual(['met dry_run', 'met ran own alone']);
  });

  test.each([
    ['npm test', 'met ran own alone'],
    ['npm test 2>&1', 'met ran own alone'],
    ['& npm test', 'met ran own alone'],
    ['npm test 2>&1; exit 0', 'met sequence'],
    ['npm test *>&1 | Out-Null', 'met sequence'],
  ])('of %j in PowerShell: %s', (command, expected) => {
    const call = { on: 'before_tool', tool: 'PowerShell', arguments: { command } } as const;
    expect(told(metFacts([row(TESTED)], factsOf(call, IN_SHOP)))).toBe(expected);
  });

  test('says what may be met', () => {
    expect(certainty('npm "$X"')).toBe('');
    expect(certainty('$X test')).toBe('');
  });

  test('takes a call of another tool for one thing', () => {
    const read = factsOf({ on: 'before_tool', tool: 'read', arguments: { path: `${ROOT}/.env` } }, IN_SHOP);
    const fact = row({ path: { match: '.env', uses: 'read' } }, ['path', 'repository', 'agent']);
    expect(metFacts([fact], read)).toEqual([
      {
        fact: 'f',
        met: true,
        ran: true,
        own: true,
        alone: true,
        values: { path: [`${ROOT}/.env`], repository: [ROOT], agent: [''] },
      },
    ]);
  });

  test('leaves out values that are not known', () => {
    const [found] = metFacts([row({ tool: 'shell' }, ['path'])], shell('cat "$X"', IN_SHOP));
    expect(found?.values).toEqual({});
  });
});

test.each([
  ['cd web && npm test', ['/workspace/web']],
  ['(cd web && npm test) && npm test', ['/workspace/web', '/workspace']],
  ['npm test && cd web && ls', ['/workspace']],
  ['cd build/debug && make test', ['/workspace']],
  ['cd out && npm test', ['/workspace/out']],
  ['cd "$X" && npm test', undefined],
])('the tests of %j are about %j', (command, folders) => {
  const [found] = metFacts(
    [row({ command: { subcommand: [['npm', 'make'], 'test'] } }, ['folder'])],
    shell(command, IN_SHOP),
  );
  expect(found?.values['folder']).toEqual(folders);
});

test('a look at a file counts for every folder', () => {
  const looked = { path: { match: '**/*.sh', uses: 'read' } };
  const [found] = metFacts([row(looked, ['folder'])], shell('cd web && cat a.sh', IN_SHOP));
  expect(found?.values['folder']).toEqual([ROOT]);
});

test('folders of Windows are compared as any', () => {
  const root = 'C:/work/shop';
  const there = { repository: () => ({ root, name: null }), workspace: root, foldsNames: () => true };
  const at = (tool: string, given: JsonObject) =>
    factsOf({ on: 'before_tool', tool, arguments: given, context: { cwd: 'c:\\Work\\Shop' } }, there);
  const [ran] = metFacts([row(TESTED, ['folder'])], at('PowerShell', { command: 'cd web; npm test' }));
  const [changed] = metFacts(
    [row(EDITED, ['folders'])],
    at('write', { path: 'Web\\src\\a.ts', content: '' }),
  );
  expect(ran?.values['folder']).toEqual(['c:/work/shop/web']);
  expect(changed?.values['folders']).toEqual(['c:/work/shop/web/src', 'c:/work/shop/web', 'c:/work/shop']);
});

const EDITED = { path: { match: '**/*.ts', except: '**/dist/**', uses: ['write', 'delete'] } };

test.each([
  'npx prettier --write .',
  'eslint --fix',
  'ruff format',
  'black .',
  'gofmt -w .',
  'cargo fmt',
  'npm run format',
  'npm run lint -- --fix',
  'pnpm lint --fix',
  'git submodule update',
  'make fmt',
  'git stash pop',
  'git stash',
  'git checkout main',
  'git checkout -- .',
  'git restore src',
  'git reset --hard',
  'git pull',
  'git merge dev',
  'git clean -fd',
  'rsync -a other/ src/',
  'rm -rf src',
  'timeout 60 cargo fmt',
  'tar xf a.tar',
])('%j may change the code', (command) => {
  expect(certainty(command, EDITED)).toBeDefined();
});

test.each([
  'npx prettier --check .',
  'eslint .',
  'ruff format --check .',
  'cargo fmt -- --check',
  'cargo fmt --check',
  'npm run lint',
  'git checkout -b new',
  'git restore --staged src',
  'git stash list',
  'git fetch',
  'git commit -am x',
  'rm -rf dist',
  'rm -rf /tmp/x',
  'rsync -a src/ host:/srv',
  'npm ci',
  'ssh host cargo fmt',
])('%j does not', (command) => {
  expect(certainty(command, EDITED)).toBeUndefined();
});

test('what may be changed below a folder is not certain', () => {
  expect(certainty('rm -rf src', EDITED)).toBe('');
});

test.each(['pathInProject', 'path_in_repository'])('an MCP tool edits the file in its %s', (name) => {
  const event = factsOf({
    on: 'before_tool',
    tool: 'mcp__ide__replace_text_in_file',
    arguments: { [name]: 'src/a.ts', oldText: 'a', newText: 'b' },
  });
  const [found] = metFacts([row({ path: 'src/**' })], event);
  expect(found).toBeDefined();
});
