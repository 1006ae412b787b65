import { describe, expect, test } from 'bun:test';
import { rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { isRefused, rewritten } from './command.ts';

const REPLACEMENTS = {
  'npm install': 'npm ci',
  'npm i': 'npm ci',
  'docker-compose up *': 'docker compose up',
  'git checkout *': 'git switch',
  'git push *': 'git push --dry-run',
  'git stash drop *': 'git stash show',
  'docker run *': 'docker create',
  'npm stop *': 'npm run halt',
  'pnpm add *': 'pnpm dlx',
  'pnpm install *': 'pnpm fetch',
};

describe('subcommand', () => {
  test.each<[command: string, expected: string]>([
    ['npm install', 'npm ci'],
    ['npm i', 'npm ci'],
    ['cd app && npm install --no-audit; ls', 'cd app && npm ci --no-audit; ls'],
    ['npm --prefix app install', 'npm --prefix app ci'],
    ['sudo npm "install"', 'sudo npm ci'],
    ['/usr/bin/npm install', '/usr/bin/npm ci'],
    ["sh -c 'npm install && npm test'", "sh -c 'npm ci && npm test'"],
    ['echo "$(npm install)"', 'echo "$(npm ci)"'],
    ['f() { npm install; }; f; f', 'f() { npm ci; }; f; f'],
    ["bash <<'E'\nnpm install\nE", "bash <<'E'\nnpm ci\nE"],
    ['docker-compose up -d web', 'docker compose up -d web'],
    ['git -C a checkout main', 'git -C a switch main'],
    ['git checkout "$B"', 'git switch "$B"'],
    ['git push; git push --dry-run origin', 'git push --dry-run; git push --dry-run origin'],
    ['git -C a stash -q drop', 'git -C a stash show -q'],
    ['npm add; npm isntall', 'npm ci; npm ci'],
    ['docker container -D run alpine', 'docker create -D alpine'],
    ['npm run stop -- a; npm stop', 'npm run halt -- a; npm run halt'],
    ['pnpm i a; pnpm install a; pnpm add a', 'pnpm dlx a; pnpm fetch a; pnpm dlx a'],
  ])('of %p gives %p', (command, expected) => {
    expect(rewritten('subcommand', REPLACEMENTS, command)).toBe(expected);
  });

  test.each([
    'echo npm install',
    'echo "npm install"',
    "git commit -m 'npm install'",
    'cat > a <<E\nnpm install\nE',
    '# npm install',
    'npm ci',
    'npm run install',
    'npm test install',
    'npm it',
    'docker "$X" alpine',
    'npm',
    'npm $X',
    '$X install',
    'yarn install',
    'git checkout --help',
    'docker compose up',
    "echo 'not closed",
  ])('leaves %p alone', (command) => {
    expect(rewritten('subcommand', REPLACEMENTS, command)).toBe(command);
  });

  const NPM = '! Cannot replace command "npm install" by "npm ci": ';
  test.each<[command: string, message: string]>([
    ['npm install express', `${NPM}words follow it; write "npm ci" alone`],
    ['npm add express', `${NPM}words follow it; write "npm ci" alone`],
    ['npm install && npm install express', `${NPM}words follow it; write "npm ci" alone`],
    ['npm {install,}', `${NPM}"install" is not in the command word for word; write "npm ci" there`],
    ['npm install "$X"', `${NPM}words follow it; write "npm ci" alone`],
    ['npm install $X', `${NPM}words follow it; write "npm ci" alone`],
    ['ls | xargs npm install', `${NPM}words follow it; write "npm ci" alone`],
    ['X=install; npm $X', `${NPM}"install" is not in the command word for word; write "npm ci" there`],
    ['{npm,install}', `${NPM}"install" is not in the command word for word; write "npm ci" there`],
    [
      'eval npm install',
      `${NPM}"install" is in a text that is joined from parts before it runs; write "npm ci" there`,
    ],
    [
      'python3 -c "import os; os.system(\'npm install\')"',
      `${NPM}"install" is in code of another language; write "npm ci" there`,
    ],
    [
      'docker-compose -f a.yml up',
      '! Cannot replace command "docker-compose up" by "docker compose up": the words between would belong to another program; write "docker compose up" there',
    ],
    [
      "npm install '",
      '! Cannot look for program "npm": the command cannot be read to its end; write it more simply',
    ],
  ])('refuses %p', (command, message) => {
    expect(rewritten('subcommand', REPLACEMENTS, command)).toBe(message);
  });

  test('refuses a word that may be the value of a flag', () => {
    const spec = { 'tool server drop *': 'tool server show' };
    expect(isRefused(rewritten('subcommand', spec, 'tool --to server drop a'))).toBe(true);
    expect(rewritten('subcommand', spec, 'tool server drop a')).toBe('tool server show a');
  });
});

describe('check of subcommand', () => {
  const problems = (spec: JsonObject) =>
    (rewriteForm('subcommand')?.check?.(spec) ?? []).map(
      ({ path, message, hint }) => `${path.join('.')}: ${message} | ${hint}`,
    );

  test.each<[JsonObject, string]>([
    [
      { npm: 'pnpm' },
      'npm: Cannot replace command "npm": it has no subcommand | write npm install, or change the program by "program"',
    ],
    [
      { 'npm --prefix install': 'npm ci' },
      'npm --prefix install: Cannot replace command "npm --prefix install": it has a flag | name the program and its subcommands; flags are left as they are',
    ],
    [
      { '/bin/npm install': 'npm ci' },
      '/bin/npm install: Cannot replace command "/bin/npm install": it begins with no name of a program | write the name alone, such as npm: a program is found in every folder',
    ],
    [
      { 'npm install': "npm 'ci'" },
      'npm install: Cannot replace command "npm install" by "npm \'ci\'": it takes words that need no quotes | write a program and what follows it with single spaces, of letters, digits and any of _ . / : @ = + , -',
    ],
    [
      { 'npm i': 'npm install', 'npm install': 'npm ci' },
      'npm i: Cannot replace command "npm i" by "npm install": "npm install" is replaced too | write the command to run instead',
    ],
    [
      { 'npm install': 'npm install' },
      'npm install: Cannot replace command "npm install" by "npm install": they are the same | write the command to run instead',
    ],
  ])('of %j says what is wrong', (spec, expected) => {
    expect(problems(spec)).toEqual([expected]);
  });

  test('lets a command stand in its own replacement', () => {
    expect(problems(REPLACEMENTS)).toEqual([]);
  });
});
