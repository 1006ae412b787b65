import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { workplace } from '../hook/workplace.ts';
import { reasonOf } from './judged.ts';

function denying(command: string): string {
  return `version: 1\npolicies: [{id: no-${command}, command: ${command}, action: deny, reason: no ${command}}]\n`;
}

test.each([
  ['a folder', '../team'],
  ['a glob', '../team/**/*.yaml'],
])('a project extends %s, and what comes there or goes counts at once', async (_, name) => {
  const place = workplace({
    'project/.policy/own.yaml': `version: 1\nextends: ['${name}']\n`,
    'project/team/curl.yaml': denying('curl'),
    'project/team/deep/wget.yaml': denying('wget'),
    'project/team/notes.md': 'no policies',
  });
  expect(await reasonOf(place, 'curl x')).toContain('curl/no-curl');
  expect(await reasonOf(place, 'wget x')).toContain('wget/no-wget');
  expect(await reasonOf(place, 'ls')).toBe('');
  place.write({ 'project/team/ls.yaml': denying('ls') });
  expect(await reasonOf(place, 'ls')).toContain('ls/no-ls');
  rmSync(join(place.project, 'team/ls.yaml'));
  expect(await reasonOf(place, 'ls')).toBe('');
  rmSync(join(place.project, 'team'), { recursive: true });
  expect(await reasonOf(place, 'ls')).toContain('a file that cannot be extended');
});
