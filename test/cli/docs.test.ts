import { describe, expect, test } from 'bun:test';
import { MATCHERS } from '../../src/language/keys/registry.ts';
import { DIAGNOSTIC_CODES } from '../../src/model/diagnostic.ts';
import { findTopic, sectionsAbout } from '../../src/tools/cli/docs/find-topic.ts';
import { anchorOf, sectionsOf } from '../../src/tools/cli/docs/sections.ts';
import { DOCS } from '../../src/tools/generated/docs-texts.ts';
import { displayWidth } from '../../src/tools/report/display-width.ts';
import { markdownText } from '../../src/tools/report/markdown-text.ts';
import { createPaint } from '../../src/tools/report/paint.ts';
import { runCli } from './test-io.ts';

const SECTIONS = Object.entries(DOCS).flatMap(([name, text]) => sectionsOf(name, text));

describe('policy docs', () => {
  test.each([...DIAGNOSTIC_CODES, ...MATCHERS.map(({ key }) => key)])('explains %s', (topic) => {
    const { lines = [] } = findTopic(topic, SECTIONS) ?? {};
    expect(lines.join('\n').toLowerCase()).toContain(topic.replaceAll('_', ' ').split(' ')[0] ?? '');
    // Half a page at most, but where the topic is a page of its own.
    if (!Object.hasOwn(DOCS, topic)) expect(lines.length).toBeLessThan(220);
  });

  test.each([
    ['url', '### URLs'],
    ['testing', '# Testing policies'],
    ['lint#trust', '### trust'],
    ['layers', '## Layers'],
    ['how policies combine', '## How policies combine'],
    ['rewrite', '## Rewrites'],
    ['downloads_and_runs', '### Commands'],
    ['flags', '### Commands'],
    ['max_length', '### Value tests'],
  ])('%s shows the section %s', async (topic, heading) => {
    const { exitCode, stdout } = await runCli(['docs', ...topic.split(' ')]);
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, heading]);
    expect(stdout).not.toContain('<!--');
  });

  test('lists the pages', async () => {
    const { stdout } = await runCli(['docs']);
    for (const page of Object.keys(DOCS).filter((name) => name !== 'README'))
      expect(stdout).toContain(`(${page}.md`);
  });

  test('says where a word is mentioned, and what was meant', async () => {
    const mentioned = await runCli(['docs', 'watchman', 'socket']);
    expect(mentioned).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await runCli(['docs', 'templtes'])).stderr).toContain('did you mean "templates"?');
    expect((await runCli(['docs', 'redirections'])).stderr).toContain('it is mentioned in policy#');
    expect(sectionsAbout('policy zqxj', SECTIONS)).toEqual([]);
  });

  test('takes no heading out of a block of code, and whole parts with what is below them', () => {
    const page = '# A\n\n```yaml\n# B\n```\n## B c!\none\n### D\ntwo\n## E\nthree\n';
    const sections = sectionsOf('p', page);
    expect(sections.map(({ anchor }) => anchor)).toEqual(['', 'b-c', 'd', 'e']);
    expect(sections[1]?.own).toEqual(['## B c!', 'one']);
    expect(sections[1]?.whole).toEqual(['## B c!', 'one', '### D', 'two']);
    expect(anchorOf('What `policy check` says')).toBe('what-policy-check-says');
  });

  test.each(Object.keys(DOCS))('%s fits into a terminal', (page) => {
    const text = markdownText((DOCS[page] ?? '').split('\n'), createPaint(false, 80));
    let isCode = false;
    for (const line of text.split('\n')) {
      isCode = line.startsWith('    ');
      // Code stays as it is; a word that is longer than the line, too.
      if (!isCode && !/\S{60}/.test(line)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    }
  });
});

describe('policy show', () => {
  const env = { HOME: '/nonexistent' };

  test('lists the packs', async () => {
    const { stdout } = await runCli(['show'], { env });
    expect(stdout).toMatch(/^builtin:git-safety +\d policies +Protects shared branches/m);
  });

  test('prints a pack, or a policy as it is written with the defaults of its file', async () => {
    const { stdout } = await runCli(['show', 'builtin:secrets'], { env });
    expect(stdout).toContain('\nname: secrets\n');
    const one = await runCli(['show', 'git-safety/no-skipped-checks'], { env });
    const { show } = await import('../../src/tools/cli/commands/show.ts');
    expect(`$ policy show git-safety/no-skipped-checks\n${one.stdout}`).toBe(`${show.example.join('\n')}\n`);
    expect((await runCli(['show', 'weather-plugin-example/get_weather:answer'], { env })).stdout).toContain(
      '- name: get_weather',
    );
  });

  test.each([
    ['builtin:secret', 'did you mean "builtin:secrets"?'],
    ['secrets', 'did you mean "builtin:secrets"?'],
    ['no-skipped-checks', 'did you mean "git-safety/no-skipped-checks"?'],
    ['zzzzzzzzzzz', 'an id is FILE/POLICY'],
  ])('says of %s what was meant', async (name, hint) => {
    const { exitCode, stderr } = await runCli(['show', name], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(hint);
  });
});
