import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../src/lib/json.ts';
import { testedHost } from './host-reading.ts';
import { fateOf } from './in-process.ts';
import { workplace as newWorkplace, type Workplace } from './workplace.ts';

const gemini = testedHost('gemini');
const COMMAND = 'git push';

interface Side {
  readonly in_force: boolean;
  readonly by: string;
  readonly repository: Json;
  readonly place: number;
}

function place(remote?: string): Workplace {
  const workplace = newWorkplace();
  execFileSync('git', ['init', '-q'], { cwd: workplace.project });
  if (remote !== undefined)
    execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: workplace.project });
  return workplace;
}

function share(workplace: Workplace, percent: number, by: string): void {
  workplace.write({
    'home/.config/policy/team.yaml': `version: 1
policies:
  - {id: no-push, command: {subcommand: [git, push]}, mode: {canary: {percent: ${percent}, by: ${by}}}, action: deny, reason: Pushing is for people}
`,
  });
}

async function explained(workplace: Workplace): Promise<Side> {
  const { stdout } = await workplace.run({ args: ['explain', '--json', '--command', COMMAND] });
  return JSON.parse(stdout).policies.find(({ id }: { id: string }) => id === 'team/no-push').canary;
}

/** What becomes of the command, and how the log has the policy. */
async function fate(workplace: Workplace): Promise<readonly unknown[]> {
  const becomes = await fateOf(gemini, workplace, COMMAND);
  const lines = readFileSync(join(workplace.state, 'decisions.jsonl'), 'utf8').trim().split('\n');
  const { policies } = JSON.parse(lines.at(-1) ?? '');
  return [becomes, policies.find(({ id }: { id: string }) => id === 'team/no-push')];
}

const REFUSED = ['prevented', { id: 'team/no-push', how: 'matched', action: 'deny' }];
const NOTED = [
  expect.not.stringMatching('prevented'),
  { id: 'team/no-push', how: 'monitored', action: 'deny' },
];

describe('a canary', () => {
  test('refuses on the machines of its share, and is noted on the others', async () => {
    const workplace = place();
    share(workplace, 50, 'machine');
    const { place: at, by } = await explained(workplace);
    expect(by).toBe('machine');
    share(workplace, Math.ceil(at), 'machine');
    expect(await fate(workplace)).toEqual(REFUSED);
    expect((await explained(workplace)).in_force).toBe(true);
    share(workplace, Math.floor(at), 'machine');
    expect(await fate(workplace)).toEqual(NOTED);
    expect((await explained(workplace)).in_force).toBe(false);
  });

  test('goes by the repository that the agent works in', async () => {
    const [shop, again, other] = ['shop', 'shop', 'other'].map((name) =>
      place(`git@example.com:acme/${name}.git`),
    );
    if (shop === undefined || again === undefined || other === undefined) throw new Error('no places');
    for (const each of [shop, again, other]) share(each, 50, 'repository');
    const side = await explained(shop);
    expect(side).toMatchObject({ by: 'repository', repository: 'example.com/acme/shop' });
    expect(await explained(again)).toEqual(side);
    expect((await explained(other)).place).not.toBe(side.place);
    share(shop, Math.ceil(side.place), 'repository');
    expect(await fate(shop)).toEqual(REFUSED);
    share(shop, Math.floor(side.place), 'repository');
    expect(await fate(shop)).toEqual(NOTED);
  });

  test('goes by the machine where no repository is known', async () => {
    const workplace = place();
    share(workplace, 50, 'machine');
    const byMachine = await explained(workplace);
    expect(byMachine).toMatchObject({ by: 'machine', repository: null });
    share(workplace, 50, 'repository');
    expect(await explained(workplace)).toEqual(byMachine);
  });

  test('says why it is in force or not', async () => {
    const workplace = place('https://example.com/acme/shop');
    share(workplace, 0, 'repository');
    const explain = async () =>
      (await workplace.run({ args: ['explain', '-v', '--command', COMMAND] })).stdout;
    expect(await explain()).toMatch(
      /monitored +team\/no-push +deny +.*; canary of 0 %, example\.com\/acme\/shop is only monitored: [\d.]+ is not below 0/,
    );
    share(workplace, 100, 'machine');
    expect(await explain()).toMatch(
      /matched +team\/no-push +deny +.*; canary of 100 %, this machine is in force: [\d.]+ is below 100/,
    );
  });
});
