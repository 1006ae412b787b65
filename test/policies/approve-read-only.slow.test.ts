import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { bareEvent } from '../../src/language/calls/bare-event.ts';
import { createEngine, type Engine } from '../../src/language/engine/engine.ts';
import { evaluate } from '../../src/language/engine/evaluate.ts';
import { compileFiles } from '../../src/language/policy/compile/compile-files.ts';
import { parsePolicyFile } from '../../src/language/policy/parse/parse.ts';
import { isJsonObject, ownString } from '../../src/lib/json.ts';
import { prevents } from '../../src/model/action.ts';
import { NO_MEMORY } from '../../src/model/memory.ts';
import { readCommand } from '../../src/reader/commands/read-command.ts';
import { isDetermined } from '../../src/reader/reading/word.ts';
import { runCli } from '../cli/test-io.ts';
import { HOME, WORKSPACE } from '../matchers/support.ts';

const FOLDER = join(import.meta.dir, '../../policies');
const PACK = 'approve-read-only';
const OTHERS = readdirSync(FOLDER).filter((pack) => pack !== PACK);

function engineOf(packs: readonly string[]): Engine {
  const named = packs.map((pack) => join(FOLDER, pack, 'policy.yaml'));
  const place = { named, cwd: FOLDER, sessionDirectory: FOLDER, env: {} };
  return createEngine(compileFiles({ place, trust: { trusted: () => undefined } }).program);
}

const APPROVING = engineOf([PACK]);
const REFUSING = engineOf(OTHERS);

function actionBy(engine: Engine, command: string) {
  const event = bareEvent({
    on: 'before_tool',
    tool: 'shell',
    arguments: { command },
    context: { cwd: WORKSPACE },
  });
  const surroundings = () => ({ home: HOME, workspace: WORKSPACE, realPath: (path: string) => path });
  return evaluate(engine, event, { memory: NO_MEMORY, surroundings }).decision.action;
}

const isApproved = (command: string) => actionBy(APPROVING, command) === 'approve';

/** The commands in the examples of all shipped packs, harmless and not. */
const COMMANDS = OTHERS.flatMap((pack) => {
  const { draft } = parsePolicyFile(readFileSync(join(FOLDER, pack, 'policy.yaml'), 'utf8'), pack, pack);
  return (draft?.examples ?? []).flatMap(({ call }) => {
    const command = isJsonObject(call) ? ownString(call, 'command') : undefined;
    return command === undefined ? [] : [command];
  });
});

const LOOKING = [
  'ls',
  'ls -la src',
  'cat README.md',
  'cat "a b"',
  'head -5 a',
  'grep -n word src/a.ts',
  'wc -l a',
  'find . -name "*.ts"',
  'git status',
  'git diff',
  'git log --oneline',
  'pwd',
  'cd src',
  'echo done',
  'sort a',
  'PATH=.',
  'export PATH=.',
  'alias ls=rm',
];
const ODD = [
  '$X',
  '"$X"',
  '$(cat a)',
  '`b`',
  '*',
  '~',
  '../x',
  '/etc/passwd',
  '.env',
  '-o out',
  '--output=out',
  '-exec rm {} +',
  '-delete',
  '> out',
  '>> out',
  '2>/dev/null',
  '< in',
  '<(make)',
  '&',
  '\\',
  "'",
  '${X:=y}',
  '<<E\n$X\nE',
];
const simple = fc.oneof(
  fc.constantFrom(...LOOKING),
  fc.constantFrom(...COMMANDS),
  fc.tuple(fc.constantFrom(...LOOKING), fc.constantFrom(...ODD)).map((words) => words.join(' ')),
  fc
    .tuple(
      fc.constantFrom(
        'A=1',
        'PATH=.',
        'X=-o',
        'GIT_PAGER=x',
        'sudo',
        'env',
        'xargs',
        'time',
        'command',
        'eval',
        'ssh h',
      ),
      fc.constantFrom(...LOOKING),
    )
    .map((words) => words.join(' ')),
);
const compound = fc
  .tuple(
    simple,
    fc.array(fc.tuple(fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n'), simple), { maxLength: 3 }),
    fc.constantFrom(
      (text: string) => text,
      (text: string) => `(${text})`,
      (text: string) => `{ ${text}; }`,
      (text: string) => `if ${text}; then ls; fi`,
      (text: string) => `for X in a b; do ${text}; done`,
      (text: string) => `bash -c '${text}'`,
      (text: string) => `f() { ${text}; }; f`,
      (text: string) => `echo "$(${text})"`,
    ),
  )
  .map(([first, rest, wrap]) => wrap(first + rest.map(([joint, text]) => joint + text).join('')));

describe('approve-read-only', () => {
  test('has a case for every alternative', async () => {
    const { exitCode, stdout, stderr } = await runCli(['test', join(FOLDER, PACK), '--min-coverage', '100']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('100.0 % of alternatives');
  });

  test('approves none of the commands that a shipped policy refuses', () => {
    expect(COMMANDS.length).toBeGreaterThan(500);
    const approved = COMMANDS.filter(isApproved);
    expect(approved.length).toBeGreaterThan(10);
    expect(approved.filter((command) => prevents(actionBy(REFUSING, command)))).toEqual([]);
  });

  test('approves nothing that is refused, cannot be read, or has an unknown word, however it is put together', () => {
    let approved = 0;
    fc.assert(
      fc.property(compound, (command) => {
        if (!isApproved(command)) return;
        approved++;
        expect([command, prevents(actionBy(REFUSING, command))]).toEqual([command, false]);
        const reading = readCommand(command, { cwd: WORKSPACE, home: HOME });
        expect([command, reading.gaps]).toEqual([command, []]);
        for (const { name, operands, effects, openEnded } of reading.commands) {
          expect([command, name !== undefined, openEnded]).toEqual([command, true, false]);
          expect([command, operands.every(isDetermined)]).toEqual([command, true]);
          const used = effects.map((effect) => (effect.type === 'path' ? effect.use : effect.type));
          const changing = used.filter((use) => !['read', 'list'].includes(use));
          expect([command, command.includes('/dev/null') ? [] : changing]).toEqual([command, []]);
        }
      }),
      { numRuns: 500 },
    );
    expect(approved).toBeGreaterThan(10);
  });
});
