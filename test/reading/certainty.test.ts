import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readCommand } from '../../src/reader/commands/read-command.ts';

/** What is certain of the command `check` in a script. */
function certaintyOf(script: string): string {
  const { commands } = readCommand(script, { cwd: '/w', home: '/home/a' });
  const found = commands.filter(({ name }) => name === 'check');
  return found
    .map(({ certainty: { ran, own, hiddenBy } }) =>
      [own ? 'own' : hiddenBy, ran ? 'ran' : 'may run'].join(', '),
    )
    .join('; ');
}

test.each([
  ['check', 'own, ran'],
  ['cd sub && check', 'own, may run'],
  ['check && git push', 'own, ran'],
  ['echo a; check', 'own, ran'],
  ['check; echo done', 'sequence, ran'],
  ['check; true', 'sequence, ran'],
  ['check\ntrue', 'sequence, ran'],
  ['check || true', 'or, ran'],
  ['true || check', 'or, may run'],
  ['check || exit 1', 'own, ran'],
  ['check || exit', 'own, ran'],
  ['check || exit 0', 'or, ran'],
  ['check || exit 1; git push', 'own, ran'],
  ['(a || b) && check', 'own, may run'],
  ['check | tail -5', 'pipe, ran'],
  ['set -o pipefail; check | tail -5', 'own, ran'],
  ['set -euo pipefail\ncheck | tail -5\necho ok', 'own, ran'],
  ['set +o pipefail; check | tail', 'pipe, ran'],
  ['set -o pipefail; set +o pipefail; check | tail', 'pipe, ran'],
  ['(set -o pipefail); check | tail', 'pipe, ran'],
  ['[ -e x ] && set -o pipefail; check | tail', 'pipe, ran'],
  ['set -o pipefail; bash -c "check | tail"', 'pipe, ran'],
  ['yes | check', 'own, ran'],
  ['set -e; check; echo done', 'own, ran'],
  ['(set -e; check; echo done) && x', 'sequence, ran'],
  ['set -e; check && true; echo done', 'sequence, ran'],
  ['if check; then git push; fi', 'condition, ran'],
  ['if false; then check; fi', 'condition, may run'],
  ['while check; do :; done', 'condition, may run'],
  ['for f in a b; do check; done', 'condition, may run'],
  ['case $x in a) check;; esac', 'condition, may run'],
  ['! check', 'negation, ran'],
  ['check &', 'background, may run'],
  ['check & wait', 'background, may run'],
  ['{ check; }', 'own, ran'],
  ['( check )', 'own, ran'],
  ['exit 0; check', 'exit, may run'],
  ['if x; then exit; fi; check', 'exit, may run'],
  ['exec true; check', 'exit, may run'],
  ['exec check', 'own, ran'],
  ['set -n; check', 'exit, may run'],
  ['trap "exit 0" EXIT; check', 'exit, may run'],
  ['check; trap "exit 0" EXIT', 'exit, may run'],
  ['f() { check; }; f', 'own, ran'],
  ['f() { check; }', ''],
  ['f() { check; true; }; f', 'sequence, ran'],
  ['bash -c "check"', 'own, ran'],
  ['bash -lc "cd sub && check"', 'own, may run'],
  ['bash -c "check; true"', 'sequence, ran'],
  ['bash -c "exit 0"; check', 'own, ran'],
  ['bash -ec "check; true"', 'own, ran'],
  ['bash -euo pipefail -c "check | tail; true"', 'own, ran'],
  ['bash -o pipefail -c "check | tail"', 'own, ran'],
  ['bash -o errexit -o pipefail -c "check | tail; true"', 'own, ran'],
  ['bash +o pipefail -c "check | tail"', 'pipe, ran'],
  ['bash -c "check; true" -e', 'sequence, ran'],
  ['bash --rcfile x -c "check; true"', 'sequence, ran'],
  ['bash -rcfile x -c "check; true"', 'sequence, ran'],
  ['bash -ec "other; check"', 'own, may run'],
  ['set -e; bash -c "check; true"', 'sequence, ran'],
  ['eval check', 'own, ran'],
  ['env A=1 timeout 60 nice check', 'own, ran'],
  ['time check', 'own, ran'],
  ['npx check', 'own, ran'],
  ['taskset -c 0 check', 'own, ran'],
  ['flock /tmp/lock check', 'own, ran'],
  ['flock /tmp/lock -c "check; true"', 'sequence, ran'],
  ['flock -n -E 0 /tmp/lock check', 'wrapper, may run'],
  ['flock -w "$T" /tmp/lock check', 'wrapper, may run'],
  ['xvfb-run -a check', 'own, ran'],
  ['pnpm exec check', 'own, ran'],
  ['yarn run check', 'own, ran'],
  ['yarn exec check', 'own, ran'],
  ['npm exec -- check', 'own, ran'],
  ['bun x check', 'own, ran'],
  ['uv run check', 'own, ran'],
  ['uv tool run check', 'own, ran'],
  ['poetry run check', 'own, ran'],
  ['hatch run check', 'own, ran'],
  ['bundle exec check', 'own, ran'],
  ['dotenvx run -- check', 'own, ran'],
  ['mise exec -- check', 'own, ran'],
  ['nix-shell --run "check"', 'own, ran'],
  ['nix-shell --run "check; true"', 'sequence, ran'],
  ['sudo check', 'own, ran'],
  ['docker compose exec app check', 'wrapper, may run'],
  ['systemd-run check', 'wrapper, may run'],
  ['concurrently check', 'wrapper, may run'],
  ['nohup check &', 'background, may run'],
  ['setsid check', 'wrapper, may run'],
  ['sudo -b check', 'wrapper, may run'],
  ['echo a | xargs check', 'wrapper, may run'],
  ['find . -exec check {} +', 'wrapper, may run'],
  ['echo "$(check)"', 'wrapper, may run'],
  ['ssh host check', 'wrapper, may run'],
  ['$unknown; check', 'exit, may run'],
])('of %j it is certain: %s', (script, certainty) => {
  expect(certaintyOf(script)).toBe(certainty);
});

/** Scripts of commands that succeed or fail as the test wants; each has another number in the place of `@`. */
const script = fc
  .letrec<{ list: string; item: string }>((tie) => {
    const around = (made: (list: string, other: string) => string) =>
      fc.tuple(tie('list'), tie('list')).map(([list, other]) => made(list, other));
    const quoted = (list: string) => list.replaceAll("'", '');
    return {
      item: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { weight: 8, arbitrary: fc.constant('@') },
        {
          weight: 6,
          arbitrary: fc.constantFrom(
            '@ | @',
            '@ | @ | @',
            '@ &',
            '@ > /dev/null',
            '@ 2>&1',
            '! @',
            'time @',
            'true',
            'false',
            ':',
            ...['timeout 5 @', 'env A=1 @', 'command @', 'exec @', 'nice @', 'echo "$(@)"', 'wait', 'f', 'g'],
            ...['set -e', 'set -e', 'set +e', 'set -o pipefail', 'set -euo pipefail', 'set -o errexit'],
            ...['exit', 'exit 0', 'exit 1', 'exit $?', 'return', 'return 0', 'return 1', 'break', 'continue'],
            '[ $? -eq 0 ]',
            'test $? = 0',
            '[[ $? == 0 ]]',
            '[ $? -ne 0 ]',
            '[ "$?" != 0 ]',
            '[[ ! $? -eq 0 ]]',
            'rc=$?',
            'rc=$?',
            '[ $rc -eq 0 ]',
            '[ "$rc" -ne 0 ]',
            '[[ $rc -gt 0 ]]',
            'exit $rc',
            'return $rc',
            ...['[ ${PIPESTATUS[0]} -eq 0 ]', 'exit ${PIPESTATUS[0]}', 'rc=${PIPESTATUS[1]}'],
          ),
        },
        {
          weight: 3,
          arbitrary: fc.oneof(
            around((list) => `{ ${list}; }`),
            around((list) => `( ${list} )`),
            around((list) => `! { ${list}; }`),
            around((list) => `{ ${list}; } > /nowhere/x`),
            around((list) => `( ${list} ) | @`),
            around((list) => `bash -c '${quoted(list)}'`),
            around((list) => `bash -euo pipefail -c '${quoted(list)}'`),
            around((list) => `eval '${quoted(list)}'`),
            around((list) => `f() { ${list}; }; f`),
            around((list) => `g() { ${list}; }`),
            around((list) => `x=$(${list})`),
            around((list, other) => `if ${list}; then ${other}; fi`),
            around((list, other) => `if ${list}; then @; else ${other}; fi`),
            around((list, other) => `if @; then ${list}; elif @; then ${other}; fi`),
            around((list) => `for i in 1 2; do ${list}; done`),
            around((list, other) => `while ${list}; do ${other}; break; done`),
            around((list, other) => `until ${list}; do ${other}; break; done`),
            around((list, other) => `case a in a) ${list};; *) ${other};; esac`),
          ),
        },
      ),
      list: fc
        .array(fc.tuple(tie('item'), fc.constantFrom(' && ', ' || ', '; ', '\n')), {
          minLength: 1,
          maxLength: 5,
        })
        .map((parts) =>
          parts
            .map(([item, join], index) =>
              index === parts.length - 1 ? item : item + (/&$/.test(item) ? '\n' : join),
            )
            .join(''),
        ),
    };
  })
  .list.map((text) => {
    let count = 0;
    return text.replaceAll(/&; (?=[)}])|&;/g, '&').replaceAll('@', () => `c${count++}`);
  })
  .filter((text) => /c0/.test(text) && text.length < 300);

interface Read {
  readonly own: readonly string[];
  readonly ran: readonly string[];
  readonly behind: readonly (readonly [command: string, others: readonly string[]])[];
}

/** What is said to be certain of a script, by the names of its commands; undefined of one that is not read to its end. */
function readingOf(text: string): Read | undefined {
  const { commands, complete } = readCommand(text, { cwd: '/w', home: '/home/a' });
  const isOurs = ({ name = '' }: { readonly name?: string | undefined }) => /^c\d+$/.test(name);
  const names = (found: readonly { readonly name?: string | undefined }[]) =>
    found.filter(isOurs).map(({ name = '' }) => name);
  if (!complete) return undefined;
  return {
    own: names(commands.filter(({ certainty }) => certainty.own)),
    ran: names(commands.filter(({ certainty }) => certainty.ran)),
    behind: commands
      .filter(isOurs)
      .map(({ name = '', behind }) => [name, names(behind.flatMap((index) => commands[index] ?? []))]),
  };
}

/** What is wrong with a reading by what has run in a real shell: the commands with their statuses, in order. */
function mistake({ own, ran, behind }: Read, log: readonly (readonly [string, string])[], code: string) {
  const lastOf = (name: string, end = log.length) =>
    log.slice(0, end).findLast(([each]) => each === name)?.[1];
  const failed = code === '0' ? own.find((name) => lastOf(name) !== '0') : undefined;
  if (failed !== undefined) return `${failed} is said to have succeeded`;
  const missing = ran.find((name) => lastOf(name) === undefined);
  if (missing !== undefined) return `${missing} is said to have run`;
  const early = log.find(
    ([name], at) =>
      !behind.some(([each, others]) => each === name && others.every((other) => lastOf(other, at) === '0')),
  );
  return early === undefined ? undefined : `${early[0]} ran without what is said to come before it`;
}

/** So many times each script is run, with other commands that fail. */
const RUNS = 4;
const SCRIPTS = 100;

test('a real bash does what is said to be certain of scripts', () => {
  const seed = Number(process.env['CERTAINTY_SEED'] ?? 7);
  const folder = mkdtempSync(join(tmpdir(), 'certainty-'));
  try {
    const scripts = fc.sample(script, { numRuns: SCRIPTS, seed }).flatMap((text) => {
      const read = readingOf(text);
      return read === undefined ? [] : [{ text, read }];
    });
    expect(scripts.filter(({ read }) => read.own.length > 0).length).toBeGreaterThan(30);
    expect(
      scripts.filter(({ read }) => read.behind.some(([, others]) => others.length > 0)).length,
    ).toBeGreaterThan(15);
    const program = '#!/bin/sh\nn=${0##*/}\neval "s=\\${S_$n:-0}"\necho "$n $s" >>"$LOG"\nexit $s\n';
    for (let at = 0; at < 60; at++) writeFileSync(join(folder, `c${at}`), program, { mode: 0o755 });
    const lines = scripts.flatMap(({ text }, index) => {
      writeFileSync(join(folder, `${index}.sh`), text);
      return Array.from({ length: RUNS }, (_, run) => {
        const sets = [...new Set(text.match(/c\d+/g))].map(
          (name, at) =>
            `S_${name}=${run === 0 ? 0 : Bun.hash.crc32(`${seed} ${index} ${run} ${at}`) % 3 === 0 ? 1 : 0}`,
        );
        const log = `${index}.${run}.log`;
        return `: >${log}; LOG=$PWD/${log} ${sets.join(' ')} timeout 5 bash ${index}.sh >/dev/null 2>&1 </dev/null; echo "${index} ${run} $?"`;
      });
    });
    writeFileSync(join(folder, 'all.sh'), lines.join('\n'));
    const { stdout } = Bun.spawnSync(['bash', 'all.sh'], {
      cwd: folder,
      env: { PATH: `${folder}:/usr/bin:/bin` },
    });
    const found = stdout
      .toString()
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [index = '', run = '', code = ''] = line.split(' ');
        const { text, read } = scripts[Number(index)] ?? {};
        if (text === undefined || read === undefined || code === '124') return [];
        const log = readFileSync(join(folder, `${index}.${run}.log`), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((each) => each.split(' ') as [string, string]);
        const wrong = mistake(read, log, code);
        return wrong === undefined
          ? []
          : [`${JSON.stringify(text)}: ${wrong} (${log.join(' ')}, status ${code})`];
      });
    expect(found).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
