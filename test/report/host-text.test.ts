import { test } from 'bun:test';
import { hostsJson, hostText } from '../../src/tools/report/host-text.ts';
import { createPaint } from '../../src/tools/report/layout/paint.ts';
import { expectGolden, expectGoldenJson } from '../support/golden.ts';
import { FULL, SMALL } from './made-up-hosts.ts';

test('hostText shows all that is known of a version of one host', () => {
  expectGolden(import.meta.dir, 'host.txt', hostText(FULL, '1', createPaint(false)));
});

test('hostsJson has every fact, of the version asked for', () => {
  expectGoldenJson(import.meta.dir, 'hosts.json', hostsJson([FULL, SMALL], '1'));
});
