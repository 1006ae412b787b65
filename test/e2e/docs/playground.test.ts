import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { Browser, Page } from 'puppeteer-core';
import { BINARY } from '../../support/binary.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { browserMissing, show, startBrowser } from '../report/browser.ts';

const folder = sharedFolder();
const POLICY = 'version: 1\npolicies:\n  - {id: no-npm, command: npm, action: deny, reason: use pnpm}\n';
let browser: Browser;
let path: string;
/** The page that most tests type into: a page begins by judging an example, which takes a second. */
let common: Awaited<ReturnType<typeof shown>>;

const POLICIES = join(import.meta.dir, '../../../policies');
const NOTHING = 'version: 1\ndefaults: {unmatched: continue}\n';
/** The packs that the page loads whatever the policy is. */
const ALWAYS = ['builtin:baseline', 'builtin:self-protection'];
/** All whose calls are decided one by one, without asking a judge, and without a JSON Schema, which would become code. */
const PACKS = readdirSync(POLICIES).filter(
  (pack) =>
    !/llm_judge|^tools:/m.test(readFileSync(join(POLICIES, pack, 'policy.yaml'), 'utf8')) &&
    !/^ *steps:/m.test(readFileSync(join(POLICIES, pack, 'policy.test.yaml'), 'utf8')),
);

/** As many calls of a pack are judged in the page: the program judges all of them, by the same code. */
const MOST_CALLS = 50;

/** Calls in the tests of a pack, from all parts of them. */
function callsOf(pack: string): readonly object[] {
  const found: object[] = [];
  const add = (value: unknown) => {
    if (typeof value === 'object' && value !== null && /"(?:tool|command|on)":/.test(JSON.stringify(value)))
      found.push(value);
  };
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'call') add(inner);
      else if (key === 'calls' && typeof inner === 'object') Object.values(inner ?? []).forEach(add);
      else if (key !== 'expect') walk(inner);
    }
  };
  walk(load(readFileSync(join(POLICIES, pack, 'policy.test.yaml'), 'utf8')));
  const step = Math.ceil(found.length / MOST_CALLS);
  return found.filter((_, index) => index % step === 0);
}

function chunksOf<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

const missing = browserMissing();

/** Waits for a condition of a page: one behind others draws nothing, and is not asked. */
async function until(page: Page, condition: string): Promise<void> {
  await page.bringToFront();
  await page.waitForFunction(condition, { timeout: 30_000 });
}

/** The page after it has judged what it has begun with. */
async function shown(hash = ''): Promise<{ readonly page: Page; readonly events: readonly string[] }> {
  const found = await show(browser, path + hash);
  await until(found.page, "document.querySelectorAll('#results li').length > 0");
  return found;
}

/** What the common page says of itself and of the network while it opens a link. */
async function linked(hash: string): Promise<readonly string[]> {
  const { page, events } = common;
  const before = events.length;
  await page.evaluate(`(() => {
    document.getElementById('results').replaceChildren();
    document.getElementById('problems').replaceChildren();
    location.hash = ${JSON.stringify(hash)};
  })()`);
  await until(
    page,
    "document.querySelectorAll('#results li').length > 0 || document.getElementById('problems').textContent !== ''",
  );
  return events.slice(before);
}

async function judged(
  page: Page,
  policy: string,
  calls: string,
  host = 'claude',
): Promise<readonly string[]> {
  const count = calls.split('\n').length;
  await page.evaluate(
    `(() => {
      document.getElementById('results').replaceChildren();
      for (const [id, value] of ${JSON.stringify([
        ['policy', policy],
        ['calls', calls],
        ['host', host],
      ])}) document.getElementById(id).value = value;
      document.getElementById('calls').dispatchEvent(new Event('input'));
    })()`,
  );
  await until(page, `document.querySelectorAll('#results li').length === ${count}`);
  return (await page.evaluate(
    "[...document.querySelectorAll('#results summary')].map((each) => each.textContent[0])",
  )) as readonly string[];
}

describe.skipIf(missing !== undefined)(
  `policy docs --playground${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    beforeAll(async () => {
      path = join(folder, 'playground.html');
      const { exitCode, stderr } = Bun.spawnSync([BINARY, 'docs', '--playground', path], {
        env: { HOME: '/' },
      });
      expect([exitCode, stderr.toString()]).toEqual([0, '']);
      browser = await startBrowser();
      common = await shown();
    });
    afterAll(() => browser?.close());

    test('judges what is typed as the program does, and asks nothing of the network', async () => {
      const { page, events } = common;
      const calls = [
        'npm ci',
        'ls',
        'rm -rf /',
        '{"tool": "read", "arguments": {"path": "/home/user/.ssh/id_rsa"}}',
      ];
      for (const host of ['claude', 'gemini', 'picoclaw'])
        expect([host, await judged(page, POLICY, calls.join('\n'), host)]).toEqual([
          host,
          ['✗', '✓', '✗', '✗'],
        ]);
      const text = (await page.evaluate("document.querySelector('#results').textContent")) as string;
      expect(text).toContain('use pnpm');
      expect(events.filter((event) => !event.includes('blob:'))).toEqual([]);
    }, 120_000);

    test('says that it does not compile a JSON Schema', async () => {
      const { page } = common;
      const policy = readFileSync(join(POLICIES, 'weather-plugin-example/policy.yaml'), 'utf8');
      const session = { policy, calls: '{"tool": "get_weather", "city": "Oslo"}', host: 'picoclaw' };
      await page.evaluate(`location.hash = '${Buffer.from(JSON.stringify(session)).toString('base64url')}'`);
      await until(page, "document.getElementById('state').textContent.includes('JSON Schema')");
      expect(String(await page.evaluate("document.getElementById('state').textContent"))).toContain(
        'JSON Schema',
      );
    }, 120_000);

    test('judges each call of a session with what became of those before it', async () => {
      const { page } = common;
      const policy = readFileSync(join(POLICIES, 'tests-before-stop/policy.yaml'), 'utf8');
      const edit = '{"tool": "edit", "path": "src/a.ts", "old_text": "a", "new_text": "b"}';
      const calls = ['git push', edit, 'git push', 'npm test', 'git push'];
      expect(await judged(page, policy, calls.join('\n'))).toEqual(['✓', '✓', '✗', '✓', '✓']);
    }, 120_000);

    test('marks what is no call of the agent as not judged', async () => {
      const { page } = common;
      const calls = [
        '{"on": "before_llm", "messages": [{"role": "user", "content": "a"}]}',
        '{"tool": {}}',
        'ls',
      ];
      expect(await judged(page, POLICY, calls.join('\n'))).toEqual(['?', '?', '✓']);
    }, 120_000);

    test('shows what is wrong with a policy at its place', async () => {
      const { page } = common;
      await page.evaluate(
        `(() => { const field = document.getElementById('policy'); field.value = 'version: 1\\npolicies:\\n  - {id: a, comand: npm, action: deny}'; field.dispatchEvent(new Event('input')); })()`,
      );
      const problems = "document.getElementById('problems').textContent";
      await until(page, `${problems} !== ''`);
      expect(await page.evaluate(problems)).toContain('policy.yaml:3:13 error unknown-key');
    }, 120_000);

    test('takes a session from a link as text alone, and says that it did', async () => {
      const session = {
        policy: `${POLICY}# <img src=x onerror=alert(1)>`,
        calls: '<b>npm</b> ci',
        host: 'claude',
      };
      const link = Buffer.from(JSON.stringify(session)).toString('base64url');
      const { page, events } = await shown(`#${link}`);
      expect(await page.evaluate("document.getElementById('from-link').hidden")).toBe(false);
      expect(await page.evaluate("document.querySelectorAll('#results b, img').length")).toBe(0);
      expect(events.filter((event) => /dialog|error|alert/.test(event))).toEqual([]);
      const broken = await shown('#x%zz');
      expect(await broken.page.evaluate("document.getElementById('from-link').hidden")).toBe(true);
    }, 120_000);

    test('there are packs to compare', () => {
      expect(PACKS).toContain('baseline');
      expect(PACKS.length).toBeGreaterThan(4);
    });

    test.each(PACKS)(
      'gives the same answers as the program to the calls of pack %s',
      async (pack) => {
        const { page } = common;
        const isAlways = ALWAYS.includes(`builtin:${pack}`);
        const policy = isAlways ? NOTHING : readFileSync(join(POLICIES, pack, 'policy.yaml'), 'utf8');
        const cases: object[] = [];
        // Every other call in a host that starts a process for each, the others in one that has all kinds of events.
        const isClaude = (call: object, index: number) => index % 2 === 0 && !('on' in call);
        for (const host of ['claude', 'picoclaw']) {
          const calls = callsOf(pack).filter((call, index) => isClaude(call, index) === (host === 'claude'));
          for (const some of chunksOf(calls, 100)) {
            await judged(page, policy, some.map((call) => JSON.stringify(call)).join('\n'), host);
            const answers = (await page.evaluate(
              "[...document.querySelectorAll('#results pre')].map((each) => each.textContent)",
            )) as readonly string[];
            for (const [index, call] of some.entries()) {
              const [, action, policy = ''] = /^(\w+) {2}(\S+)/.exec(answers[index] ?? '') ?? [];
              // What the agent asks nobody about has no explanation.
              if (action === undefined) continue;
              const by = policy.includes('/') && action !== 'continue' ? { policy } : {};
              cases.push({ name: JSON.stringify(call), call, hosts: [host], expect: { action, ...by } });
            }
          }
        }
        expect(cases.length).toBeGreaterThan(2);
        const place = join(folder, pack);
        mkdirSync(place);
        writeFileSync(join(place, 'policy.yaml'), policy);
        const suite = JSON.stringify({ policies: [...ALWAYS, 'policy.yaml'], cases });
        writeFileSync(join(place, 'a.test.yaml'), suite);
        const { stdout } = Bun.spawnSync([BINARY, 'test', 'a.test.yaml'], {
          cwd: place,
          env: { HOME: place },
        });
        expect(stdout.toString()).toContain(`${cases.length} passed`);
        expect(stdout.toString()).not.toContain('failed');
      },
      300_000,
    );

    test.each([
      ['no base64', '#x%zz'],
      ['no session', `#${Buffer.from('[1]').toString('base64url')}`],
      ['no text', `#${Buffer.from('{"policy": {}, "calls": [], "host": 1}').toString('base64url')}`],
      ['no characters', `#${Buffer.from([0x7b, 0xff]).toString('base64url')}`],
      ['endless', `#${'A'.repeat(600_000)}`],
    ])(
      'shows an example for a link with %s, and says so',
      async (_what, hash) => {
        const { page } = common;
        await judged(page, NOTHING, 'ls');
        const events = await linked(hash);
        expect(await page.evaluate("document.getElementById('from-link').hidden")).toBe(true);
        expect(await page.evaluate("document.getElementById('policy').value")).toContain('policies:');
        expect(events.filter((event) => /dialog|error|alert/.test(event))).toEqual([]);
      },
      120_000,
    );

    test.each([
      [
        'a policy of names in names',
        `a: &a [x, x]\n${'bcdefgh'.replace(/./g, (key) => `${key}: &${key} [*${String.fromCharCode(key.charCodeAt(0) - 1)}, *${String.fromCharCode(key.charCodeAt(0) - 1)}]\n`)}`,
      ],
      [
        'a regex that runs away',
        'version: 1\npolicies:\n  - {id: a, arguments: {command: "(a*)*(a*)*(a*)*b{1000}{1000}"}, action: deny, reason: a}',
      ],
      ['names of prototypes', 'version: 1\n__proto__: {polluted: true}\nconstructor: {a: b}\npolicies: []'],
      [
        'a judge and a program',
        'version: 1\njudges: {j: {run: [touch, /tmp/x]}}\npolicies:\n  - {id: a, type: llm_judge, judge: j, command: ls, prompt: a}',
      ],
    ])(
      'answers a link with %s, and does nothing else',
      async (_what, policy) => {
        const session = JSON.stringify({
          policy,
          calls: `echo ${'a'.repeat(500)}\n{"__proto__": {"polluted": 1}}`,
          host: '__proto__',
        });
        const { page } = common;
        const events = await linked(`#${Buffer.from(session).toString('base64url')}`);
        expect(await page.evaluate("document.getElementById('from-link').hidden")).toBe(false);
        expect(await page.evaluate('({}).polluted')).toBeUndefined();
        expect(events.filter((event) => /dialog|error|alert|https?:/.test(event))).toEqual([]);
        expect(await judged(page, POLICY, 'npm ci')).toEqual(['✗']);
      },
      120_000,
    );

    test('stops what takes too long though more is typed, and follows another link', async () => {
      const { page } = await shown();
      await page.evaluate(`(() => {
        // The first question is lost, and its eight seconds are over soon: the next one has all of them.
        const later = window.setTimeout;
        window.setTimeout = (run, ms) => {
          if (ms < 8_000) return later(run, ms);
          window.setTimeout = later;
          return later(run, ms / 10);
        };
        const real = Worker.prototype.postMessage;
        Worker.prototype.postMessage = () => (Worker.prototype.postMessage = real);
        document.getElementById('results').replaceChildren();
        for (const ms of [0, 300])
          later(() => document.getElementById('calls').dispatchEvent(new Event('input')), ms);
      })()`);
      await until(page, "document.querySelectorAll('#results li').length > 0");
      const session = { policy: POLICY, calls: 'npm ci', host: 'gemini' };
      await page.evaluate(`location.hash = '${Buffer.from(JSON.stringify(session)).toString('base64url')}'`);
      await until(page, "document.getElementById('calls').value === 'npm ci'");
      expect(await page.evaluate("document.getElementById('from-link').hidden")).toBe(false);
    }, 120_000);

    test('answers commands that are made to take long', async () => {
      const { page } = common;
      const calls = Array.from({ length: 2 }, () => `echo ${'$('.repeat(2_000)}`).join('\n');
      expect(await judged(page, POLICY, calls)).toHaveLength(2);
      expect(await judged(page, POLICY, 'npm ci')).toEqual(['✗']);
    }, 120_000);
  },
);
