import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { homeWith, policy } from './program.ts';

const RUNS = 5;

/** JSON with comments, odd spaces, both line ends and other hooks: whatever Gemini CLI reads. */
const SPACE = fc.constantFrom('', ' ', '\n', '\r\n\t', '   ', ' // note\n', ' /* note */ ');
const OTHER = fc.constantFrom(
  '"ui":{"theme" :"x"}',
  '"a":[1, 2 ]',
  '"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"/opt/x"}]}]}',
  '"hooksConfig":{"enabled":false}',
  '"hooks" : { }',
);
const TEXT = fc
  .record({
    entries: fc.uniqueArray(OTHER, { selector: (entry) => entry.split(/[: ]/)[0] }),
    spaces: fc.array(SPACE, { minLength: 12, maxLength: 12 }),
  })
  .map(({ entries, spaces }) => {
    const [first = '', last = '', ...between] = spaces;
    const inside = entries.map(
      (entry, index) => `${between[index * 2] ?? ''}${entry}${between[index * 2 + 1] ?? ''}`,
    );
    return `${first}{${inside.join(',')}}${last}`;
  });

test('install and then uninstall leave any settings byte for byte', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      const home = homeWith(temporaryFolder(), {});
      const path = join(home, '.gemini/settings.json');
      mkdirSync(join(home, '.gemini'));
      writeFileSync(path, text);
      expect(policy(home, ['install', '--yes', '--host', 'gemini'])).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
      expect(readFileSync(path, 'utf8')).not.toBe(text);
      expect(policy(home, ['uninstall', '--yes', '--host', 'gemini'])).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
      expect(readFileSync(path, 'utf8')).toBe(text);
    }),
    { numRuns: RUNS },
  );
});
