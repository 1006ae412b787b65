import { expect, test } from 'bun:test';
import { type Call, SPELLINGS } from '../../hosts/spellings.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { TESTED_HOSTS, type TestedHost } from './host-reading.ts';
import { messageText } from './messages.ts';
import { type Workplace, workplaceIn } from './workplace.ts';

const folders = temporaryFolders();
const HOSTS = TESTED_HOSTS.filter(({ version }) => version === undefined);

async function fate({ host, read }: TestedHost, place: Workplace, call: Call | undefined) {
  const [tool, args] = JSON.parse(JSON.stringify(call).replaceAll('PROJECT', place.project)) as Call;
  const said = await place.run({
    args: ['hook', '--host', host.name, '--policies', 'builtin:self-protection'],
    input: messageText(host, { on: 'before_tool', tool, arguments: args, context: { cwd: place.project } }),
  });
  return read('before_tool', said);
}

test.each(HOSTS.map((tested) => [tested.host.name, tested] as const))(
  '%s is refused a guarded path as it may spell it, and no other',
  async (name, tested) => {
    const place = workplaceIn(folders());
    const { reach = [], miss = [] } = SPELLINGS[name] ?? {};
    expect(await fate(tested, place, reach.at(1) ?? reach[0])).toBe('prevented');
    expect(await fate(tested, place, miss.at(1) ?? miss[0])).toBe('happens');
  },
);
