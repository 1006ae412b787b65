import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { inertCommand } from '../../src/commands/inert-command.ts';
import { summaryOfInert } from '../../src/matchers/inert-summary.ts';
import { summaryOf } from '../../src/matchers/reading-summary.ts';
import { read } from './reads.ts';

const PROGRAMS =
  'git npm pnpm yarn cargo go docker kubectl pwd whoami uname hostname uptime sleep rm cat'.split(' ');
const WORDS =
  'status log diff show blame remote test t run start ci install build lint ls why version check clippy fmt vet list ps images get pods push exec HEAD main a.txt src 1 -- -a -v -s -n -p -m -i -x -e -d -r -f -C -o -c --short --stat --oneline --name-only --all --release --global --output --exec-path --file --force --cwd'.split(
    ' ',
  );

describe('inertCommand', () => {
  test('says of a command what reading it says', () => {
    const text = fc
      .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }))
      .map(([program, words]) => [program, ...words].join(' '));
    let quiet = 0;
    fc.assert(
      fc.property(text, (command) => {
        const found = inertCommand(command);
        if (found === undefined) return;
        quiet += 1;
        expect(summaryOfInert(found)).toEqual(summaryOf(read(command)));
      }),
      { numRuns: 1500 },
    );
    expect(quiet).toBeGreaterThan(30);
  });

  test.each([
    'git status; rm -rf /',
    'git status && ls',
    'git status | sh',
    'git status > a',
    'git status $X',
    'git status `ls`',
    'git "status"',
    'git status\nrm -rf /',
    'git -c alias.status=!rm status',
    'git push',
    'npm exec rm',
    'yarn run git reset --hard',
    'A=1 npm test',
    './npm test',
    'rm -rf build',
    'git log --output=x',
    'git log --output x',
    `git status ${'a '.repeat(200)}`,
  ])('leaves %p to be read', (command) => {
    expect(inertCommand(command)).toBeUndefined();
  });
});
