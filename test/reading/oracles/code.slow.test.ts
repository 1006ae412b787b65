import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import type { ReadCommand } from '../../../src/reader/reading/reading.ts';
import { gapsIn, read } from '../reads.ts';
import { Random } from './random.ts';

const SEED = 2_026;
const SCRIPTS = 800;
const MAX_DEPTH = 2;

/** Values that two choices give are put together side by side, as those of a loop are, and not each with each. */
const CHOICES = /\|\||\?\??|\/\/|\b(?:or|if|unless|else|case|try|while|for|def|function|pop)\b/g;

/** A language whose random scripts run in a real interpreter in which `system` only notes what it is given. */
interface Oracle {
  readonly start: string;
  /** Sets its variables. */
  readonly sets: string;
  /** `E`: an expression; `V`: a variable; `T`: a text. */
  readonly expressions: readonly string[];
  readonly statements: readonly string[];
  /** Prints a JSON list for each script of a JSON list on its standard input: what it gave to `system`. */
  readonly run: readonly [program: string, ...args: string[]];
}

const PYTHON = `
import json, sys, types
out = []
for script in json.load(sys.stdin):
    given = []
    os = types.SimpleNamespace(system=given.append, path=__import__('posixpath'))
    try:
        exec(script, {'os': os, 'flag': len(out) % 2 == 0})
    except Exception:
        pass
    out.append(given)
print(json.dumps(out))`;
const NODE = `
const all = JSON.parse(require('fs').readFileSync(0, 'utf8')).map((script, index) => {
  const given = [];
  try {
    new Function('execSync', 'flag', script)((text) => typeof text === "string" && given.push(text), index % 2 === 0);
  } catch {}
  return given;
});
console.log(JSON.stringify(all));`;
const PERL = `
use JSON::PP;
our (@given, $flag, @all);
BEGIN { *CORE::GLOBAL::system = sub { push @given, join ' ', @_ } }
local $/;
for my $script (@{decode_json(<STDIN>)}) {
  @given = ();
  $flag = @all % 2;
  eval $script;
  push @all, [map { "$_" } @given];
}
print encode_json(\\@all);`;

const ORACLES: Readonly<Record<string, Oracle>> = {
  python: {
    start: 'python3 -',
    sets: "v, w = 'p', 'q r'\nv = 'p'\nw = 'q r'",
    run: ['python3', '-c', PYTHON],
    expressions: [
      'T',
      'V',
      'E + E',
      "'%s-%s' % (E, E)",
      "'{}.{}'.format(E, E)",
      "f'x{V}y'",
      'E or E',
      'E if flag else E',
      'E.strip()',
      'E.strip("a")',
      'E.upper()',
      'E[1:]',
      'E[0]',
      'E[::-1]',
      'E * 2',
      "' '.join([E, E])",
      '[E, E][1]',
      '(E)',
      '(E, E)[0]',
      "E.replace('a', 'b')",
      "E.split('a')[0]",
      "{'k': E}['k']",
      'str(E)',
      'g(E)',
      'E and E',
      'os.path.join(E, E)',
      'E T',
      '(lambda x: x + T)(E)',
      'E.zfill(9)',
      'not flag and E',
      'E < E and E',
      "'%s' % V",
      'E.format(V)',
    ],
    statements: [
      'V = E',
      'V += E',
      'V, W = E, E',
      'if flag:\n  v = E',
      'if flag: v = E\nelse: v = E',
      'for V in [E, E]:\n  os.system(V)',
      'def h(V):\n  os.system(V)\nh(E)',
      'def g(x):\n  return x + T',
      'l = [E]\nl.append(E)\nV = l[1]',
      '(V := E)',
      'V = W = E',
      'l = [E, T]\nl.insert(0, E)\nV = l[0]',
      'V = E; W = V',
      'os.system(E)',
      '[os.system(V) for V in [E, E] if flag]',
      'while flag:\n  v = E\n  flag = False\n  os.system(v)',
      'def h(V, W=E):\n  os.system(V + W)\nh(E)\nh(E, E)',
      'V = E if flag \\\n  else E',
      'try:\n  V = E\nfinally:\n  pass',
      'l = []\nfor x in [E, E]:\n  l.append(x)\nV = l[-1]',
      'V = (E\n  + E)',
      'del W\nW = E',
    ],
  },
  javascript: {
    start: 'node -',
    sets: "let v = 'p', l; let w = 'q r';",
    run: ['node', '-e', NODE],
    expressions: [
      'T',
      'V',
      'E + E',
      '`x${V}y${E}`',
      'E || E',
      'E ?? E',
      'flag ? E : E',
      'E.trim()',
      'E.toUpperCase()',
      'E.slice(1)',
      'E[0]',
      'E.concat(E)',
      '[E, E].join(" ")',
      '[E, E][1]',
      '(E)',
      '(E, E)',
      'E.replace("a", "b")',
      'E.split("a")[0]',
      '({ k: E }).k',
      'String(E)',
      'g(E)',
      'E && E',
      '(x => x + T)(E)',
      'E.repeat(2)',
      '[E].map(x => x + T)[0]',
      '[E, E].filter(Boolean).pop()',
      '[E, E].reverse()[0]',
      '(flag && E) || E',
      'E.length + E',
      'E.at(0)',
      'JSON.stringify(E)',
      '[...E].join("")',
      'void E || E',
    ],
    statements: [
      'V = E;',
      'V += E;',
      '[V, W] = [E, E];',
      'if (flag) v = E;',
      'if (flag) { v = E } else { v = E }',
      'for (const x of [E, E]) execSync(x);',
      '[E, E].forEach((x) => execSync(x));',
      'function h(x) { execSync(x) }\nh(E);',
      'const k = (x) => execSync(x);\nk(E);',
      'l = [E];\nl.push(E);\nV = l[1];',
      'l = [E, T];\nl.unshift(E);\nV = l[0];',
      '({ V } = { V: E });',
      'V = W = E;',
      'execSync(E);',
      'V ||= E;',
      'V = E, W = E;',
      'try { v = E } catch {}',
      'switch (flag) { case true: v = E }',
      'class A { go(V) { execSync(V) } }\nnew A().go(E);',
      'V = E\nW = V',
      '[E].map(execSync);',
    ],
  },
  perl: {
    start: 'perl -',
    sets: '$v = "p"; $w = "q r";',
    run: ['perl', '-e', PERL],
    expressions: [
      'T',
      '$V',
      'E . E',
      '"x$V y"',
      '"x${V}y"',
      'E || E',
      'E // E',
      '($flag ? E : E)',
      'uc(E)',
      'substr(E, 1)',
      'join(" ", E, E)',
      '(E)',
      '(E, E)[0]',
      'sprintf("%s-%s", E, E)',
      'reverse(E)',
      'E x 2',
      '[E, E]->[1]',
      '{k => E}->{k}',
      'g(E)',
      '(E && E)',
      'do { E }',
      'lc E',
      'scalar(E)',
      '(split /a/, E)[0]',
      'qq{a$V}',
      'q(b) . E',
      'map({ $_ . T } E)',
    ],
    statements: [
      '$V = E;',
      '$V .= E;',
      '($V, $W) = (E, E);',
      '$v = E if $flag;',
      'if ($flag) { $v = E }',
      'for my $x (E, E) { system($x) }',
      'system($_) for E, E;',
      'sub h { system($_[0]) } h(E);',
      '@l = (E); push @l, E; $V = $l[1];',
      '$V =~ s/a/b/;',
      '$V = $W = E;',
      'system(E);',
      '$V ||= E;',
      '$V =~ tr/a-z/b-za/;',
      'unless ($flag) { $v = E } else { $v = E }',
      'my ($V) = (E);',
      '{ local $V = E; system($V) }',
      '($V) = (E) x 2;',
    ],
  },
};

function scriptOf({ sets, expressions, statements }: Oracle, random: Random): string {
  const fill = (template: string, depth: number): string =>
    template.replace(/\b[ETVW]\b/g, (kind) => {
      if (kind === 'E')
        return fill(random.pick(depth < MAX_DEPTH ? expressions : expressions.slice(0, 2)), depth + 1);
      return kind === 'T' ? `"${random.pick(['a', 'b c', 'dad', ''])}"` : random.pick(['v', 'w']);
    });
  const all = Array.from({ length: random.below(4) }, () => fill(random.pick(statements), random.below(2)));
  const last = statements.find((statement) => /^(?:os\.system|execSync|system)\(E\)/.test(statement)) ?? '';
  return [sets, ...all, fill(last, 0)].join('\n');
}

/** Command lines with single blanks. What has other signs than these texts is not for this test. */
function plain(line: string): string {
  return /^[\w\s.-]+$/.test(line) ? line.trim().replaceAll(/\s+/g, ' ') : '';
}

/** Fits every command line that a command of a reading may be, and the empty one. */
function patternOf({ program, args }: ReadCommand): RegExp {
  const words = [program, ...args].map((word) =>
    word.map((part) => (part.type === 'text' ? part.text.replaceAll('.', '\\.') : '.*')).join(''),
  );
  // What is not known may be nothing.
  const line = words
    .join(' ')
    .trim()
    .replaceAll(/ (?=\.\*)|(?<=[^\\]\.\*|^\.\*) /g, ' ?');
  return new RegExp(`^(?:${line})?$`);
}

describe('inline code in random scripts', () => {
  test.each(Object.entries(ORACLES))(
    '%s: what a real interpreter runs is found, or there is a gap',
    (_, oracle) => {
      const random = new Random(SEED);
      const scripts = Array.from({ length: SCRIPTS }, () => scriptOf(oracle, random));
      const [program, ...args] = oracle.run;
      const { stdout, error } = spawnSync(program, args, {
        input: JSON.stringify(scripts),
        maxBuffer: 1 << 28,
      });
      // It has to be there: without it nothing would be held against anything.
      expect(error).toBeUndefined();
      const given = JSON.parse(String(stdout)) as readonly (readonly string[])[];
      expect(given.filter((commands) => commands.length > 0).length).toBeGreaterThan(SCRIPTS / 10);
      const missed = scripts.flatMap((script, index) => {
        const text = `${oracle.start} <<'END'\n${script}\nEND`;
        if (gapsIn(text).length > 0 || (script.match(CHOICES) ?? []).length > 1) return [];
        const found = read(text).commands.map(patternOf);
        const isMissed = (given[index] ?? []).some(
          (line) => !found.some((pattern) => pattern.test(plain(line))),
        );
        return isMissed ? [script] : [];
      });
      expect(missed.slice(0, 10)).toEqual([]);
    },
    120_000,
  );
});
