import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import type { DecisionRecord } from '../../../src/hook/audit/record.ts';
import { BINARY } from '../../support/binary.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';
import { browserMissing, pixelsOf, show, startBrowser } from './browser.ts';

const folders = temporaryFolders();
/** Of the first two series. */
const [FIRST, SECOND] = ['#3b6ea5', '#c8553d'] as const;
/** What would act in a page if it were not text. */
const EVIL = [
  '<img src=x onerror="alert(1)">',
  '</script><script>alert(2)</script>',
  '"><svg onload=alert(3)>',
  '<!--<script>',
  "';alert(4);//",
  '<link rel=stylesheet href=https://host.example/x>',
];

function record(index: number, parts: Partial<DecisionRecord> = {}): DecisionRecord {
  return {
    version: 1,
    decision_id: `p-${index}`,
    time: new Date(Date.UTC(2026, 10, 1) + index * 3_600_000).toISOString(),
    host: 'gemini',
    event: 'before_tool',
    tool: 'run_shell_command',
    action: 'deny',
    policy: 'git/no-force-push',
    policies: [{ id: 'git/no-force-push', how: 'matched', action: 'deny' }],
    skipped: [],
    reason: 'Refused by git/no-force-push: no.',
    times: [{ id: 'git/no-force-push', own_us: 41 }],
    duration_us: 1_000,
    ...parts,
  };
}

/** Writes a log of these records and the page of it, and returns its path. */
function report(records: readonly DecisionRecord[]): string {
  const home = folders();
  const state = join(home, '.local/state/policy');
  mkdirSync(state, { recursive: true });
  mkdirSync(join(home, 'project/.policy'), { recursive: true });
  writeFileSync(
    join(home, 'project/.policy/git.yaml'),
    'version: 1\npolicies:\n  - {id: no-force-push, tool: shell, action: deny, reason: No}\n  - {id: never-seen, tool: write, action: deny, reason: No}\n',
  );
  writeFileSync(join(state, 'decisions.jsonl'), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [BINARY, 'report', '--html', 'report.html', '--policies', '.policy'],
    { cwd: join(home, 'project'), env: { HOME: home } },
  );
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  expect(stdout.toString()).toStartWith(`Wrote report.html: ${records.length} decision`);
  return join(home, 'project/report.html');
}

const missing = browserMissing();

describe.skipIf(missing !== undefined)(
  `the page of a report${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    }, 60_000);
    afterAll(() => browser.close());

    test.each(['light', 'dark'] as const)(
      'draws its charts in %s colours, and asks nobody for anything',
      async (scheme) => {
        const records = Array.from({ length: 200 }, (_, index) =>
          record(index, index % 3 === 0 ? { policy: 'team/no-prod', host: 'jcli' } : {}),
        );
        const { page, events } = await show(browser, report(records), scheme);
        expect(await page.$$('.chart canvas')).toHaveLength(2);
        const screenshot = await page.screenshot({ fullPage: true });
        const background = scheme === 'light' ? '#ffffff' : '#14171a';
        const [first = 0, second = 0, page_ = 0] = await pixelsOf(browser, screenshot, [
          FIRST,
          SECOND,
          background,
        ]);
        // Two of three refusals are of the first policy and host; bars have edges of other colours.
        expect(first).toBeGreaterThan(20_000);
        expect(second).toBeGreaterThan(10_000);
        expect(first).toBeGreaterThan(second);
        expect(page_).toBeGreaterThan(200_000);
        expect(events).toEqual([]);
      },
      60_000,
    );

    test('says who refused, what is slow, what never matched', async () => {
      const records = [
        record(0),
        record(1, { action: 'continue', policies: [], times: [{ id: 'team/slow', own_us: 4_200 }] }),
        record(2, { policy: undefined as never, failed: 'the judge is away' }),
      ];
      const { page } = await show(browser, report(records));
      const text = String(await page.evaluate('document.body.innerText'));
      expect(text).toContain(
        '3 decisions from 2026-11-01T00:00:00.000Z to 2026-11-01T02:00:00.000Z: 2 refused (66.6 %)',
      );
      expect(text).toMatch(/Slowest policies[\s\S]*team\/slow\s+4.2 ms/);
      expect(text).toMatch(/Policies that never matched[\s\S]*git\/never-seen\s+\.policy\/git\.yaml:4/);
      expect(text).not.toMatch(/never matched[\s\S]*git\/no-force-push\s+\.policy/);
      expect(text).toMatch(/Newest refusals[\s\S]*the judge is away/);
    }, 60_000);

    test('shows text of whoever wrote the log, and does nothing that it says', async () => {
      const records = EVIL.flatMap((evil, index) => [
        record(2 * index, {
          policy: evil,
          host: evil,
          tool: evil,
          reason: evil,
          session: evil,
          times: [{ id: evil, own_us: 7 }],
        }),
        record(2 * index + 1, { failed: evil, policies: [{ id: evil, how: 'matched' }], skipped: [evil] }),
      ]);
      const { page, events } = await show(browser, report(records));
      // Whoever points at a chart is told the numbers below it.
      await page.mouse.move(400, 300);
      expect(await page.$$('.chart canvas')).toHaveLength(2);
      const text = String(await page.evaluate('document.body.innerText'));
      for (const evil of EVIL) expect(text).toContain(evil);
      expect(await page.$$('img, svg, link')).toHaveLength(0);
      expect(await page.$$('script')).toHaveLength(2);
      expect(events).toEqual([]);
    }, 60_000);

    test('runs no script but its own, even if one got into it', async () => {
      const path = report([record(0)]);
      writeFileSync(path, `${await Bun.file(path).text()}<script>document.title = 'changed'</script>`);
      const { page, events } = await show(browser, path);
      expect(await page.title()).toBe('Policy decisions');
      expect(events.join()).toContain('Content Security Policy');
    }, 60_000);

    test.each([
      ['no decision', []],
      ['no refusal', [record(0, { action: 'continue', policies: [] })]],
      ['a time that is none', [record(0, { time: 'soon' })]],
    ])(
      'has no chart where there is %s',
      async (_what, records) => {
        const { page, events } = await show(browser, report(records));
        expect(await page.$$('canvas')).toHaveLength(0);
        expect(events).toEqual([]);
      },
      60_000,
    );
  },
);
