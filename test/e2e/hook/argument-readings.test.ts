import { expect, test } from 'bun:test';
import { type Call, SPELLINGS } from '../../hosts/spellings.ts';
import { type Reading, TESTED_HOSTS, type TestedHost, testedHost } from './host-reading.ts';
import { fateOf } from './in-process.ts';
import { type Workplace, workplace } from './workplace.ts';

const HOSTS = TESTED_HOSTS.filter(({ version }) => version === undefined);

function fate(tested: TestedHost, place: Workplace, asked: Call | undefined): Promise<Reading> {
  const [tool, args] = JSON.parse(JSON.stringify(asked).replaceAll('PROJECT', place.project)) as Call;
  return fateOf(
    tested,
    place,
    { tool, arguments: args },
    { args: ['--policies', 'builtin:self-protection'] },
  );
}

test.each(HOSTS.map((tested) => [tested.host.name, tested] as const))(
  '%s is refused a guarded path as it may spell it, and no other',
  async (name, tested) => {
    const place = workplace();
    const { reach = [], miss = [] } = SPELLINGS[name] ?? {};
    expect(await fate(tested, place, reach.at(1) ?? reach[0])).toBe('prevented');
    expect(await fate(tested, place, miss.at(1) ?? miss[0])).toBe('happens');
  },
);

test('gemini is refused to edit what it finds by the end of a path that is not there', async () => {
  const place = workplace({
    'project/.gemini/settings.json': '{}',
    'project/.policy/x.yaml': '',
    'project/src/deep/a.json': '{}',
    'project/src/b.json': '{}',
  });
  const tested = testedHost('gemini');
  const edit = (file_path: string) =>
    fate(tested, place, ['replace', { file_path, old_string: 'a', new_string: 'b' }]);
  for (const found of ['settings.json', 'x.yaml', '@settings.json', 'setting\0s.json'])
    expect([found, await edit(found)]).toEqual([found, 'prevented']);
  for (const other of ['a.json', 'src/b.json', 'new/settings.json', 'deep/a.json'])
    expect([other, await edit(other)]).toEqual([other, 'happens']);
});
