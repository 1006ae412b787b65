import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { callText } from './messages.ts';

const [, EXAMPLE = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/programs.md', 'utf8')) ?? [];

/** What the compiled hook answers, twice: from the policies' texts, then from what was kept of them. */
function answers(files: Readonly<Record<string, string>>, command: string): readonly string[] {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  mkdirSync(join(folder, 'project'), { recursive: true });
  writeFiles(folder, files);
  const once = () => {
    const { status, stdout, stderr } = spawnSync(BINARY, ['hook', '--host', 'gemini', '--no-log'], {
      cwd: join(folder, 'project'),
      env: { HOME: home, XDG_STATE_HOME: join(home, 'state') },
      input: callText(gemini, command, join(folder, 'project')),
      encoding: 'utf8',
    });
    return stdout === '{}' ? 'passes' : `${status} ${stdout}${stderr}`;
  };
  return [once(), once()];
}

describe('rows of policy files in the compiled hook', () => {
  const users = { 'home/.config/policy/acmectl.yaml': EXAMPLE };

  test.each(['acmectl --context prod server delete a', 'x=delete; sudo acmectl -o json volume "$x" b'])(
    'refuses %p by what follows from it',
    (command) => {
      for (const answer of answers(users, command)) expect(answer).toContain('takes down what others use');
    },
  );

  test.each([
    'acmectl --context prod server list',
    'acmectl server delete --help',
    'echo acmectl server delete a',
  ])('lets %p pass', (command) => {
    expect(answers(users, command)).toEqual(['passes', 'passes']);
  });

  test('believes a user, and not a project, that what a program prints runs nothing', () => {
    const row = 'version: 1\nprograms: {acme: {prints_settings: true}}\n';
    const answersWith = (place: string) =>
      answers(
        {
          'home/.config/policy/base.yaml': 'version: 1\nextends: [builtin:baseline]\n',
          'project/.git/HEAD': '',
          [place]: row,
        },
        'eval "$(acme init)"',
      );
    expect(answersWith('home/.config/policy/acme.yaml')).toEqual(['passes', 'passes']);
    for (const answer of answersWith('project/.policy/acme.yaml')) expect(answer).toContain('computed-code');
  });

  test('refuses every call if a row cannot be used', () => {
    const broken = {
      'home/.config/policy/acmectl.yaml': EXAMPLE.replace('destroys: infrastructure', 'destroys: all'),
    };
    for (const answer of answers(broken, 'ls'))
      expect(answer).toMatch(/Cannot load the policies.*acmectl\.yaml:9:/s);
  });
});
