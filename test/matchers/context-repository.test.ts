import { describe, expect, test } from 'bun:test';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { MATCHER_TABLE } from '../../src/language/keys/registry.ts';
import { compileWhen, holds } from '../../src/language/keys/when.ts';
import { NO_HISTORY } from '../../src/model/history.ts';
import { NO_SURROUNDINGS, type Repository } from '../../src/model/surroundings.ts';

function says(context: object, repository: () => Repository | null | undefined, said: object = {}) {
  const event = bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command: 'ls' }, context: said });
  const facts = {
    event,
    model: undefined,
    newTexts: [],
    surroundings: { ...NO_SURROUNDINGS, repository },
    history: NO_HISTORY,
  };
  return holds(compileWhen({ context } as never, MATCHER_TABLE), facts);
}

const SHOP: Repository = { root: '/work/shop', name: 'github.com/acme/shop', branch: 'main' };

describe('context: repository', () => {
  test.each([
    [{ repository: 'github.com/acme/shop' }, SHOP, true],
    [{ repository: 'github.com/acme' }, SHOP, false],
    [{ repository: { glob: 'github.com/acme/*' } }, SHOP, true],
    [{ repository: { glob: 'github.com/other/*' } }, SHOP, false],
    [{ repository_root: '/work/shop' }, SHOP, true],
    [{ repository: 'github.com/acme/shop' }, null, false],
    [{ branch: 'main' }, SHOP, true],
    [{ branch: 'fix' }, SHOP, false],
    [{ branch: 'fix' }, { root: '/a', name: null, branch: null }, false],
    [{ branch: 'fix' }, { root: '/a', name: null, branch: undefined }, 'unknown'],
    [{ repository: { exists: false } }, null, true],
    [{ repository: 'github.com/acme/shop' }, undefined, 'unknown'],
    [{ repository: 'github.com/acme/shop' }, { root: '/a', name: null }, false],
    [{ repository: 'github.com/acme/shop' }, { root: '/a', name: undefined }, 'unknown'],
  ])('%j in %j: %p', (context, repository, truth) => {
    expect(says(context, () => repository)).toBe(truth as never);
  });

  test('is not looked up where nothing asks for it, or a test says it', () => {
    const never = () => {
      throw new Error('Cannot look');
    };
    expect(says({ cwd: '/a' }, never, { cwd: '/a' })).toBe(true);
    expect(says({ cwd: '/b', repository: 'x' }, never, { cwd: '/a' })).toBe(false);
    expect(says({ repository: 'a/b' }, never, { repository: 'a/b' })).toBe(true);
  });
});
