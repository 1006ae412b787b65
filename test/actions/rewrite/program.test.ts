import { describe, expect, test } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020';
import { rewriteForm } from '../../../src/language/actions/rewrite/registry.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { rewriteInput } from '../input.ts';
import { isRefused, rewritten } from './command.ts';

const REPLACEMENTS = {
  npm: 'pnpm',
  npx: 'pnpm dlx',
  node: 'timeout 60 node',
  git: 'git -c core.pager=cat',
  tool: 'tool',
};

/** A command and what becomes of it; `same` if nothing does. */
const REWRITES: readonly (readonly [string, string])[] = [
  ['npm i', 'pnpm i'],
  ['cd a && npm i; npm t | npm x >npm', 'cd a && pnpm i; pnpm t | pnpm x >npm'],
  ['A=npm  npm\tadd "npm"  # npm', 'A=npm  pnpm\tadd "npm"  # npm'],
  ['🙂 x; npm i', '🙂 x; pnpm i'],
  ['sudo -u npm npm i', 'sudo -u npm pnpm i'],
  ['find . -name npm -exec npm {} \\;', 'find . -name npm -exec pnpm {} \\;'],
  ['echo "$(npm bin)" `npm bin` <(npm ls)', 'echo "$(pnpm bin)" `pnpm bin` <(pnpm ls)'],
  ['f() { npm i; }; f; f', 'f() { pnpm i; }; f; f'],
  ['for f in a b; do npm $f; done', 'for f in a b; do pnpm $f; done'],
  ["sh -c 'npm i'", "sh -c 'pnpm i'"],
  ['sh -c "sh -c \'npm i\'"', 'sh -c "sh -c \'pnpm i\'"'],
  ['sh -c npm', 'sh -c pnpm'],
  ["ssh host 'npm i'", "ssh host 'pnpm i'"],
  ["trap 'npm i' EXIT; eval 'npm t'", "trap 'pnpm i' EXIT; eval 'pnpm t'"],
  ['cat <<E\n$(npm i) npm\nE', 'cat <<E\n$(pnpm i) npm\nE'],
  ['/usr/bin/npm i && ./bin/npm t', 'pnpm i && pnpm t'],
  ['npm.cmd i', 'pnpm i'],
  ['"npm" i', '"pnpm" i'],
  ['"npx" x', 'pnpm dlx x'],
  ["sh -c 'npx x'", "sh -c 'pnpm dlx x'"],
  ['xargs npx x', 'xargs pnpm dlx x'],
  ['npm i; npx x; pnpm y', 'pnpm i; pnpm dlx x; pnpm y'],
  ['node a; timeout 60 node b; nice node c', 'timeout 60 node a; timeout 60 node b; nice timeout 60 node c'],
  ['git push; git -c core.pager=cat log', 'git -c core.pager=cat push; git -c core.pager=cat log'],
  ['/usr/bin/tool x; tool y', 'tool x; tool y'],
  ['alias npm=x; npm i', 'alias npm=x; pnpm i'],
  ['echo npm', 'same'],
  ["git -c core.pager=cat commit -m 'npm i'", 'same'],
  ['cat > npm <<E\nnpm i\nE', 'same'],
  ['command -v npm', 'same'],
  ['npm() { x; }; npm i', 'same'],
  ['pnpm i', 'same'],
  ['$X i', 'same'],
  ["echo 'not closed", 'same'],
  ['bash <<E\nnpm i\nE', 'bash <<E\npnpm i\nE'],
  [
    "cd a; bash -s x <<'E' >o\n  npm i; $X\nnpx $1\nE\nnpm t",
    "cd a; bash -s x <<'E' >o\n  pnpm i; $X\npnpm dlx $1\nE\npnpm t",
  ],
  ["ssh host <<'E'\nnpm i\nE", "ssh host <<'E'\npnpm i\nE"],
  ["sudo sh <<'E'\nsh -c 'npm i'\nE", "sudo sh <<'E'\nsh -c 'pnpm i'\nE"],
  ["cat <<'E' | sh\nnpm i\nE", "cat <<'E' | sh\npnpm i\nE"],
  ["bash <<< 'npm i'", "bash <<< 'pnpm i'"],
  ['sh -c \'npm i "$1"\' sh $X', 'sh -c \'pnpm i "$1"\' sh $X'],
];

describe('program', () => {
  test.each([...REWRITES])('of %p gives %p', (command, expected) => {
    expect(rewritten('program', REPLACEMENTS, command)).toBe(expected === 'same' ? command : expected);
  });

  test.each<[string, string]>([
    ['X=npm; $X i', 'is not in the command word for word'],
    ['X=npm; "$X" i', 'is not in the command word for word'],
    ['~/bin/npm i', 'is not in the command word for word'],
    ['$HOME/npm i', 'is not in the command word for word'],
    ['\\npm i', 'is not in the command word for word'],
    ['n""pm i', 'is not in the command word for word'],
    ["n'p'm i", 'is not in the command word for word'],
    ['{npm,i}', 'is not in the command word for word'],
    ['npm t; X=npm; $X i', 'is not in the command word for word'],
    ['eval npm i', 'is in a text that is joined from parts before it runs'],
    ['ssh host npm i', 'is in a text that is joined from parts before it runs'],
    ['bash <<E\nnpm i $X\nE', 'is in a text that is joined from parts before it runs'],
    ['bash <<-E\n\tnpm i\nE', 'is in a text that is joined from parts before it runs'],
    ['sh -c "npm i $X"', 'is in a text that is joined from parts before it runs'],
    ['echo "npm i" | sh', 'is in a text that is joined from parts before it runs'],
    ['python3 -c "import os; os.system(\'npm i\')"', 'is in code of another language'],
  ])('refuses %p: the name %s', (command, why) => {
    expect(rewritten('program', REPLACEMENTS, command)).toBe(
      `! Cannot replace program "npm" by "pnpm": its name ${why}; write "pnpm" there`,
    );
  });

  test.each(["npm i '", 'npm i; fi', `npm i ${';'.repeat(60_000)}`, `npm i ${'x'.repeat(1 << 20)}`])(
    'refuses what cannot be read to its end and names the program (%#)',
    (command) => {
      expect(rewritten('program', REPLACEMENTS, command)).toBe(
        '! Cannot look for program "npm": the command cannot be read to its end; write it more simply',
      );
    },
  );

  test('refuses where the words after the name would be lost', () => {
    expect(rewritten('program', REPLACEMENTS, 'bash -c npx')).toBe(
      '! Cannot replace program "npx" by "pnpm dlx": the command would not run it in the same place',
    );
  });

  test('refuses a program in a variable that happens to stand elsewhere too', () => {
    const command = 'S=\'xx ; npm i\'; bash -c "$S"; npm x';
    expect(isRefused(rewritten('program', REPLACEMENTS, command))).toBe(true);
  });

  test('refuses a word of the shell as a program', () => {
    expect(isRefused(rewritten('program', { npm: 'if' }, 'npm i'))).toBe(true);
  });

  test("changes every command text of the call, under the portable name and under the host's", () => {
    const subject = {
      tool: 'type',
      arguments: { command: ['npm i', 'ls'], data: 'npm t\n', other: 'npm i', path: 'npm' },
    };
    const input = { ...rewriteInput('before_tool', subject), aliases: { command: 'data' } };
    const changed = rewriteForm('program')?.apply({ npm: 'pnpm' }, subject, input);
    expect<unknown>(changed).toEqual({
      tool: 'type',
      arguments: { command: ['pnpm i', 'ls'], data: 'pnpm t\n', other: 'npm i', path: 'npm' },
    });
  });

  test('changes what a tool that nobody explains may run, wherever it stands', () => {
    const subject = {
      tool: 'what',
      arguments: { program: 'npm', args: ['i'], input: { steps: [{ run: 'npm t' }] }, script: "it's npm" },
    };
    const commands = [['program'], ['input', 'steps', 0, 'run'], ['script']].map((at, index) => ({
      at,
      words: index === 0 ? [['args']] : [],
      directories: [],
      uncertain: true,
    }));
    const input = { ...rewriteInput('before_tool', subject), commands };
    expect<unknown>(rewriteForm('program')?.apply({ npm: 'pnpm' }, subject, input)).toEqual({
      tool: 'what',
      arguments: { program: 'pnpm', args: ['i'], input: { steps: [{ run: 'pnpm t' }] }, script: "it's npm" },
    });
  });

  test('leaves a call without a command alone', () => {
    const subject = { tool: 'read', arguments: { path: 'npm' } };
    expect(
      rewriteForm('program')?.apply({ npm: 'pnpm' }, subject, rewriteInput('before_tool', subject)),
    ).toBe(subject);
  });
});

describe('check of program', () => {
  const problems = (spec: JsonObject) =>
    (rewriteForm('program')?.check?.(spec) ?? []).map(
      ({ path, message, hint }) => `${path.join('.')}: ${message} | ${hint}`,
    );

  test.each<[JsonObject, string]>([
    [
      { npm: 'pnpm', pnpm: 'yarn' },
      'npm: Cannot replace program "npm" by "pnpm": "pnpm" is replaced too | write the command to run instead',
    ],
    [
      { npm: '/opt/pnpm add', pnpm: 'yarn' },
      'npm: Cannot replace program "npm" by "/opt/pnpm add": "pnpm" is replaced too | write the command to run instead',
    ],
    [
      { '/usr/bin/npm': 'pnpm' },
      '/usr/bin/npm: Cannot replace program "/usr/bin/npm": it is not a name | write the name alone, such as npm: a program is found in every folder',
    ],
  ])('of %j says what is wrong', (spec, expected) => {
    expect(problems(spec)).toEqual([expected]);
  });

  test('lets a program stand in its own replacement', () => {
    expect(problems(REPLACEMENTS)).toEqual([]);
  });

  test.each<[string, boolean]>([
    ['pnpm dlx', true],
    ['./bin/npm_2 --x=1 @scope/pkg@1.0', true],
    ['A=1 npm', false],
    ['-x', false],
    ['pnpm; x', false],
    ['pnpm  dlx', false],
    ['pnpm ', false],
    ["pn'pm", false],
    ['$X', false],
    ['a\nb', false],
  ])('takes %j: %p, because words need no quotes', (words, expected) => {
    const found = problems({ npm: words });
    expect(found.length === 0).toBe(expected);
    if (!expected)
      expect(found[0]).toBe(
        `npm: Cannot replace program "npm" by "${words}": it takes words that need no quotes | write a program and what follows it with single spaces, of letters, digits and any of _ . / : @ = + , -`,
      );
  });

  test('takes names and texts only', () => {
    const valid = new Ajv2020().compile(rewriteForm('program')?.schema ?? {});
    expect([{ npm: 'pnpm' }, {}, { npm: '' }, { npm: ['a'] }, []].map((spec) => valid(spec))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
