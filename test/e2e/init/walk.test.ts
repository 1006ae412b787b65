import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks } from '../../docs/markdown.ts';
import { repositoryIn } from '../../sources/git-repository.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { CAN_BE_ROOT, type Machine, machineIn } from '../sync/machine.ts';

const PAGE = 'docs/organisation.md';
/** What the page says, and what is there in its place. */
const SHARED = 'git+https://git.example.com/acme/policies';
const SERVER = 'https://policies.example.com';
const END = '--- end of a block';
let server: ReturnType<typeof Bun.serve>;
const folder = sharedFolder();
let machine: Machine;

beforeAll(() => {
  machine = machineIn(folder);
  for (const name of ['shop', 'site', 'api']) repositoryIn(join(machine.home, name));
  mkdirSync(join(machine.home, 'shop/.policy'));
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const path = join(machine.home, 'policies', new URL(url).pathname);
      return existsSync(path) ? new Response(Bun.file(path)) : new Response('', { status: 404 });
    },
  });
});
afterAll(() => server.stop(true));

const here = (text: string) =>
  text
    .replaceAll(SHARED, `git+file://${machine.home}/policies`)
    .replaceAll(SERVER, server.url.origin)
    .replaceAll('sudo ', '');
const onPage = (text: string) =>
  text.replaceAll(`git+file://${machine.home}/policies`, SHARED).replaceAll(server.url.origin, SERVER);

test.if(CAN_BE_ROOT)(
  'docs/organisation.md shows what its commands print',
  async () => {
    for (const block of codeBlocks(PAGE)) {
      const [, name = ''] = /^# (\S+)\n/.exec(block.text) ?? [];
      if (block.language === 'yaml') {
        const key = () => readFileSync(join(machine.home, 'policies/acme.pub'), 'utf8').split('\n')[1] ?? '';
        const text = here(block.text).replace(/\bKEY\b/, key);
        machine.write({ [name.replace('~', 'home').replace(/^\//, '')]: text });
        continue;
      }
      const parts = block.text.trimEnd().split(/^(?=\$ )/m);
      const commands = parts.map((part) => here(part.slice(2).split('\n')[0] ?? ''));
      const git =
        'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com';
      const script = commands.map((command) => `${command} 2>&1; echo '${END}'`).join('\n');
      const { stdout, stderr } = await machine.run(`{ ${git}; cd ~; ${moved(commands)}${script}; }`);
      expect(stderr).toBe('');
      const printed = onPage(stdout).split(`${END}\n`);
      for (const [index, part] of parts.entries()) {
        const [command = '', ...lines] = part.trimEnd().split('\n');
        expect([command, printed[index]?.trimEnd() ?? '']).toEqual([
          command,
          expect.stringMatching(patternOf(lines)),
        ]);
      }
    }
  },
  120_000,
);

/** Blocks begin where the one before has ended, unless they say where. */
let last = '';
function moved(commands: readonly string[]): string {
  const before = last === '' ? '' : `cd ${last}; `;
  last = commands.flatMap((command) => /\bcd (\S+)/.exec(command)?.[1] ?? []).at(-1) ?? last;
  return before;
}

/** A line that is `…` stands for any lines, and in a line for anything. */
function patternOf(lines: readonly string[]): RegExp {
  const escaped = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?.*' : line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*'),
  );
  return new RegExp(`^${escaped.join('\\n')}$`);
}
