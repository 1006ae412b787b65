import { describe, expect, test } from 'bun:test';
import {
  callToAllow,
  digestOf,
  fitsLike,
  likePatternOf,
} from '../../../src/hook/state/allow/call-to-allow.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { toolEvent } from '../../support/builders.ts';

function callOf(args: JsonObject, options: Parameters<typeof toolEvent>[2] = {}) {
  return callToAllow(toolEvent('tool', args, options), '/project');
}

describe('callToAllow', () => {
  test('leaves out what a shell never sees, and only that', () => {
    const call = callOf({ command: 'ls', description: 'Lists', dir: '/' });
    expect(call?.arguments).toEqual({ command: 'ls', dir: '/' });
    const other = callOf({ description: 'text' }, { classes: ['other'] });
    expect(other?.arguments).toEqual({ description: 'text' });
  });

  test('is about calls that are yet to run', () => {
    expect(callOf({}, { kind: 'after_tool' })).toBeUndefined();
    expect(callToAllow(toolEvent('tool', undefined), '/')).toBeUndefined();
    const before = callOf({ command: 'ls' });
    const approval = callOf({ command: 'ls' }, { kind: 'approve_tool' });
    expect(before && digestOf(before)).toBe(approval && digestOf(approval));
  });
});

describe('likePatternOf', () => {
  test.each<[JsonObject, string | undefined]>([
    [{ command: 'git push -f origin topic' }, 'git push -f origin *'],
    [{ command: 'rm -rf build/out' }, 'rm -rf build/*'],
    [{ command: 'curl -fsSL https://example.com/a/x.tar' }, 'curl -fsSL https://example.com/a/*'],
    [{ command: 'npm publish --tag next' }, 'npm publish --tag *'],
    [{ command: 'shutdown -h' }, undefined],
    [{ command: 'shutdown' }, undefined],
    [{ command: 'rm -rf *' }, undefined],
    [{ command: 'rm -rf "a b"' }, undefined],
    [{ command: 'rm a; ls' }, undefined],
    [{ command: 'rm ~/x' }, undefined],
    [{ command: 'rm -rf ..' }, undefined],
    [{ command: 'rm -rf /' }, undefined],
    [{ file_path: '/etc/app/conf', content: 'x' }, '/etc/app/*'],
    [{ query: 'x' }, undefined],
  ])('of %j is %p', (args, pattern) => {
    const call = callOf(args);
    expect(call && likePatternOf(call)?.pattern).toBe(pattern);
  });
});

describe('fitsLike', () => {
  test.each([
    ['rm -rf build/*', 'rm -rf build/other', true],
    ['rm -rf build/*', 'rm -rf build/..', false],
    ['rm -rf build/*', 'rm -rf build/a/b', false],
    ['rm -rf build/*', 'rm -rf build/', false],
    ['rm -rf build/*', 'rm -rf build/a\n', false],
    ['rm -rf build/*', 'rm -rf buildXa', false],
    ['git push *', 'git push -f', false],
    ['a.b *', 'aXb c', false],
  ])('of %p and %p is %p', (pattern, text, fits) => {
    expect(fitsLike(pattern, text)).toBe(fits);
  });
});
