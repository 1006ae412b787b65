import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { writeDocsSite } from '../../../scripts/docs-site.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { browserMissing, pixelsOf, show, startBrowser } from '../report/browser.ts';

const folder = sharedFolder();
const missing = browserMissing();
const pages = () => readdirSync(folder).filter((file) => file !== 'playground.html');
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8').replace(/<script[\s\S]*/, '');

beforeAll(() => writeDocsSite(folder, 'https://git.example.com/house/policy'), 60_000);

describe('the documentation as pages', () => {
  test('has links that lead somewhere, and loads nothing from elsewhere', () => {
    const ids = new Map(
      readdirSync(folder).map((file) => [
        file,
        [...textOf(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id),
      ]),
    );
    for (const file of pages()) {
      const targets = [...textOf(file).matchAll(/<a (?:class="skip" )?href="([^"]*)"/g)].map(
        ([, href = '']) => href,
      );
      expect(targets.length).toBeGreaterThan(40);
      const dead = targets.filter((target) => {
        if (/^https?:/.test(target)) return false;
        const [path = '', anchor] = target.split('#');
        const known = ids.get(path === '' ? file : path);
        return known === undefined || (anchor !== undefined && !known.includes(anchor));
      });
      expect([file, dead]).toEqual([file, []]);
      expect(textOf(file)).not.toMatch(/<!--|<(?:img|link|iframe)[^>]*(?:src|href)="(?!data:)/);
    }
  });

  test('shows code as it is written', () => {
    expect(textOf('index.html')).toContain('<code>echo &quot;rm -rf ~&quot;</code>');
    expect(textOf('fleet.html')).toContain('git.example.com/house/policy/blob/HEAD/contrib/fleet/README.md');
  });
});

describe.skipIf(missing !== undefined)(
  `the pages in a browser${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser?.close());

    test('search from a file, with the keyboard alone', async () => {
      const { page, events } = await show(browser, join(folder, 'index.html'));
      // The first stop skips the menu, the third is the field.
      for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab');
      await page.keyboard.type('what leaves my machine');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      const first = "document.querySelector('#results a').getAttribute('href')";
      expect(await page.evaluate(first)).toBe('privacy.html');
      await page.focus('#results a');
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
      expect(await page.evaluate("document.querySelector('h1').textContent")).toBe('Privacy');
      const own = [`request file://${folder}/`, 'request data:'];
      expect(events.filter((event) => !own.some((start) => event.startsWith(start)))).toEqual([]);
    }, 60_000);

    test('takes words of a link as text alone', async () => {
      const hostile = encodeURIComponent('<img src=x onerror=alert(1)> policy');
      const { page, events } = await show(browser, `${join(folder, 'search.html')}?q=${hostile}`);
      expect(await page.evaluate("document.querySelectorAll('#results li').length > 3")).toBe(true);
      expect(await page.evaluate("document.querySelectorAll('#results img').length")).toBe(0);
      expect(events).toEqual([]);
    }, 60_000);

    test.each([
      ['light', '#ffffff'],
      ['dark', '#14171a'],
    ] as const)(
      'fit a narrow window, and are %s',
      async (scheme, background) => {
        for (const file of ['index.html', 'hosts.html', 'search.html']) {
          const { page, events } = await show(browser, join(folder, file), scheme);
          await page.setViewport({ width: 400, height: 900 });
          expect([file, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([file, 400]);
          const [pixels = 0] = await pixelsOf(browser, await page.screenshot(), [background]);
          expect(pixels).toBeGreaterThan(100_000);
          expect(events.filter((event) => !event.startsWith('request data:'))).toEqual([]);
        }
      },
      60_000,
    );
  },
);
