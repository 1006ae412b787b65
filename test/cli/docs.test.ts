import { describe, expect, test } from 'bun:test';
import { MATCHERS } from '../../src/language/keys/registry.ts';
import { DIAGNOSTIC_KINDS } from '../../src/model/diagnostic-kinds.ts';
import { findTopic } from '../../src/tools/cli/docs/find-topic.ts';
import { searchSections } from '../../src/tools/cli/docs/search.ts';
import { anchorOf, sectionsOf } from '../../src/tools/cli/docs/sections.ts';
import { DOCS } from '../../src/tools/generated/docs-texts.ts';
import { displayWidth } from '../../src/tools/report/layout/display-width.ts';
import { markdownText, withoutMarks } from '../../src/tools/report/layout/markdown-text.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { runCli } from './test-io.ts';

const SECTIONS = Object.entries(DOCS).flatMap(([name, text]) => sectionsOf(name, text));

describe('policy docs', () => {
  test.each([...Object.keys(DIAGNOSTIC_KINDS), ...MATCHERS.map(({ key }) => key)])('explains %s', (topic) => {
    const { lines = [] } = findTopic(topic, SECTIONS) ?? {};
    expect(lines.join('\n').toLowerCase()).toContain(topic.replaceAll('_', ' ').split(' ')[0] ?? '');
    // Half a page at most, but where the topic is a page of its own.
    if (!Object.hasOwn(DOCS, topic)) expect(lines.length).toBeLessThan(220);
  });

  test.each([
    ['url', '# Matching URLs'],
    ['urls', '# Matching URLs'],
    ['testing', '# Testing policies'],
    ['lint#trust', '### trust'],
    ['layers', '# Which policies count'],
    ['how policies combine', '## How policies combine'],
    ['rewrite', '# Rewrites'],
    ['downloads_and_runs', '# Matching commands'],
    ['flags', '# Matching commands'],
    ['max_length', '## Value tests'],
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

  test.each([
    ['stop the agent from pushing to main', /push/],
    ['redirections', /redirection/],
    ['which calls did the agent make in past sessions', /In compare#past-sessions:/],
    ['how do I revoke a grant', /In allow:/],
    ['sign a bundle with a key', /In bundles/],
    ['cannot be told', /In matching#when-a-key-is-unknown:/],
    ['matching#what-cannot-be-told', /In matching#when-a-key-is-unknown:/],
  ])('opens what says most about "%s"', async (words, expected) => {
    const { exitCode, stdout } = await runCli(['docs', ...words.split(' ')]);
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/^In [\w-]+(#[\w-]+)?:$/)]);
    expect(stdout).toMatch(expected);
    expect(stdout).toContain('\nSee also: policy docs ');
  });

  test('says what was meant by what is written nowhere', async () => {
    const wrong = await runCli(['docs', 'templtes']);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
    expect(wrong.stderr).toContain('did you mean "templates"?');
    expect((await runCli(['docs', 'zqxjzqxj'])).stderr).toContain('policy docs lists the pages');
    expect(searchSections('zqxj qqq ww', SECTIONS)).toEqual([]);
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
    const text = markdownText(withoutMarks((DOCS[page] ?? '').split('\n')), createPaint(false, 80));
    let isCode = false;
    for (const line of text.split('\n')) {
      isCode = line.startsWith('    ');
      // Code stays as it is; a word that is longer than the line, too.
      if (!isCode && !/\S{60}/.test(line)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    }
  });
});

describe('policy docs of packs and policies', () => {
  const env = { HOME: '/nonexistent' };

  test('prints a pack, or a policy as it is written with the defaults of its file', async () => {
    const { stdout } = await runCli(['docs', 'builtin:secrets'], { env });
    expect(stdout).toContain('\nname: secrets\n');
    const one = await runCli(['docs', 'git-safety/no-skipped-checks'], { env });
    const { docs } = await import('../../src/tools/cli/commands/docs.ts');
    expect(docs.example.join('\n')).toEndWith(
      `$ policy docs git-safety/no-skipped-checks\n${one.stdout.trimEnd()}`,
    );
    expect((await runCli(['docs', 'no-skipped-checks'], { env })).stdout).toContain(
      '| `no-skipped-checks` |',
    );
    expect((await runCli(['docs', 'weather-plugin-example/get_weather:answer'], { env })).stdout).toContain(
      '- name: get_weather',
    );
  });

  test.each([
    ['builtin:secret', 'did you mean "builtin:secrets"?'],
    ['git-safety/no-skipped-check', 'did you mean "git-safety/no-skipped-checks"?'],
    ['zzzz/zzzzzzz', 'an id is FILE/POLICY'],
  ])('says of %s what was meant', async (name, hint) => {
    const { exitCode, stderr } = await runCli(['docs', name], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(hint);
  });
});
