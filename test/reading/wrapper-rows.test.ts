import { describe, expect, test } from 'bun:test';
import { PROGRAM_INDEX } from '../../src/generated/program-rows.ts';
import { wrapperSpec } from '../../src/reading/knowledge/registry.ts';
import type { WrapperSpec } from '../../src/reading/knowledge/wrapper-spec.ts';
import { runs } from './reads.ts';

/** The usual ways to give a command to a program, as its row has them. */
function callsOf(words: string, spec: WrapperSpec): readonly string[] {
  if (spec.subcommands !== undefined)
    return Object.entries(spec.subcommands).flatMap(([name, inner]) => callsOf(`${words} ${name}`, inner));
  const script = (spec.script ?? '').split(' ').filter((flag) => flag !== '');
  const scripts = script.map((flag) => `${words} ${flag} 'rm x'`);
  const from = (spec.from ?? '').split(' ').filter((flag) => flag !== '');
  if (from.length > 0) return from.map((flag) => `${words} ${flag} rm x`);
  // A row that skips this many takes no command but a script.
  if ((spec.skip ?? 0) >= 99) return scripts;
  const skipped = ` a${'b'.repeat(3)}`.repeat(spec.skip ?? 0);
  if (spec.scripts === true) return [`${words}${skipped} 'rm x'`];
  const dashed = `${words}${skipped} -- rm x`;
  return [...scripts, ...(spec.afterDashes === true ? [dashed] : [`${words}${skipped} rm x`])];
}

describe('each row of the programs that run others', () => {
  const names = [...PROGRAM_INDEX.matchAll(/^(.+)\t/gm)].map(([, name = '']) => name);
  const wrappers = names.filter((name) => wrapperSpec(name) !== undefined);
  const calls = wrappers.flatMap((name) => callsOf(name, wrapperSpec(name) ?? {}));

  test.each(calls)('finds the command in: %s', (text) => {
    expect(runs(text)).toContain('rm x');
  });

  test('is tried', () => {
    expect(wrappers.length).toBeGreaterThan(200);
    expect(calls.length).toBeGreaterThan(wrappers.length - 10);
  });
});
