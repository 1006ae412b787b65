import { describe, expect, test } from 'bun:test';
import { bareEvent } from '../../../src/language/calls/bare-event.ts';
import { createEngine } from '../../../src/language/engine/engine.ts';
import { evaluate } from '../../../src/language/engine/evaluate.ts';
import { compileFiles } from '../../../src/language/policy/compile/compile-files.ts';
import { trustRecordOf } from '../../../src/language/policy/compile/trust.ts';
import { testMemory } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { optionsIn, trusting } from '../support.ts';

const ROW = 'programs: {acmectl: {flags: [--context=], network: connect}}';

function fileWith(rest: string): string {
  return `version: 1\n${rest}\n`;
}

describe('rows of policy files', () => {
  test('of users are all that is known, of projects they only add', () => {
    const folder = temporaryFolder({
      'config/policy/a.yaml': fileWith(ROW),
      'project/.git/HEAD': '',
      'project/.policy/b.yaml': fileWith('programs: {deploy: {network: upload}}'),
    });
    const { program, diagnostics } = compileFiles(optionsIn(folder));
    expect(diagnostics).toEqual([]);
    expect(program.programs).toEqual({
      own: '\nacmectl\t{"flags":["--context="],"network":"connect"}\n',
      added: '\ndeploy\t{"network":"upload"}\n',
    });
  });

  test('of several files for one program all count, each once', () => {
    const folder = temporaryFolder();
    const row = (text: string) => fileWith(`programs: {acmectl: ${text}}`);
    writeFiles(folder, {
      'org/a.yaml': row('{network: connect}'),
      'config/policy/a.yaml': row('{destroys: infrastructure}'),
      'project/.git/HEAD': '',
      'project/.policy/b.yaml': row('{destroys: database}'),
      'project/.policy/c.yaml': row('{network: connect}'),
      'project/.policy/d.yaml': fileWith(
        'policies: [{id: a, command: {destroys: database}, action: deny}, {id: b, command: {destroys: infrastructure}, action: deny}, {id: c, command: {run: acmectl, network: true}, action: ask}]',
      ),
    });
    const { program, diagnostics, notices } = compileFiles(optionsIn(folder));
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    expect(notices.map(({ severity, message }) => [severity, message])).toEqual(
      Array.from({ length: 2 }, () => [
        'warning',
        'Program "acmectl" has a row in org/a.yaml as well: commands are judged with each of the two',
      ]),
    );
    expect(program.programs).toEqual({
      own: '\nacmectl\t{"network":"connect"}\n',
      added: expect.stringContaining('infrastructure'),
      others: [expect.stringContaining('database')],
    });
    const { hits } = evaluate(
      createEngine(program),
      bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command: 'acmectl x' } }),
      { memory: testMemory() },
    );
    expect(hits.map(({ rule }) => rule.id)).toEqual(expect.arrayContaining(['d/a', 'd/b', 'd/c']));
  });

  test('of a program that a build knows as well are judged beside it', () => {
    const folder = temporaryFolder({
      'config/policy/a.yaml': fileWith(
        'programs: {terraform: {destroys: database, network: none}, ls: {destroys: disk}}\npolicies: [{id: a, command: {destroys: database}, action: deny}, {id: b, command: {destroys: infrastructure}, action: deny}, {id: c, command: {destroys: disk}, action: deny}]',
      ),
    });
    const { program, diagnostics, notices } = compileFiles(optionsIn(folder));
    expect(diagnostics).toEqual([]);
    expect(notices.map(({ severity, message }) => [severity, message])).toEqual(
      ['terraform', 'ls'].map((name) => [
        'warning',
        `Program "${name}" is known without this row, too: commands are judged with it and without it`,
      ]),
    );
    const ids = (command: string) =>
      evaluate(
        createEngine(program),
        bareEvent({ on: 'before_tool', tool: 'shell', arguments: { command } }),
        { memory: testMemory() },
      )
        .hits.map(({ rule }) => rule.id)
        .filter((id) => id.startsWith('a/'));
    expect(ids('terraform destroy')).toEqual(['a/a', 'a/b']);
    expect(ids('terraform plan')).toEqual(['a/a']);
    expect(ids('ls x')).toEqual(['a/c']);
    expect(ids('cat x')).toEqual([]);
  });

  test('change the digest of the set', () => {
    const digests = [ROW, ROW.replace('connect', 'upload')].map((row) => {
      const folder = temporaryFolder({ 'config/policy/a.yaml': fileWith(row) });
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
