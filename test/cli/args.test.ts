import { describe, expect, test } from 'bun:test';
import { type OptionSpec, optionValue, optionValues, parseArguments } from '../../src/tools/cli/args.ts';

const SPECS: readonly OptionSpec[] = [
  { name: 'json', summary: '' },
  { name: 'verbose', short: 'v', summary: '' },
  { name: 'host', value: 'NAME', summary: '' },
  { name: 'policies', short: 'p', value: 'PATH', repeatable: true, summary: '' },
  { name: 'changed', value: 'REV', optional: true, summary: '' },
];

function parse(...args: string[]) {
  return parseArguments(args, SPECS);
}

describe('parseArguments', () => {
  test('tells switches, values and operands apart, in any order', () => {
    const args = parse('a', '--json', '--host', 'gemini', 'b', '-v', '--policies=x', '-p', 'y', '-');
    expect([...args.switches]).toEqual(['json', 'verbose']);
    expect(optionValue(args, 'host')).toBe('gemini');
    expect(optionValues(args, 'policies')).toEqual(['x', 'y']);
    expect(args.operands).toEqual(['a', 'b', '-']);
    expect(args.problem).toBeUndefined();
  });

  test('knows nothing of options that are not given', () => {
    const args = parse();
    expect(optionValue(args, 'host')).toBeUndefined();
    expect(optionValues(args, 'policies')).toEqual([]);
  });

  test('takes everything after -- for operands', () => {
    expect(parse('--', '--json', '--', '-x').operands).toEqual(['--json', '--', '-x']);
  });

  test('takes a value that begins with a dash after an equals sign, and standard input as a value', () => {
    expect(optionValue(parse('--host=-x'), 'host')).toBe('-x');
    expect(optionValue(parse('--host=a=b'), 'host')).toBe('a=b');
    expect(optionValue(parse('--host', '-'), 'host')).toBe('-');
  });

  test('takes a value that may be left out only after an equals sign', () => {
    const bare = parse('--changed', 'a');
    expect([bare.switches.has('changed'), optionValue(bare, 'changed'), bare.operands]).toEqual([
      true,
      undefined,
      ['a'],
    ]);
    expect(optionValue(parse('--changed=HEAD~1'), 'changed')).toBe('HEAD~1');
    expect(parse('--changed=').problem?.message).toBe('Cannot use --changed: give it a REV');
  });

  test.each([
    [['--jsn'], 'Cannot use option "--jsn": did you mean "--json"?'],
    [['--something-else'], 'Cannot use option "--something-else": there is no such option'],
    [['--js'], 'Cannot use option "--js": did you mean "--json"?'],
    [['-vp'], 'Cannot use option "-vp": there is no such option'],
    [['--host'], 'Cannot use --host: give it a NAME'],
    [['--host='], 'Cannot use --host: give it a NAME'],
    [['--host', '--json'], 'Cannot use --host: give it a NAME'],
    [['--host', 'a', '--host', 'b'], 'Cannot use --host twice'],
    [['--json=yes'], 'Cannot use value "yes" for --json: it takes none'],
  ])('says what is wrong with %j', (args, problem) => {
    expect(parse(...args).problem?.message).toBe(problem);
  });

  test('reads on after a problem, so that the hook knows its host all the same', () => {
    const args = parse('--oops', '--host', 'gemini');
    expect(args.problem?.message).toContain('--oops');
    expect(optionValue(args, 'host')).toBe('gemini');
  });
});
