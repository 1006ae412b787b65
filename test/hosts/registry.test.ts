import { expect, test } from 'bun:test';
import { HOSTS, hostNamed } from '../../src/hosts/registry.ts';

test('HOSTS has every host once', () => {
  const names = HOSTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('hostNamed finds a host by its exact name only', () => {
  for (const host of HOSTS) expect(hostNamed(host.name)).toBe(host);
  for (const name of ['', 'Gemini', 'gemini ', 'constructor']) expect(hostNamed(name)).toBeUndefined();
});

test('HOSTS judge every event they support under a name of their own', () => {
  for (const host of HOSTS) {
    const kinds = new Set(Object.values(host.events));
    for (const kind of Object.keys(host.supports(undefined))) expect(kinds).toContain(kind as never);
  }
});
