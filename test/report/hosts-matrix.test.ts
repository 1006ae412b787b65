import { expect, test } from 'bun:test';
import type { Host, Reply } from '../../src/hosts/host.ts';
import { HOSTS } from '../../src/hosts/registry.ts';
import { hostsJson, hostsMarkdown, hostsText, hostText } from '../../src/report/hosts-matrix.ts';
import { createPaint } from '../../src/report/paint.ts';
import { expectGolden } from '../support/golden.ts';

const REPLY: Reply = { stdout: '', stderr: '', exitCode: 0 };

function hostOf(name: string, parts: Partial<Host>): Host {
  return {
    name,
    title: name.toUpperCase(),
    framing: 'document',
    timeoutS: () => 10,
    versions: [],
    events: {},
    supports: () => ({}),
    tools: {},
    recognise: () => false,
    decode: () => ({ type: 'reply', reply: REPLY }),
    encode: () => REPLY,
    refuse: () => REPLY,
    compose: () => null,
    ...parts,
  };
}

const FULL = hostOf('full', {
  versions: ['1', '2'],
  events: {
    BeforeTool: 'before_tool',
    PreTool: 'before_tool',
    Stop: 'after_turn',
    Unsupported: 'session_end',
  },
  supports: (version) => ({
    after_turn: {
      actions: ['continue', 'retry_feedback'],
      rewrites: [],
      beside: [],
      context: [],
      model: 'never',
      note: version === '1' ? 'Version 1 only | with a bar' : 'What a reader should know',
    },
    before_tool: {
      actions: ['continue', 'modify', 'deny', 'hard_abort'],
      rewrites: ['set', 'remove'],
      beside: ['message'],
      context: ['cwd'],
      model: 'sent',
    },
  }),
});
const SMALL = hostOf('small', {
  events: { notify: 'notification' },
  supports: () => ({
    notification: { actions: ['continue'], rewrites: [], beside: [], context: [], model: 'remembered' },
  }),
});

test('hostsText shows events in the order of a turn and actions from strong to weak', () => {
  expectGolden(import.meta.dir, 'hosts.txt', hostsText([FULL, SMALL], createPaint(false)));
});

test('hostText shows all that is known of a version of one host', () => {
  expectGolden(import.meta.dir, 'host.txt', hostText(FULL, '1', createPaint(false)));
});

test('hostsMarkdown has an overview of all hosts and a table for each', () => {
  expectGolden(import.meta.dir, 'hosts.md', hostsMarkdown([FULL, SMALL], '1'));
});

test('hostsJson has every fact, of the version asked for', () => {
  expectGolden(import.meta.dir, 'hosts.json', `${JSON.stringify(hostsJson([FULL, SMALL], '1'), null, 2)}\n`);
});

test.each(HOSTS.map((host) => [host.name, host] as const))(
  'hostsMarkdown has a whole row for each event of %s',
  (_name, host) => {
    const [, table = ''] = hostsMarkdown([host], undefined).split(`## ${host.title}\n\n`);
    const rows = table.trimEnd().split('\n');
    expect(rows).toHaveLength(2 + Object.keys(host.supports(undefined)).length);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(8);
  },
);
