import { describe, expect, test } from 'bun:test';
import { OWNERS, ownersIn } from '../../src/reader/secrets/detectors.ts';
import {
  isNamedAfter,
  isOwnHost,
  isTokenVariable,
  ownerOfVariable,
} from '../../src/reader/secrets/token-owner.ts';

describe('the owner of a token', () => {
  test.each<[variable: string, host: string, isOwn: boolean | undefined]>([
    ['GITHUB_TOKEN', 'api.github.com', true],
    ['MY_GH_PAT', 'github.com', true],
    ['GITHUB_TOKEN', 'github.example.com', true],
    ['GITHUB_TOKEN', 'github.com.example.org', false],
    ['GITHUB_TOKEN', 'notgithub.com', false],
    ['GITHUB_TOKEN', 'gitlab.com', false],
    ['GITLAB_TOKEN', 'gitlab.example.com', true],
    ['STRIPE_SECRET_KEY', 'stripe.example.com', false],
    ['DISCORD_BOT_TOKEN', 'discord.com', true],
    ['API_TOKEN', 'example.com', undefined],
    ['HIGHLAND_TOKEN', 'example.com', undefined],
  ])('%s at %s', (variable, host, isOwn) => {
    const owner = ownerOfVariable(variable);
    expect(owner === undefined ? undefined : isOwnHost(owner, host)).toBe(isOwn);
  });

  test.each<[text: string, host: string]>([
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'api.github.com'],
    [`hf_${'aB3'.repeat(11)}`, 'huggingface.co'],
    [`xoxb-${'1a'.repeat(10)}`, 'slack.com'],
  ])('of %s by its form', (text, host) => {
    expect(ownersIn(`x ${text}`).map((owner) => isOwnHost(owner, host))).toEqual([true]);
  });

  test('each line names variables, and hosts in lower case', () => {
    for (const owner of OWNERS) {
      expect(owner).toMatch(/^(?:[A-Z][A-Z0-9_]* )+(?:[a-z0-9.-]+\.(?:[a-z]+|\*) ?)+$/);
      expect(owner).not.toMatch(/ $/);
    }
  });
});

test.each([
  ['STRIPE_KEY', true],
  ['STRIPE_PUBLISHABLE_KEY', false],
  ['SORT_KEY', false],
  ['DB_PASSWORD', true],
  ['NEXT_TOKEN', false],
  ['DATABASE_URL', true],
  ['API_URL', false],
])('%s holds a token: %p', (name, isToken) => {
  expect(isTokenVariable(name)).toBe(isToken);
});

test.each([
  ['eth.alchemy.com', 'ALCHEMY_API_KEY', true],
  ['api.example.com', 'API_TOKEN', false],
])('%s is named after %s: %p', (host, variable, isNamed) => {
  expect(isNamedAfter(host, variable)).toBe(isNamed);
});
