import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DOCUMENT_HOSTS, shareOf } from './host-reading.ts';
import { answerIn } from './in-process.ts';
import { messageText } from './messages.ts';
import { workplace, workplaceIn } from './workplace.ts';

const DENY = 'version: 1\npolicies: [{id: never, tool: shell, action: deny, reason: Not here}]\n';

describe.each(DOCUMENT_HOSTS.map((tested) => [tested.title, tested] as const))('%s', (_title, tested) => {
  const args = ['hook', '--host', tested.host.name];
  const call = (cwd: string) =>
    messageText(tested.host, {
      on: 'before_tool',
      tool: 'shell',
      arguments: { command: 'ls' },
      context: { cwd },
    });

  test.each(shareOf(['/no/such/folder', '/etc/passwd', '', '.'], tested))(
    'says that it is in %p, and the policies of the folder where it starts the hook are in force',
    async (cwd) => {
      const place = workplace({ 'project/.policy/p.yaml': DENY });
      expect(tested.read('before_tool', await answerIn(place, args.slice(1), call(cwd)))).toBe('prevented');
    },
  );

  const [odd] = shareOf(['not UTF-8', 'as if it were not'], tested);

  test.skipIf(process.platform !== 'linux' || odd !== 'not UTF-8')(
    'is refused in a folder whose name is not UTF-8, unless the policies are named',
    async () => {
      const place = workplace();
      const inside = (...names: readonly string[]) =>
        Buffer.concat([Buffer.from(`${place.project}/odd`), Buffer.of(0xff), Buffer.from(names.join(''))]);
      mkdirSync(inside('/.policy'), { recursive: true });
      writeFileSync(inside('/.policy/p.yaml'), DENY);
      place.write({ 'free.yaml': DENY.replace('shell', 'read') });
      const shell = 'cd "$(printf \'odd\\377\')" && exec "$@"';
      const input = call(join(place.project, 'odd\ufffd'));
      const said = await place.run({ args, input, shell });
      expect(tested.read('before_tool', said)).toBe('prevented');
      expect(readFileSync(join(place.state, 'decisions.jsonl'), 'utf8')).toContain(
        'odd\ufffd:1:1 a file that cannot be read. Run policy check.',
      );
      const named = [...args, '--policies', join(place.folder, 'free.yaml')];
      expect(tested.read('before_tool', await place.run({ args: named, input, shell }))).toBe('happens');
    },
  );

  test.skipIf(odd === 'not UTF-8')('is let through in a folder whose name only looks like that', async () => {
    const place = workplace();
    const cwd = join(place.project, 'odd\ufffd');
    mkdirSync(cwd);
    expect(tested.read('before_tool', await place.run({ args, input: call(cwd), cwd }))).toBe('happens');
    place.write({ 'project/odd\ufffd/.policy/p.yaml': DENY });
    expect(tested.read('before_tool', await place.run({ args, input: call(cwd), cwd }))).toBe('prevented');
  });
});

describe('Claude Code in another folder than the one that it was started in', () => {
  const STAY = `version: 1
policies:
  - {id: stay, path: {outside: workspace, uses: delete}, action: deny, reason: This lies outside}
  - {id: all, path: {match: ./keep, uses: delete}, action: deny, reason: This stays}
`;

  function stageIn(folder: string) {
    const place = workplaceIn(folder);
    place.write({
      'code/web/.git/HEAD': '',
      'code/web/src/a': '',
      'code/api/.git/HEAD': '',
      'code/lib/b': '',
    });
    const fateOf = async (started: string, command: string, cwd: string, ...args: readonly string[]) => {
      const name = join(place.folder, started).replace(/[^A-Za-z0-9]/g, '-');
      const input = JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: 's',
        transcript_path: `${place.home}/.claude/projects/${name}/s.jsonl`,
        cwd: join(place.folder, cwd),
        tool_name: 'Bash',
        tool_input: { command },
      });
      const said = await answerIn(place, ['--host', 'claude', ...args], input);
      return JSON.parse(said.stdout).hookSpecificOutput?.permissionDecision ?? 'passes';
    };
    return { place, fateOf };
  }

  test('works in all that lies in the folder where it was started', async () => {
    const { place, fateOf } = stageIn(temporaryFolder());
    place.write({ 'stay.yaml': STAY });
    const stay = ['--policies', join(place.folder, 'stay.yaml')];
    const fates = [
      await fateOf('code', 'rm -r ../api/build', 'code/web', ...stay),
      await fateOf('code', 'rm ../../lib/b', 'code/web/src', ...stay),
      await fateOf('code/web', 'rm -r ../build', 'code/web/src', ...stay),
      await fateOf('code', 'rm -r ../api/keep', 'code/web', ...stay),
      await fateOf('code/web', 'rm -r ../api/build', 'code/web', ...stay),
      await fateOf('code', 'rm -r ../../other', 'code/web', ...stay),
      await fateOf('code-web', 'rm -r ../api/build', 'code/web', ...stay),
      await fateOf('code', 'rm -r ../code/lib', 'home', ...stay),
      await fateOf('code', 'rm keep', 'code/web', ...stay),
      await fateOf('code', 'rm ../keep', 'code/web', ...stay),
      await fateOf('code', 'rm -r .', 'code/web', ...stay),
    ];
    expect(fates.slice(0, 4)).toEqual(Array(4).fill('passes'));
    expect(fates.slice(4)).toEqual(Array(7).fill('deny'));
  });

  test('keeps the policies of the folder where it was started', async () => {
    const { place, fateOf } = stageIn(temporaryFolder());
    place.write({ 'code/.policy/p.yaml': DENY });
    const fates = [
      await fateOf('code', 'ls', 'code'),
      await fateOf('code', 'ls', 'code/web/src'),
      await fateOf('code', 'ls', 'code/lib'),
      await fateOf('code/web', 'ls', 'code/web'),
    ];
    expect(fates).toEqual(['deny', 'deny', 'deny', 'passes']);
  });
});
