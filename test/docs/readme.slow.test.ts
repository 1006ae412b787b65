import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import packageJson from '../../package.json';
import { COMMANDS } from '../../src/tools/cli/table.ts';
import { runCli } from '../cli/test-io.ts';
import { BINARY } from '../support/binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { AGENT_PAGES, codeBlocks, inlineCodes, markedText, pageText } from './markdown.ts';
import { mentionedCommands, mentionedOptions, mentionedScripts } from './mentioned-commands.ts';

const ROOT = join(import.meta.dir, '../..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((page) => page.endsWith('.md'));
/** Those of other programs, and of the help itself. */
const OPTIONS_OF_OTHERS = ['skip-trust', 'bypass', 'all'];
const NPM_COMMANDS = ['ci', 'test', 'install', 'publish'];

async function optionsOf(name: string): Promise<readonly string[]> {
  const row = COMMANDS.find((each) => each.name === name);
  const command = await row?.load();
  return [...(command?.options.map((option) => option.name) ?? []), 'help'];
}

describe.each([
  'README.md',
  'docs/commands.md',
  'CONTRIBUTING.md',
  ...AGENT_PAGES,
  'docs/tutorial.md',
  'docs/not-matching.md',
])('%s', (page) => {
  test('mentions only commands and options that there are', async () => {
    for (const { text, command, options } of mentionedCommands(page)) {
      // It prints the table of commands and is no row of it.
      if (command === 'completion') continue;
      expect([text, COMMANDS.map(({ name }) => name)]).toEqual([text, expect.arrayContaining([command])]);
      const known = await optionsOf(command);
      for (const option of options) {
        expect([text, known]).toEqual([text, expect.arrayContaining([option])]);
      }
    }
    const all = (await Promise.all(COMMANDS.map(({ name }) => optionsOf(name)))).flat();
    for (const option of mentionedOptions(page)) {
      if (!OPTIONS_OF_OTHERS.includes(option)) expect(all).toContain(option);
    }
  });

  test('mentions only scripts that package.json has', () => {
    const known = [...NPM_COMMANDS, ...Object.keys(packageJson.scripts)];
    expect(mentionedScripts(page).filter((script) => !known.includes(script))).toEqual([]);
  });
});

test.each(PAGES)('the links in %s lead somewhere', (page) => {
  const links = [...pageText(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const dead = links.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    return !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
  expect(dead).toEqual([]);
});

test('docs/README.md leads to every page', () => {
  const index = pageText('docs/README.md');
  for (const page of PAGES.filter((name) => /^docs\/(?!README)/.test(name)))
    expect(index).toContain(`](${page.slice('docs/'.length)})`);
});

test('docs/commands.md lists every command, and no other', () => {
  const [section = ''] = pageText('docs/commands.md').split('## ');
  const listed = [...section.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`policy ([a-z-]+)`/g)].map(([, name = '']) => name),
  );
  expect(listed.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

test('docs/dependencies.md names every dependency', () => {
  const section = pageText('docs/dependencies.md');
  for (const name of Object.keys(packageJson.dependencies)) expect(section).toContain(name);
});

describe('README.md', () => {
  test('is short', () => {
    // The table of agents grows with each of them.
    const agents = markedText('README.md', 'agents').split('\n').length;
    expect(pageText('README.md').split('\n').length - agents).toBeLessThan(95);
  });

  test('tells the truth about the first 60 seconds', () => {
    const [, block] = codeBlocks('README.md').filter(({ language }) => language === 'console');
    const home = temporaryFolder();
    mkdirSync(join(home, '.gemini'));
    const outputs = (block?.text.trimEnd().split('\n') ?? []).map((line) => {
      // Nobody is here to be asked.
      const agreed = line.replace('policy install', 'policy install --yes');
      const command = agreed.replace(/^\$ policy/, `'${BINARY}'`).replace(/\s+#.*$/, '');
      const { stdout, exitCode } = Bun.spawnSync(['bash', '-c', command], {
        cwd: home,
        env: { PATH: process.env['PATH'] ?? '', HOME: home },
      });
      return [exitCode, stdout.toString()];
    });
    expect(outputs).toEqual([
      [0, expect.stringContaining('Gemini CLI now runs the hook')],
      [0, expect.stringContaining('No findings')],
      [0, expect.stringContaining('.policy/first.yaml')],
      [0, expect.stringContaining('passed')],
      [0, expect.stringMatching(/^deny /)],
    ]);
  });

  test('shows a policy whose examples hold, and what the model reads', async () => {
    const policy = codeBlocks('README.md').find(({ text }) => text.startsWith('# .policy/git.yaml'));
    const home = temporaryFolder();
    mkdirSync(join(home, '.policy'));
    const file = join(home, '.policy/git.yaml');
    writeFileSync(file, policy?.text ?? '');
    expect(await runCli(['check', file])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('No problems'),
    });
    const call = '{"tool":"shell","arguments":{"command":"git push origin main"}}';
    // With all that applies there: what the packs say as well would be shown.
    const env = { HOME: home, XDG_STATE_HOME: join(home, 'state') };
    const { stdout } = await runCli(['explain', '--json', '-'], { stdin: call, cwd: home, env });
    const { reason } = JSON.parse(stdout).decision;
    expect(codeBlocks('README.md').map(({ text }) => text.trim())).toContain(reason);
  });

  test('tells the truth about how commands are read', async () => {
    const codes = inlineCodes('README.md');
    const first = codes.indexOf("sudo sh -c 'rm -rf ~/'");
    const commands = codes.slice(first, first + 4);
    const decisions = await Promise.all(
      commands.map(async (command) => {
        const stdin = JSON.stringify({ tool: 'shell', arguments: { command } });
        const { stdout } = await runCli(['explain', '--policies', 'builtin:baseline', '-'], { stdin });
        return stdout.split(' ')[0];
      }),
    );
    expect(decisions).toEqual(['deny', 'deny', 'deny', 'continue']);
  });
});

/** The anchors of a page's headings, as code hosts make them. */
function anchorsOf(page: string): readonly string[] {
  return [...pageText(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
