import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALL_KEYS } from '../../src/language/calls/call-keys.ts';
import { TEST_OPTIONS } from '../../src/tools/cli/test/test-options.ts';
import { TEST_FORMATS } from '../../src/tools/report/test/test-reporters.ts';
import { CASE_KEYS } from '../../src/tools/suite/cases/case-keys.ts';
import { EXPECT_KEYS } from '../../src/tools/suite/expect/expect-keys.ts';
import { runCli, stable } from '../cli/test-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';

const DOC = readFileSync(join(import.meta.dir, '../../docs/testing.md'), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = [...DOC.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

function writeUpTo(end: Block, at: string): void {
  for (const { language, text } of BLOCKS.slice(0, BLOCKS.indexOf(end) + 1)) {
    const [, name] = /^# (\S+)\n/.exec(text) ?? [];
    if (language === 'yaml' && name !== undefined) writeFiles(at, { [name]: text });
  }
}

describe('docs/testing.md', () => {
  for (const block of BLOCKS.filter(({ language }) => language === 'console')) {
    const [command = '', ...output] = block.text.trimEnd().split('\n');
    test(`shows what comes of ${command}`, async () => {
      const at = temporaryFolder();
      writeUpTo(block, at);
      const args = command.replace(/^\$ policy /, '').split(' ');
      const { stdout, stderr } = await runCli(args, { cwd: at });
      expect(stderr).toBe('');
      expect(stable(stdout)).toBe(stable(`${output.join('\n')}\n`));
    });
  }

  test('has only test files that pass', async () => {
    const at = temporaryFolder();
    const last = BLOCKS.at(-1);
    if (last === undefined) throw new Error('no blocks');
    writeUpTo(last, at);
    const { exitCode, stdout } = await runCli(['test', '.policy'], { cwd: at });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(' passed, 1 skipped')]);
  });

  test('names every file that is shown', () => {
    const unnamed = BLOCKS.filter(
      ({ language, text }) => language === 'yaml' && !/^# \S+\.yaml\n/.test(text),
    );
    expect(unnamed).toEqual([]);
  });

  test('mentions every key, format and option', () => {
    const words = [
      ...Object.keys(CALL_KEYS),
      ...EXPECT_KEYS.map(({ key }) => key),
      ...TEST_FORMATS,
      ...TEST_OPTIONS.filter(({ name }) => name !== 'json').map(({ name }) => `--${name}`),
    ].map((word) => `\`${word}`);
    expect(words.filter((word) => !DOC.includes(word))).toEqual([]);
    const keys = Object.keys(CASE_KEYS).filter(
      (key) => !new RegExp(`\\b${key}:`).test(DOC) && !DOC.includes(`\`${key}`),
    );
    expect(keys).toEqual([]);
  });
});
