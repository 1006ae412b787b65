import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { findSuites } from '../../src/tools/cli/test/find-suites.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { coverageHtml } from '../../src/tools/report/test/test-coverage-html.ts';
import { coverageLcov } from '../../src/tools/report/test/test-coverage-lcov.ts';
import { coverageListing } from '../../src/tools/report/test/test-coverage-text.ts';
import type { FileCoverage } from '../../src/tools/suite/coverage/coverage.ts';
import { type CoverageMeter, createCoverageMeter } from '../../src/tools/suite/coverage/measure-coverage.ts';
import { expectGolden } from '../support/golden.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { resultsIn } from './suite-in.ts';

function measure(files: Readonly<Record<string, string>>): CoverageMeter {
  const at = temporaryFolder(files);
  const measured = new Set(findSuites([], at).flatMap(({ policyFiles }) => policyFiles));
  const meter = createCoverageMeter((file) => measured.has(file));
  resultsIn(at, { observer: meter });
  return meter;
}

const POLICY = `version: 1
name: demo
policies:
  - id: pushes
    any:
      - {arguments: {command: 'push -f|push --force'}}
      - command: {run: [rm, rmdir], except: {args: {any: '^/tmp'}}}
    not: {arguments: {command: dry-run}}
    action: deny
    reason: No
  - {id: never, tool: write, action: deny, reason: No}
  - id: weather
    tool_matcher: weather
    action: respond
    table: {by: city, rows: {Rome: sunny, Oslo: dark}, otherwise: unknown}
  - {id: sample, tool: fetch, url: [a.example, b.example], action: deny, reason: No, examples: {hit: [{url: 'https://a.example/'}]}}
`;
const TESTS = `cases:
  - {call: {command: git push -f}, expect: deny}
  - {call: {command: git push -f --dry-run}, expect: continue}
  - {call: {command: rm x}, expect: deny}
  - {call: {command: rm x}, hosts: [gemini], expect: deny}
  - {call: {command: ls}, expect: continue}
  - {call: {tool: weather, city: Rome}, expect: respond}
  - {call: {tool: weather, city: Bonn}, expect: respond}
`;

function partsOf(files: readonly FileCoverage[], id: string): readonly string[] {
  return (
    files
      .flatMap(({ policies }) => policies)
      .find((policy) => policy.id === id)
      ?.parts.map(
        ({ type, label, position, hits, misses }) =>
          `${type} ${label} ${position.line}: ${hits}/${hits + misses}`,
      ) ?? []
  );
}

describe('createCoverageMeter', () => {
  test('counts what each alternative, exception and row decides', () => {
    const meter = measure({ '.policy/demo.yaml': POLICY, '.policy/demo.test.yaml': TESTS });
    const files = meter.files();
    const hits = files.flatMap(({ policies }) => policies.map((policy) => [policy.id, policy.hits]));
    expect(hits).toEqual([
      ['demo/pushes', 3],
      ['demo/never', 0],
      ['demo/weather', 2],
      ['demo/sample', 1],
    ]);
    expect(partsOf(files, 'demo/pushes')).toEqual([
      'alternative {"arguments":{"command":"push -f|push --force"}} 6: 1/3',
      'alternative push -f 6: 1/3',
      'alternative push --force 6: 0/3',
      'alternative {"command":{"run":["rm","rmdir"],"except":{"args":{"any":"^/tmp"}}}} 7: 2/3',
      'alternative rm 7: 2/3',
      'alternative rmdir 7: 0/3',
      'exception except 7: 0/0',
      'exception not 8: 1/1',
    ]);
    expect(partsOf(files, 'demo/weather')).toEqual([
      'row Rome 15: 1/2',
      'row Oslo 15: 0/2',
      'row otherwise 15: 1/2',
    ]);
    expect(partsOf(files, 'demo/sample')).toEqual([
      'alternative a.example 16: 1/1',
      'alternative b.example 16: 0/1',
    ]);
    expect(meter.totals()).toEqual({ policies: { hit: 3, total: 4 }, alternatives: { hit: 8, total: 13 } });
  });

  test('leaves out policies that only stand behind those that are tested', () => {
    const meter = measure({
      '.policy/demo.yaml':
        'version: 1\nextends: [../base.yaml]\npolicies: [{id: a, tool: shell, action: deny, reason: No}]\n',
      'base.yaml': 'version: 1\npolicies: [{id: b, tool: shell, action: deny, reason: No}]\n',
      '.policy/demo.test.yaml': 'cases: [{call: {command: ls}, expect: deny}]\n',
    });
    expect(meter.files().map(({ file }) => file)).toEqual([join('.policy', 'demo.yaml')]);
    expect(meter.totals().policies).toEqual({ hit: 1, total: 1 });
  });

  test('counts a policy that a judge decides', () => {
    const meter = measure({
      '.policy/demo.yaml': `version: 1
judges: {j: {provider: openai-compatible, base_url: 'http://127.0.0.1:1', model: m}}
policies: [{id: a, type: llm_judge, judge: j, prompt: May it?, tool: shell}]
`,
      '.policy/demo.test.yaml': 'cases: [{call: {command: ls}, judge: deny, expect: deny}]\n',
    });
    expect(meter.totals().policies).toEqual({ hit: 1, total: 1 });
  });

  test('adds up what several test files reach of one policy', () => {
    const meter = measure({
      '.policy/demo.yaml':
        "version: 1\npolicies: [{id: a, arguments: {command: 'x|y'}, action: deny, reason: No}]\n",
      '.policy/a.test.yaml': 'cases: [{call: {command: x}, expect: deny}]\n',
      '.policy/b.test.yaml': 'policies: [demo.yaml]\ncases: [{call: {command: y}, expect: deny}]\n',
    });
    expect(meter.totals()).toEqual({ policies: { hit: 1, total: 1 }, alternatives: { hit: 2, total: 2 } });
  });
});

describe('coverage reports', () => {
  const files = () => measure({ '.policy/demo.yaml': POLICY, '.policy/demo.test.yaml': TESTS }).files();

  test('the listing names every place that no case reaches', () => {
    expectGolden(import.meta.dir, 'coverage.txt', coverageListing(files(), createPaint(false)));
  });

  test('the LCOV file has a function for each policy and a branch for each alternative', () => {
    expectGolden(import.meta.dir, 'coverage.lcov', coverageLcov(files()));
  });

  test('the page shows the file with its counts and needs nothing else', () => {
    const page = coverageHtml(files());
    expectGolden(import.meta.dir, 'coverage.html', page);
    expect(page).not.toMatch(/<(?:script|link|img)|url\(|@import/);
  });

  test('the page takes nothing of a file for markup', () => {
    const [file] = files();
    if (file === undefined) throw new Error('no file');
    const page = coverageHtml([{ ...file, file: '<a>"', text: '<script>alert("&")</script>' }]);
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;');
  });
});
