import { describe, expect, test } from 'bun:test';
import { compileFiles } from '../../../src/policy/compile-files.ts';
import { trustRecordOf } from '../../../src/policy/trust.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { optionsIn, problemsOf, trusting, writeFiles } from '../support.ts';

const temporaryFolder = temporaryFolders();
const ROW = 'programs: {acmectl: {flags: [--context=], network: connect}}';

function fileWith(rest: string): string {
  return `version: 1\n${rest}\n`;
}

describe('rows of policy files', () => {
  test('of users are all that is known, of projects they only add', () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'config/policy/a.yaml': fileWith(ROW),
      'project/.git/HEAD': '',
      'project/.policy/b.yaml': fileWith('programs: {deploy: {network: upload}}'),
    });
    const { program, diagnostics } = compileFiles(optionsIn(folder));
    expect(diagnostics).toEqual([]);
    expect(program.programs).toEqual({
      own: '\nacmectl\t{"spec":{"values":"--context","network":"connect"}}\n',
      added: '\ndeploy\t{"spec":{"network":"upload"}}\n',
    });
  });

  test('cannot be given again, not by a project either', () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'config/policy/a.yaml': fileWith(ROW),
      'project/.git/HEAD': '',
      'project/.policy/b.yaml': fileWith(ROW),
    });
    expect(problemsOf(optionsIn(folder))).toEqual([
      'project/.policy/b.yaml:2:12 duplicate-id Cannot use program "acmectl" again: config/policy/a.yaml has it | extend its row in config/policy/a.yaml instead',
    ]);
  });

  test('change the digest of the set', () => {
    const digests = [ROW, ROW.replace('connect', 'upload')].map((row) => {
      const folder = temporaryFolder();
      writeFiles(folder, { 'config/policy/a.yaml': fileWith(row) });
      return compileFiles(optionsIn(folder)).program.digest;
    });
    expect(digests[0]).not.toBe(digests[1]);
  });

  test('of a project are part of what is trusted: a policy is not what it was when they change', () => {
    const folder = temporaryFolder();
    const write = (use: string) => {
      writeFiles(folder, {
        'project/.git/HEAD': '',
        'project/.policy/b.yaml': fileWith(
          `programs: {deploy: {network: ${use}}}\npolicies: [{id: a, command: deploy, action: approve}]`,
        ),
      });
    };
    write('connect');
    const [set] = compileFiles(optionsIn(folder)).trustSets;
    if (set === undefined) throw new Error('nothing to trust');
    const trust = trusting({ [set.root]: trustRecordOf(set) });
    const stateNow = () =>
      compileFiles({ ...optionsIn(folder), trust }).program.rules.find(({ id }) => id === 'b/a')?.trust;
    expect(stateNow()).toBe('active');
    write('upload');
    expect(stateNow()).toBe('changed');
  });
});
