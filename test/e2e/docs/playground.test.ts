import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { BINARY } from '../../support/binary.ts';
import { browserMissing, show, startBrowser } from '../report/browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-playground-'));
const POLICY = 'version: 1\npolicies:\n  - {id: no-npm, command: npm, action: deny, reason: use pnpm}\n';
let browser: Browser;
let path: string;

const missing = browserMissing();

/** The page after it has judged what it has begun with. */
async function shown(hash = ''): Promise<{ readonly page: Page; readonly events: readonly string[] }> {
  const found = await show(browser, path + hash);
  await found.page.waitForFunction("document.querySelectorAll('#results li').length > 0", {
    timeout: 60_000,
  });
  return found;
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
  await page.waitForFunction(`document.querySelectorAll('#results li').length === ${count}`, {
    timeout: 60_000,
  });
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
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('judges what is typed as the program does, and asks nothing of the network', async () => {
      const { page, events } = await shown();
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

    test('shows what is wrong with a policy at its place', async () => {
      const { page } = await shown();
      await page.evaluate(
        `(() => { const field = document.getElementById('policy'); field.value = 'version: 1\\npolicies:\\n  - {id: a, comand: npm, action: deny}'; field.dispatchEvent(new Event('input')); })()`,
      );
      const problems = "document.getElementById('problems').textContent";
      await page.waitForFunction(`${problems} !== ''`, { timeout: 60_000 });
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

    test('answers commands that are made to take long', async () => {
      const { page } = await shown();
      const calls = Array.from({ length: 3 }, () => `echo ${'$('.repeat(2_000)}`).join('\n');
      expect(await judged(page, POLICY, calls)).toHaveLength(3);
      expect(await judged(page, POLICY, 'npm ci')).toEqual(['✗']);
    }, 120_000);
  },
);
