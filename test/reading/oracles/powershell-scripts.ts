import type { Random } from './random.ts';

const NAMES = [
  'Get-A',
  'ri',
  'git',
  'a.exe',
  '.\\b.ps1',
  'Set-B',
  'npm',
  'C:\\x\\y.exe',
  '../z',
  'My.Mod\\Get-C',
];
const WORDS = [
  'a',
  'a.txt',
  'src\\b',
  '-Path',
  '-Recurse',
  '-n:1',
  '--flag',
  '5',
  '0x1f',
  '*.ts',
  '~',
  '"x $y z"',
  "'it''s'",
  '$a',
  '$env:PATH',
  '${a b}',
  '$a.Length',
  '$a[0]',
  '@(1, 2)',
  '@{ a = 1; b = "c" }',
  'x,y',
  '"`$5 `"q`""',
  '[int]',
  '%',
];
const VALUES = [
  '1',
  '"t"',
  "'u'",
  '$a',
  '@()',
  '[IO.Path]::Combine("a", "b")',
  '$a.B.C()',
  '-not $a',
  '"a" + "b"',
  '$a -eq 1',
];

/** A script of PowerShell that is valid. */
export function powershellScript(random: Random, depth = 2): string {
  const count = 1 + random.below(3);
  const between = () => random.pick(['; ', '\n', '\r\n', ' # note\n']);
  return Array.from({ length: count }, () => statement(random, depth)).reduce(
    (all, each) => all + between() + each,
  );
}

function statement(random: Random, depth: number): string {
  const block = () => `{ ${depth > 0 ? powershellScript(random, depth - 1) : 'Get-End'} }`;
  const one = () => (depth > 0 ? pipeline(random, depth - 1) : 'Get-End');
  switch (random.below(depth > 0 ? 12 : 3)) {
    case 0:
      return `$x = ${one()}`;
    case 1:
      return `${pipeline(random, depth)} | ${command(random, depth)}`;
    case 2:
      return pipeline(random, depth);
    case 3:
      return `if (${random.pick(VALUES)}) ${block()} elseif (${one()}) ${block()} else ${block()}`;
    case 4:
      return `foreach ($i in ${random.pick(['$a', '@(1, 2)', `(${one()})`])}) ${block()}`;
    case 5:
      return `while (${random.pick(VALUES)}) ${block()}`;
    case 6:
      return `function f${random.below(9)} { param($p, [int]$q = 2) ${one()} }`;
    case 7:
      return `try ${block()} catch [IO.IOException] ${block()} finally ${block()}`;
    case 8:
      return `switch ($a) { 1 ${block()} 'b' ${block()} default ${block()} }`;
    case 9:
      return `& ${block()} ${random.pick(WORDS)}`;
    case 10:
      return `$h = @{ k = ${one()}; 'l m' = ${random.pick(VALUES)} }`;
    default:
      return `$t = @'\nri "x" | $y { (\n'@\n${one()}`;
  }
}

function pipeline(random: Random, depth: number): string {
  if (random.below(4) > 0) return command(random, depth);
  return random.below(2) === 0 ? `$(${command(random, depth)})` : random.pick(VALUES);
}

function command(random: Random, depth: number): string {
  const inner =
    depth > 0
      ? [
          `(${command(random, depth - 1)})`,
          `{ ${command(random, depth - 1)} }`,
          `"$(${command(random, depth - 1)})"`,
        ]
      : [];
  const words = Array.from({ length: random.below(4) }, () => random.pick([...WORDS, ...inner]));
  const end = random.pick(['', '', '', ' > out.txt', ' 2>&1', ' *> $null']);
  return [random.pick(NAMES), ...words].join(' ') + end;
}
