import { expect, test } from 'bun:test';
import { HOSTS } from '../../src/hosts/registry.ts';
import { hostsMarkdown } from '../../src/tools/report/hosts-markdown.ts';
import { expectGolden } from '../support/golden.ts';
import { FULL, SMALL } from './made-up-hosts.ts';

test('hostsMarkdown shows actions and events of all hosts, and of each what an action becomes', () => {
  expectGolden(import.meta.dir, 'hosts.md', hostsMarkdown([FULL, SMALL], '1'));
});

test.each(HOSTS.map((host) => [host.name, host] as const))(
  'hostsMarkdown has a whole row for each event of %s',
  (_name, host) => {
    const [, section = ''] = hostsMarkdown([host], undefined).split(`## ${host.title}\n\n`);
    const [table = ''] = section.split('\n\n');
    const rows = table.split('\n');
    const supports = Object.values(host.supports(undefined));
    const natives = supports.flatMap((support) => Object.keys(support.natives ?? {}));
    expect(rows).toHaveLength(2 + supports.length + natives.length);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(8);
  },
);
