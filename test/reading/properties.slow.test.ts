import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { WordPart } from '../../src/reader/reading/word.ts';
import { commandLine, describeReading } from '../../src/tools/report/explanation/describe-reading.ts';
import { readingJson } from '../../src/tools/report/explanation/reading-json.ts';
import { withinProcessorTime } from '../support/processor-time.ts';
import { CONTEXT, read } from './reads.ts';

const FRAGMENTS = [
  'rm',
  '-rf',
  'sudo',
  'bash',
  '-c',
  'eval',
  'xargs',
  'find',
  '-exec',
  '{}',
  '+',
  'git',
  'echo',
  'cd',
  'cat',
  'curl',
  '$x',
  '${x:-y}',
  '${x%/*}',
  '${ ',
  '$(',
  ')',
  '`',
  '"',
  "'",
  "$'",
  '\\',
  '\n',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '(',
  '{',
  '}',
  '<',
  '>',
  '<<E',
  'E',
  '<<<',
  '<(',
  'if',
  'then',
  'fi',
  'for',
  'in',
  'do',
  'done',
  'while',
  'case',
  'esac',
  ';;',
  'f()',
  '[[',
  ']]',
  '((',
  'x=',
  'export',
  'alias',
  'trap',
  '{a,b}',
  '{1..9}',
  '*',
  '?',
  '[a]',
  '~',
  '/',
  '..',
  '#',
  '!',
  '$((',
  '))',
  'python',
  '-e',
];

const scripts = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom('', ' ', ' ', ' ')), { maxLength: 40 })
  .map((pieces) => pieces.map(([piece, gap]) => piece + gap).join(''));

describe('readCommand', () => {
  test('reads any text without throwing, and describes what it read', () => {
    fc.assert(
      fc.property(fc.oneof(scripts, fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const reading = read(text);
        expect(reading.complete).toBe(reading.gaps.length === 0);
        for (const { span } of [...reading.commands, ...reading.gaps]) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeLessThanOrEqual(text.length);
          expect(span.start).toBeLessThanOrEqual(span.end);
        }
        for (const command of reading.commands) {
          expect(command.parent ?? -1).toBeLessThan(reading.commands.length);
          for (const index of [...command.feeds, ...command.fedBy])
            expect(reading.commands[index]).toBeDefined();
        }
        describeReading(reading);
        JSON.stringify(readingJson(reading));
      }),
      { numRuns: 200 },
    );
  });

  test('is the same every time', () => {
    fc.assert(
      fc.property(scripts, (text) => {
        expect(readingJson(read(text))).toEqual(readingJson(read(text)));
      }),
      { numRuns: 100 },
    );
  });

  const word = fc.stringMatching(/^[a-z0-9./_-]{1,8}$/).filter((text) => !text.startsWith('-'));
  const plain = fc
    .tuple(fc.constantFrom('rm', 'cat', 'tool', 'git', 'touch'), fc.array(word, { maxLength: 4 }))
    .map(([name, words]) => [name, ...words].join(' '));
  const around: readonly ((command: string) => string)[] = [
    (command) => command,
    (command) => `sudo ${command}`,
    (command) => `env A=1 ${command}`,
    (command) => `nohup ${command} &`,
    (command) => `( ${command} )`,
    (command) => `{ ${command}; }`,
    (command) => `if true; then ${command}; fi`,
    (command) => `while false; do ${command}; done`,
    (command) => `true && ${command} || false`,
    (command) => `f() { ${command}; }; f`,
    (command) => `echo $(${command})`,
    (command) => `echo \`${command}\``,
    (command) => `bash -c '${command}'`,
    (command) => `eval '${command}'`,
    (command) => `echo '${command}' | sh`,
    (command) => `sh <<'E'\n${command}\nE`,
    (command) => `trap '${command}' EXIT`,
    (command) => `x='${command}'; $x`,
    (command) => `find . -exec ${command} \\;`,
    (command) => `xargs -I@ ${command} < /dev/null`,
    (command) => `ssh host '${command}'`,
    (command) => `cat <(${command})`,
    (command) => `git -c alias.x='!${command}' x`,
    (command) => `awk 'BEGIN { system("${command}") }'`,
    (command) => `python3 -c 'import os; os.system("${command}")'`.replace(/'(?=[^']*'$)/, "'"),
  ];

  test('finds a command wherever it stands', () => {
    fc.assert(
      fc.property(plain, fc.constantFrom(...around), (command, wrap) => {
        expect(read(wrap(command)).commands.map(commandLine)).toContain(command);
      }),
      { numRuns: 200 },
    );
  });

  test('finds a command behind any two of them, quoted as they need', () => {
    const outer: readonly ((command: string) => string)[] = [
      (command) => `bash -c ${quoted(command)}`,
      (command) => `sudo sh -c ${quoted(command)}`,
      (command) => `eval ${quoted(command)}`,
      (command) => `echo ${quoted(command)} | bash`,
      (command) => `bash <<< ${quoted(command)}`,
      (command) => `if x; then\n${command}\nfi`,
      (command) => `ssh host ${quoted(command)}`,
    ];
    fc.assert(
      fc.property(
        plain,
        fc.constantFrom(...outer),
        fc.constantFrom(...outer),
        fc.constantFrom(...around.slice(0, 12)),
        (command, a, b, c) => {
          expect(read(a(b(c(command)))).commands.map(commandLine)).toContain(command);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('names the place of a program that stands in the text', () => {
    fc.assert(
      fc.property(plain, fc.constantFrom(...around), (command, wrap) => {
        const text = wrap(command);
        for (const { programSpan, program } of read(text).commands) {
          if (programSpan === undefined) continue;
          expect(program).toEqual([{ type: 'text', text: text.slice(programSpan.start, programSpan.end) }]);
        }
      }),
    );
  });

  test('knows a path under any folder', () => {
    fc.assert(
      fc.property(word, word, (folder, file) => {
        const direct = read(`rm ./${folder}/${file}`, CONTEXT).commands.flatMap(({ effects }) => effects);
        const moved = read(`cd ./${folder} && rm ./${file}`, CONTEXT).commands.flatMap(
          ({ effects }) => effects,
        );
        // How it was written differs: a shell climbs by the names that it went through, the system by where they lead.
        const paths = (effects: typeof direct) =>
          effects.flatMap((effect) => (effect.type === 'path' ? effect.path.map(withoutWay) : []));
        expect(paths(moved)).toEqual(paths(direct));
      }),
    );
  });
});

/** One command of each kind that something else than the shell's grammar reads. */
const KINDS = [
  'rm -rf {a,b}{1..3}/*.[co] ~/x "$y" $(z) `w`; for f in a b; do rm "${f%.c}"; done > log',
  "curl -o f https://h.example/f && sh f; cp -r d e; cat * > g; echo 'rm x' > h; . ./h",
  "find . ( -name '*.log' -o -path './a/*' ) -mtime +7 -exec rm {} + -delete",
  "ls | xargs -I{} sh -c 'rm {}; mv {} b'; parallel 'rm {1}' ::: a b",
  "git -c alias.x='!rm y' x; git push --force o +a:b :c",
  "sed -i.b -e 's/a/b/ge' -e '/x/,$d;w out' f; tar xf a --to-command='rm b'",
  'awk \'BEGIN { x = "rm " y; system(x); while ("ls" | getline f) print f > "o" }\' f',
  'python3 -c \'import os\nfor f in ["a", "b"] + g: os.system("rm %s" % f); os.remove(f"{f}/x")\'',
  'node -e \'fs.readdirSync(".").map(f => fs.rmSync("d/" + f)); g().then(x => cp.execSync(`rm ${x}`))\'',
  'perl -e \'unlink map { "d/$_" } qw(a b); system("rm", $x) for <*.c>; open(F, "|sh"); `rm y`\'',
  'ruby -e \'Dir["*.o"].each { |f| File.delete(f) }; %w[a b].map do |x| system "rm #{x}" end\'',
  'php -r \'foreach (glob("*.o") as $f) unlink("$f[0]"); $g = "sys" . "tem"; $g("rm x");\'',
  "make --eval 'x:;$(shell rm y) rm z' x; vim -c ':!rm x' +q f; sqlite3 d '.shell rm x'",
  'emacs --eval \'(call-process "rm" nil nil nil "x")\'; groovy -e \'["rm", "x"].execute()\'',
  'osascript -e \'do shell script "rm x" & "y"\'; elixir -e \'System.cmd("rm", ["x"])\'',
  "psql -c '\\! rm x'; gdb -ex 'shell rm x' -batch p; printf '%b' 'rm\\x20x' | base64 -d | sh",
  "docker run -v /a:/b -e C=1 i sh -c 'rm x'; ssh -o ProxyCommand='rm y' -L 1:h:2 u@h 'rm x'",
  "sudo -u a env -S 'rm x' timeout 5 nice -n 1 rm -rf y; x=$(( 1 + 2 * (3 - y) )); a=([1]=b c); rm ${a[@]:1}",
  'cat <<E | sh\nrm $x\nE\npatch <<E\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\nE',
];

/** A command and the pieces that it is written in. */
const pieces = fc.constantFrom(...KINDS).map((text) => text.match(/\w+|\s+|[^\w\s]/g) ?? []);
const ODD = '\0 \ud800 \' " ` $( ) ${ } <<E\n \\ \n * { [ \u{f0000}'.split(' ');

describe('readCommand on commands in which commands of other languages stand', () => {
  test('does not throw, whatever is put into them or left out', () => {
    const change = fc.tuple(fc.nat(), fc.nat(4), fc.constantFrom('', ...ODD));
    fc.assert(
      fc.property(pieces, fc.array(change, { maxLength: 4 }), (parts, changes) => {
        const changed = [...parts];
        for (const [at, count, odd] of changes) changed.splice(at % changed.length, count, odd);
        const text = changed.join('');
        for (const { span } of read(text).commands) expect(span.end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 300 },
    );
  });

  test('is done in no time, however often a part of them is repeated', () => {
    fc.assert(
      fc.property(pieces, fc.nat(), fc.integer({ min: 1, max: 3 }), (parts, place, width) => {
        const at = place % parts.length;
        const part = parts.slice(at, at + width).join('');
        const repeated = part.repeat(Math.ceil(60_000 / part.length));
        withinProcessorTime(3_000, () =>
          read([...parts.slice(0, at), repeated, ...parts.slice(at)].join('')),
        );
      }),
      { numRuns: 15 },
    );
  });
});

function withoutWay(part: WordPart): WordPart {
  return part.type === 'text' ? { type: 'text', text: part.text } : part;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
