import { describe, expect, test } from 'bun:test';
import { type LineClient, resultOf, shellCall, startLines } from './line-client.ts';
import { type Workplace, workplace } from './workplace.ts';

const SCRIPT_CHARS = 9 * 1024;

/** A long script of the ordinary kind; harmless even if it ran. */
function ordinaryScript(): string {
  let script = '';
  for (let part = 0; script.length < SCRIPT_CHARS; part++) {
    script += `if [ -f "build/out-${part}.txt" ]; then
  echo "have ${part}" >> log.txt
else
  mkdir -p "build/dir-${part}" && cp src/file-${part}.txt "build/dir-${part}/" || exit 1
fi
for name in a b c; do grep -n "x$name" notes-${part}.md | sort > sorted-$name-${part}.txt; done
`;
  }
  return script;
}

const SCRIPT = ordinaryScript();
const WRONG_SCRIPT = `${SCRIPT}git push origin main\n`;

function placeWithPolicy(): Workplace {
  return workplace({
    'home/.config/policy/house.yaml':
      'version: 1\npolicies: [{id: never, command: {subcommand: [git, push]}, action: deny}]\n',
  });
}

async function finish(client: LineClient): Promise<void> {
  client.close();
  expect(await client.ended).toBe(0);
}

describe('a long ordinary script is judged', () => {
  test('though the program stands still in the middle of it', async () => {
    const client = startLines(placeWithPolicy(), []);
    client.send(`${shellCall(1, 'ls')}\n`);
    expect(resultOf(await client.answerTo(1))).toEqual({ action: 'continue' });
    for (const [id, script, says] of [
      [2, SCRIPT, 'continue'],
      [3, WRONG_SCRIPT, 'house/never'],
    ] as const) {
      client.send(`${shellCall(id, script)}\n`);
      await Bun.sleep(5);
      client.signal('SIGSTOP');
      await Bun.sleep(600);
      client.signal('SIGCONT');
      expect(JSON.stringify(resultOf(await client.answerTo(id)))).toContain(says);
    }
    await finish(client);
  });
});

describe('policies that take long to load', () => {
  /** More than the first call may be kept waiting for. */
  function placeWithManyPolicies(files: number): Workplace {
    const place = workplace();
    for (let file = 0; file < files; file++) {
      const policies = Array.from(
        { length: 2_000 },
        (_, index) =>
          `  - {id: p${index}, tool: shell, arguments: {command: 'never-${file}-${index}-way[a-z]+'}, action: deny}\n`,
      );
      place.write({ [`home/.config/policy/f${file}.yaml`]: `version: 1\npolicies:\n${policies.join('')}` });
    }
    place.write({
      'home/.config/policy/last.yaml':
        'version: 1\npolicies: [{id: never, command: {subcommand: [git, push]}, action: deny}]\n',
    });
    return place;
  }

  test('refuse calls with this reason until they are loaded, and no file has to change', async () => {
    // The first call is kept waiting for less than half a second, which is far from enough.
    const client = startLines(placeWithManyPolicies(7), ['--host-timeout', '1']);
    let refused = 0;
    for (let id = 1; ; id++) {
      client.send(`${shellCall(id, 'git push')}\n`);
      const reason = resultOf(await client.answerTo(id))['reason'];
      if (String(reason).includes('last/never')) break;
      expect(reason).toContain('took too long');
      if (String(reason).includes('loading the policies took too long; it goes on')) refused++;
      await Bun.sleep(100);
    }
    expect(refused).toBeGreaterThan(0);
    client.send(`${shellCall(1_000, 'ls')}\n`);
    expect(resultOf(await client.answerTo(1_000))).toEqual({ action: 'continue' });
    await finish(client);
  }, 120_000);

  test('because the machine stood still when the first call came are loaded all the same', async () => {
    const client = startLines(placeWithManyPolicies(3), []);
    client.send(`${shellCall(1, 'ls')}\n`);
    await Bun.sleep(100);
    client.signal('SIGSTOP');
    await Bun.sleep(2_500);
    client.signal('SIGCONT');
    expect(resultOf(await client.answerTo(1))['reason']).toContain('loading the policies took too long');
    for (let id = 2; ; id++) {
      client.send(`${shellCall(id, 'git push')}\n`);
      const reason = resultOf(await client.answerTo(id))['reason'];
      if (String(reason).includes('last/never')) break;
      expect(reason).toContain('took too long');
      await Bun.sleep(200);
    }
    await finish(client);
  }, 120_000);
});
