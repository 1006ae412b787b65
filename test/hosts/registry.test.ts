import { expect, test } from 'bun:test';
import { HOSTS, hostNamed } from '../../src/hosts/registry.ts';

test('HOSTS has every host once', () => {
  expect(HOSTS.map(({ name }) => name)).toEqual(['picoclaw', 'gemini', 'jcli']);
});

test('hostNamed finds a host by its exact name only', () => {
  for (const host of HOSTS) expect(hostNamed(host.name)).toBe(host);
  for (const name of ['', 'Gemini', 'gemini ', 'constructor']) expect(hostNamed(name)).toBeUndefined();
});

test.each<[string, Record<string, string>, readonly string[]]>([
  ['of Gemini CLI', { GEMINI_SESSION_ID: 's' }, ['gemini']],
  ['of jcli', { JCLI_HOOK_EVENT: 'stop' }, ['jcli']],
  ['without a host', { HOME: '/root' }, []],
])('HOSTS recognise an environment %s', (_name, env, expected) => {
  expect(HOSTS.filter((host) => host.recognise(env)).map(({ name }) => name)).toEqual([...expected]);
});

test('HOSTS judge every event they support under a name of their own', () => {
  for (const host of HOSTS) {
    const kinds = new Set(Object.values(host.events));
    for (const kind of Object.keys(host.supports(undefined))) expect(kinds).toContain(kind as never);
  }
});
