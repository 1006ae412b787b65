import { describe, expect, test } from 'bun:test';
import type { ProgramRow } from '../../src/model/program-row.ts';
import { flagRole, readFlag, rowTable, subcommandRow } from '../../src/reader/programs/spec/row-table.ts';

describe('readFlag', () => {
  test.each([
    ['-o,--output=write', ['-o', '--output'], '=', 'write'],
    ['--bind==', ['--bind'], '==', undefined],
    ['-i?', ['-i'], '?', undefined],
    ['-f,--force', ['-f', '--force'], '', undefined],
  ] as const)('reads %p', (written, spellings, takes, role) => {
    expect(readFlag(written)).toEqual({ spellings, takes, role });
  });

  test.each(['-a=b=c', '-a b', '=', ''])('reads no flag in %p', (written) => {
    expect(readFlag(written)).toBeUndefined();
  });
});

describe('rowTable', () => {
  test('tells first, other and last operands', () => {
    const row: ProgramRow = {
      operands: [{ role: 'text', unless: ['-e'] }, '...read', { role: 'write', unless: ['-t'] }],
    };
    expect(rowTable(row).operands).toEqual({
      first: ['text'],
      firstUnless: ['-e'],
      rest: 'read',
      last: 'write',
      lastUnless: ['-t'],
    });
  });

  test('lists long flags only if the row has all of them', () => {
    const flags = ['-n,--name=', '-v'];
    expect(rowTable({ flags }).long).toBeUndefined();
    expect(rowTable({ flags, abbreviates: true }).long).toEqual(['--name']);
  });
});

describe('subcommandRow', () => {
  const row: ProgramRow = {
    flags: ['-n,--name=secret', '-v,--verbose'],
    style: 'long-dash',
    flags_anywhere: true,
    subcommands: { a: { flags: ['-n'], subcommands: { c: {} } }, b: { style: 'none' } },
  };

  test('adds flags that may stand anywhere, but for spellings that the subcommand has itself', () => {
    expect(subcommandRow(row, 'a')).toMatchObject({ flags: ['-n', '-v,--verbose'], style: 'long-dash' });
    expect(subcommandRow(row, 'b')).toMatchObject({ flags: row.flags, style: 'none' });
  });

  test('adds them to subcommands of subcommands', () => {
    const inner = subcommandRow(row, 'a') ?? {};
    expect(subcommandRow(inner, 'c')).toMatchObject({ flags: ['-n', '-v,--verbose'] });
  });

  test('adds none unless the row says so', () => {
    const { flags_anywhere: _, ...other } = row;
    expect(subcommandRow(other, 'b')).toEqual({ style: 'none' });
  });

  test('knows no subcommand by a name that objects have anyway', () => {
    expect(subcommandRow(row, 'constructor')).toBeUndefined();
  });

  test('is the same object each time, because what is made of a row is kept by it', () => {
    expect(subcommandRow(row, 'a')).toBe(subcommandRow(row, 'a') ?? {});
  });
});

describe('flagRole', () => {
  const program: ProgramRow = { flags: ['-p,--password=secret', '-c,--config=read'] };

  test('asks the subcommand first, by any spelling', () => {
    const sub: ProgramRow = { flags: ['-p,--port=port'] };
    expect(flagRole([program, sub], '-p')).toBe('port');
    expect(flagRole([program, sub], '--password')).toBe('secret');
  });

  test('is that of the program if the subcommand only lists its flag, not if it lists another one', () => {
    expect(flagRole([program, { flags: ['-p,--password='] }], '-p')).toBe('secret');
    expect(flagRole([program, { flags: ['-p,--path='] }], '-p')).toBeUndefined();
  });
});
