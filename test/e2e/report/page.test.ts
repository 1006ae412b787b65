import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import type { DecisionRecord } from '../../../src/hook/audit/record.ts';
import { BINARY } from '../../support/binary.ts';
import { expectGolden } from '../../support/golden.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { browserMissing, pixelsOf, show, startBrowser } from './browser.ts';

/** Of all calls, of those that were refused, and of the page itself. */
const COLOURS = {
  light: ['#3b6ea5', '#a1261f', '#ffffff'],
  dark: ['#79a8d9', '#f2a49e', '#14171a'],
} as const;
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
function report(records: readonly DecisionRecord[], prepare: (home: string) => void = () => {}): string {
  const home = temporaryFolder();
  prepare(home);
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
      'draws refusals and all calls in %s colours, and asks nobody for anything',
      async (scheme) => {
        const records = Array.from({ length: 200 }, (_, index) =>
          record(
            index,
            index % 3 === 0 ? {} : { action: 'continue', policies: [], policy: undefined as never },
          ),
        );
        const { page, events } = await show(browser, report(records), scheme);
        const screenshot = await page.screenshot({ fullPage: true });
        const [calls = 0, refused = 0, background = 0] = await pixelsOf(browser, screenshot, COLOURS[scheme]);
        expect(calls).toBeGreaterThan(5_000);
        expect(refused).toBeGreaterThan(5_000);
        expect(background).toBeGreaterThan(200_000);
        const text = String(await page.evaluate('document.body.innerText'));
        expect(text).toMatch(/Refused per day[\s\S]*All calls per day/);
        expect(events).toEqual([]);
      },
      60_000,
    );

    test('answers its questions in order: what was refused and why, is it in the way, is all guarded', async () => {
      const refused = { command: 'git push -f', call_digest: 'd', code: 'K7Q2M9' };
      const records = [
        record(0, {
          ...refused,
          reason: 'Refused by git/no-force-push: it loses work. Instead: push a branch.',
        }),
        record(1, { ...refused, host: 'codex' }),
        record(2, refused),
        record(3, { tool: 'read_file', target: '/work/.env', policy: 'secrets/read' }),
        record(4, {
          action: 'continue',
          policies: [{ id: 'team/strict', how: 'excepted' }],
          times: [{ id: 'team/slow', own_us: 4_200 }],
          allowed: 'ZZZZ99',
        }),
        record(5, { policy: undefined as never, failed: 'the judge is away' }),
      ];
      const path = report(records);
      const { page, events } = await show(browser, path);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      const text = String(await page.evaluate('document.body.innerText'));
      expectGolden(import.meta.dir, 'page.txt', `${text.replaceAll('\t', ' | ').trim()}\n`);
      expect(await Bun.file(path).text()).not.toMatch(/K7Q2M9|ZZZZ99/);
      expect(events).toEqual([]);
    }, 60_000);

    test('says of an empty log that no call was judged, not that all is well', async () => {
      const { page, events } = await show(browser, report([]));
      const text = String(await page.evaluate('document.body.innerText'));
      expect(text).toContain('No call has been judged');
      expect(text).not.toContain('Nothing was refused');
      expect(events).toEqual([]);
    }, 60_000);

    test('shows the refusals that fit an agent, a policy and words', async () => {
      const records = Array.from({ length: 12 }, (_, index) =>
        record(index, {
          command: index % 2 === 0 ? `git push -f origin topic-${index}` : `rm -rf build-${index}`,
          host: index % 3 === 0 ? 'codex' : 'gemini',
          policy: index % 2 === 0 ? 'git/no-force-push' : 'files/"odd" name',
        }),
      );
      const { page } = await show(browser, report(records));
      const shown = () =>
        page.evaluate(
          "[...document.querySelectorAll('#refusals tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[2].innerText)",
        );
      expect(await shown()).toHaveLength(12);
      expect((await shown()) as string[]).toEqual(records.map(({ command }) => command ?? '').reverse());
      await page.select('#agent', 'codex');
      expect(await shown()).toEqual([
        'rm -rf build-9',
        'git push -f origin topic-6',
        'rm -rf build-3',
        'git push -f origin topic-0',
      ]);
      await page.select('#policy', 'files/"odd" name');
      expect(await shown()).toEqual(['rm -rf build-9', 'rm -rf build-3']);
      await page.type('#words', 'BUILD-3 no.');
      expect(await shown()).toEqual(['rm -rf build-3']);
      expect(await page.$eval('#shown', (each) => each.textContent)).toBe('1 of 12');
    }, 60_000);

    test('says which agents are guarded, in which version, and when they last asked', async () => {
      const path = report([record(0, { host: 'codex' }), record(1, { host: 'qwen' })], (home) => {
        mkdirSync(join(home, '.codex'));
        mkdirSync(join(home, '.gemini'));
        const { exitCode } = Bun.spawnSync([BINARY, 'install', '--yes', '--host', 'codex'], {
          cwd: home,
          env: { HOME: home },
        });
        expect(exitCode).toBe(0);
      });
      const { page } = await show(browser, path);
      const text = String(await page.evaluate('document.body.innerText'));
      expect(text).toMatch(/^Codex CLI\t✓ installed\tnot known\t\? not known\t2026-11-01 00:00:00\t1\t1$/m);
      expect(text).toMatch(
        /^Gemini CLI\t✗ not installed: run policy install\tnot known\t\? not known\tnever\t0\t0$/m,
      );
      expect(text).toMatch(/^qwen\t\? not found here\tnot known\t\? not known\t2026-11-01 01:00:00\t1\t1$/m);
    }, 60_000);

    test.each([
      ['the first hour', 1, /^All calls per hour$[\s\S]*11-01 00:00/m, 11],
      ['the first day', 20, /^All calls per hour$[\s\S]*11-01 19:00/m, 11],
      ['a month', 720, /^All calls per day$[\s\S]*2026-11-30/m, 10],
    ])(
      'has axes that make sense after %s',
      async (_what, hours, labels) => {
        const { page } = await show(
          browser,
          report(Array.from({ length: hours }, (_, index) => record(index))),
        );
        const texts = (await page.evaluate(
          "[...document.querySelectorAll('.time-chart text')].map((each) => each.textContent)",
        )) as string[];
        expect(texts.join('\n')).toMatch(labels);
        const widths = (await page.evaluate(
          "[...document.querySelectorAll('.time-chart rect')].map((each) => each.getBoundingClientRect().width)",
        )) as number[];
        expect(Math.max(...widths)).toBeLessThan(60);
        const numbers = texts.filter((each) => /^[\d,.]+$/.test(each));
        expect(numbers.length).toBeGreaterThan(3);
        expect(numbers.filter((each) => each.includes('.'))).toEqual([]);
      },
      60_000,
    );

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
      const text = String(await page.evaluate('document.body.innerText'));
      for (const evil of EVIL) expect(text).toContain(evil);
      expect(await page.$$('img, svg:not(.time-chart), link')).toHaveLength(0);
      expect(await page.$$('script')).toHaveLength(1);
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
      ['no decision', [], 0],
      ['no refusal', [record(0, { action: 'continue', policies: [] })], 1],
      ['a time that is none', [record(0, { time: 'soon' })], 0],
    ])(
      'is whole where there is %s',
      async (_what, records, charts) => {
        const { page, events } = await show(browser, report(records));
        expect(await page.$$('.time-chart')).toHaveLength(charts);
        expect(events).toEqual([]);
      },
      60_000,
    );
  },
);
