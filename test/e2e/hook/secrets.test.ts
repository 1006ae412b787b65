import { describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../allow/call.ts';
import { workplace as newWorkplace, type Workplace } from './workplace.ts';

const TOKEN = `glpat-${'aB3dE5fG7hJ9kL1mN2pQ'}`;

function workplace(action: 'ask' | 'deny'): Workplace {
  return newWorkplace({
    'home/.config/policy/mine.yaml': `version: 1\npolicies:\n  - {id: all, action: ${action}, reason: 'no {{arguments.command}}'}\n`,
  });
}

/** Everything that is kept of a call, as one text. */
function kept(place: Workplace): string {
  return readdirSync(place.state, { recursive: true, encoding: 'utf8' })
    .filter((name) => /jsonl$|refused\/./.test(name))
    .map((name) => readFileSync(join(place.state, name), 'utf8'))
    .join('\n');
}

/** Arguments in which `hunter2x` or the token is a secret, wherever it stands. */
const CALLS: readonly Record<string, unknown>[] = [
  { command: 'mysql -u root -phunter2x shop' },
  { command: 'curl -u ada:hunter2x https://example.com' },
  { command: 'ls', env: { DB_PASSWORD: 'hunter2x' } },
  { command: 'ls', headers: { [`Authorization: Bearer ${TOKEN}`]: 1 } },
  { command: 'ls', argv: ['mysql', '-u', 'root', '-phunter2x'] },
  { command: 'ls', argv: ['redis-cli', '-a', 'hunter2x'] },
  { command: `cat ${TOKEN}/a` },
];

describe('secrets of a call', () => {
  test.each(CALLS)('%j is kept without them', async (args) => {
    const place = workplace('deny');
    expect(await call(place, '', { arguments: args as never, args: ['--log-input'] })).toBe('refused');
    const text = kept(place);
    expect(text).toContain('[redacted:');
    expect(text).toContain('"arguments"');
    for (const secret of ['hunter2x', TOKEN]) expect(text).not.toContain(secret);
  });

  test('names of tools, sessions and folders are kept without them', async () => {
    const place = workplace('deny');
    const cwd = join(place.project, TOKEN);
    place.write({ [`project/${TOKEN}/a`]: '' });
    const said = await call(place, 'ls', {
      cwd,
      session: TOKEN,
      tool: `mcp__a__${TOKEN}`,
      args: ['--log-input'],
    });
    expect(said).toBe('refused');
    const text = kept(place);
    expect(text).toContain('[redacted:gitlab]');
    expect(text).not.toContain(TOKEN);
  });

  test('a program that is asked gets the call without them, and all that runs', async () => {
    const place = workplace('ask');
    const path = join(place.folder, 'ask');
    writeFileSync(path, `#!/bin/sh\ncat > ${place.folder}/asked\necho deny\n`);
    chmodSync(path, 0o755);
    const command = 'TOKEN=`deploy --prod` mysql -phunter2x shop';
    expect(await call(place, command, { args: ['--approve-with', path] })).toBe('refused');
    const asked = JSON.parse(readFileSync(join(place.folder, 'asked'), 'utf8'));
    expect(asked.arguments.command).toBe('TOKEN=`deploy --prod` mysql -p[redacted:command-line] shop');
    expect(kept(place)).toContain('TOKEN=`deploy --prod`');
    expect(kept(place)).not.toContain('hunter2x');
  });
});
