import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { startHook } from '../../src/tools/cli/commands/hook.ts';

const ROOT = join(import.meta.dir, '..', '..');

/** The files that are loaded with a file: static imports that are not types only, followed. */
function loadedWith(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path) || !existsSync(join(ROOT, path))) return seen;
  seen.add(path);
  const text = readFileSync(join(ROOT, path), 'utf8');
  for (const [, clause = '', to = ''] of text.matchAll(/^(?:import|export) ([^;]*?)\s*from '(\.[^']+)'/gm)) {
    const names = clause
      .replace(/[{}\s]/g, '')
      .split(',')
      .filter((name) => name !== '');
    const typesOnly = clause.startsWith('type ') || /^\{(\s*type \w+,?)+\s*\}$/.test(clause);
    if (!typesOnly && names.length > 0) loadedWith(normalize(join(dirname(path), to)), seen);
  }
  return seen;
}

test('the program starts with next to nothing', () => {
  const loaded = [...loadedWith('src/main.ts')].sort();
  expect(loaded).toEqual([
    'src/hook/read-arrived.ts',
    'src/hook/write-all.ts',
    'src/lib/message-of.ts',
    'src/main.ts',
    'src/tools/cli/process-io.ts',
    'src/tools/cli/run.ts',
  ]);
});

test('the hook loads nothing that only people need', () => {
  const loaded = [...loadedWith('src/tools/cli/commands/hook.ts')];
  const unwanted = loaded.filter((path) =>
    /^src\/(tools\/(report|suite)|hook\/judge)\/|^src\/tools\/cli\/(help|table|run-command|version|print)\.ts$/.test(
      path,
    ),
  );
  expect(unwanted).toEqual([]);
  expect(loaded.filter((path) => path.startsWith('src/tools/cli/')).sort()).toEqual([
    'src/tools/cli/args.ts',
    'src/tools/cli/commands/hook.ts',
    'src/tools/cli/io.ts',
  ]);
});

test('the hook loads what few calls need only for those', () => {
  const loaded = [
    ...loadedWith('src/tools/cli/commands/hook.ts'),
    ...loadedWith('src/hosts/claude/claude.ts'),
  ];
  const few =
    /\/(past-policies|ask-judges|decided-action|peek-message|run-lines|managed-(record|schema)|dialect\/compose|database|regex|linked-rule|detectors)\.ts$/;
  expect(loaded.filter((path) => few.test(path))).toEqual([]);
});

test('the hook loads what reads commands only for a command that has to be read', () => {
  const loaded = [...loadedWith('src/tools/cli/commands/hook.ts')];
  const reader = /^src\/reader\/(programs|shell|powershell|commands\/(?!plain-))/;
  expect(loaded.filter((path) => reader.test(path))).toEqual([]);
});

test('the hook loads no heavy package before it is needed', () => {
  for (const path of loadedWith('src/tools/cli/commands/hook.ts')) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const heavy = [
      ...text.matchAll(
        /^import (?!type)[^;]*from '(re2js|ajv[^']*|picomatch|js-yaml|bun:sqlite|ai|@ai-sdk[^']*)'/gm,
      ),
    ];
    expect(heavy.map(([, name]) => `${path} ${name}`)).toEqual([]);
  }
});

test('a defect before the host is known refuses in the form that most hosts understand', async () => {
  let stdout = '';
  let stderr = '';
  const exitCode = await startHook(['--host', 'gemini'], {
    stdin: { isTTY: false, stream: () => new Blob([]).stream() },
    stdout: {
      isTTY: false,
      columns: undefined,
      hasFailed: false,
      isClosed: false,
      write: (text) => (stdout += text),
    },
    stderr: {
      isTTY: false,
      columns: undefined,
      hasFailed: false,
      isClosed: false,
      write: (text) => (stderr += text),
    },
    env: {},
    get cwd(): string {
      throw new Error('no such thing');
    },
  });
  expect([stdout, stderr, exitCode]).toEqual(['', 'Refused by policy: no such thing.\n', 2]);
});
