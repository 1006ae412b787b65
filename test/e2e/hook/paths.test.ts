import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { testedHost } from './host-reading.ts';
import { callText } from './messages.ts';
import { type Said, type Workplace, workplace } from './workplace.ts';

const jcli = testedHost('jcli');

/** What jcli is answered by the built-in packs when the model wants to run this. */
function run(place: Workplace, command: string): Promise<Said> {
  const input = callText(jcli.host, command, place.project);
  return place.run({ args: ['hook', '--host', 'jcli', '--host-timeout', '4'], input });
}

describe('a link to a secret', () => {
  test.each([0, 300, 3_000])('is followed behind %p other paths', async (count) => {
    const place = workplace({ 'home/.ssh/id_rsa': 'x' });
    symlinkSync(join(place.home, '.ssh/id_rsa'), join(place.project, 'notes.txt'));
    const others = Array.from({ length: count }, (_, index) => `f${index} `).join('');
    expect(jcli.read('before_tool', await run(place, `cat ${others}notes.txt`))).toBe('prevented');
    expect(jcli.read('before_tool', await run(place, `cat ${others}other.txt`))).toBe('happens');
  });
});

describe('a path of a megabyte', () => {
  test.each([
    ['down', '/a'.repeat(500_000)],
    ['up', '../'.repeat(300_000)],
    ['nowhere', './'.repeat(500_000)],
  ])('that leads %s makes no answer late', async (_where, path) => {
    const place = workplace();
    const said = await run(place, `rm -rf /; cat ${path}`);
    expect(jcli.read('before_tool', said)).toBe('prevented');
    expect(said.tookMs).toBeLessThan(2_000);
  });
});
