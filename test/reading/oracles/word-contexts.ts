import { backquoted, type Context, contexts, ended, type Kind } from './context.ts';
import type { Random } from './random.ts';

/** What runs statements and becomes a part of a word. */
function substitutions(is: Kind): readonly Context[] {
  return contexts(is, 'statements', {
    '$( )': (inner) => `$(${ended(inner)})`,
    '$( ) with blanks': '$( \n@@\n )',
    '$( ) that prints': '$(@@\necho 1)',
    '$( ) of a subshell': (inner) => `$( (${ended(inner)}) )`,
    '$( ) of subshells': (inner) => `$((${ended(inner)}); :)`,
    '$( ) of a case': '$(case x in x) @@\n;; esac)',
    '$( ) of a case with parenthesis': '$(case x in (x) @@\n;; esac)',
    '$( ) with a comment': '$( # ) "\n@@\n)',
    backquotes: backquoted,
  });
}

const PROCESS: readonly Context[] = contexts('word', 'statements', {
  '<( )': (inner) => `<(${ended(inner)})`,
  '>( )': (inner) => `>(${ended(inner)})`,
});

/** Operators of parameter expansion that a word follows, for a variable that is set and not empty. */
const OPERATORS = [
  ...['#', '##', '%', '%%', '^', '^^', ',', ',,', '~', '~~', '/', '//', '/#', '/%', ':+', '+'],
];
const NAMES = [
  'x',
  'a[0]',
  'a[@]',
  'a[*]',
  '*',
  '@',
  '1',
  '!x',
  '-',
  '$',
  '?',
  '#',
  '!',
  '_',
  'BASH_VERSION',
  '0',
];
const JUNK = [
  ...[
    '[',
    ']',
    '{',
    '}',
    '!',
    '^',
    '~',
    '=',
    '+=',
    ':',
    ',',
    '#',
    '%',
    '@',
    '*',
    '?',
    '-',
    '+',
    '/',
    '.',
    '\\$',
  ],
  ...[
    '$',
    '$$',
    '$#',
    '$?',
    '$!',
    '$-',
    '$*',
    '$@',
    '$1',
    '$0',
    '$x',
    '${x}',
    '${x[0]}',
    'a',
    'a[',
    '[a-',
    '[!',
    '[^',
  ],
  ...[
    '[[:alpha:]',
    '[[.',
    '[[',
    ']]',
    '{a,',
    ',b}',
    '{1..',
    '..2}',
    '{}',
    '\\[',
    '\\(',
    '\\"',
    "\\'",
    '\\\\',
    '\\\n',
  ],
  ...[
    "''",
    '""',
    "'a'",
    '"b"',
    "$'c'",
    '$"d"',
    "'\"'",
    '"\'"',
    "$'\\''",
    '"\\""',
    'x=',
    '--a=',
    'a=b:',
    '~/',
    '~+',
    'a#',
    '$[1]',
    '$((1))',
  ],
];

function junk(random: Random): string {
  return Array.from({ length: random.below(4) }, () => random.pick(JUNK)).join('');
}

/** What is a part of a word, and holds one. */
const WORDS: readonly Context[] = contexts('word', 'word', {
  brackets: '[@@]',
  'open bracket': '[@@',
  'bracket behind': '@@]',
  'name and brackets': 'a[@@]',
  'negated brackets': '[!@@]',
  'class in brackets': '[[:alpha:]@@]',
  'brackets of two': '[a][@@]',
  braces: '{@@,b}',
  'braces of two': '{a,@@}',
  'open brace': '{@@',
  'braces around': '{@@}',
  tilde: '~@@',
  'behind an equals sign': 'x=@@',
  'behind a dollar': '$@@',
  'behind a number sign': 'a#@@',
  'extended pattern': (inner, random) => `${random.pick(['@', '+', '!', '*', '?'])}(${inner}|b)`,
  glued: (inner, random) => junk(random) + inner + junk(random),
  'glued again': (inner, random) => junk(random) + inner + junk(random),
  operator: (inner, random) => `\${${random.pick(NAMES)}${random.pick(OPERATORS)}${inner}}`,
  'operator on a value': (inner, random) => `\${BASH_VERSION${random.pick(OPERATORS)}${inner}}`,
  'operator in brackets': (inner, random) => `\${BASH_VERSION${random.pick(OPERATORS)}[${inner}]}`,
  default: (inner, random) => `\${u${random.pick([':-', '-', ':=', '=', ':?', '?'])}${inner}}`,
  'default of an element': (inner, random) => `\${u[0]${random.pick([':-', '-', ':=', '='])}${inner}}`,
  'default of a special name': (inner, random) =>
    `\${${random.pick(['!', '1', '@', '*', '10', '!u'])}${random.pick([':-', '-'])}${inner}}`,
  'replaced pattern': '${BASH_VERSION/@@/b}',
  replacement: '${BASH_VERSION/5/@@}',
  'replacement of all': '${BASH_VERSION//[0-9]/@@}',
  'quoted pattern': '${BASH_VERSION#"@@"}',
  'nested expansion': '${u:-${v:-@@}}',
  'expansion beside': '${u:-a}@@${u:-b}',
  'subscript of an expansion': '${a[@@]}',
  'length of an element': '${#a[@@]}',
  'transformed element': (inner, random) => `\${a[${inner}]@${random.pick([...'QEPAKaUuLk'])}}`,
  'element through a name': '${!a[@@]}',
  offset: '${BASH_VERSION:@@}',
  'length of a part': '${BASH_VERSION:0:@@}',
  'offset of all': '${@:@@}',
  'offset of elements': '${a[@]:@@:1}',
  'single quotes beside': "'$( \"'@@'`'",
}).concat(
  contexts('word', 'quoted', {
    'double quotes': '"@@"',
    'translated quotes': '$"@@"',
    'quotes in brackets': '["@@"]',
    'quotes behind a name': 'a"@@"b',
    'quotes behind a dollar': '$$"@@"',
    'quoted default': '${u:-"@@"}',
    'quoted default of a special name': '${!-"@@"}',
    'quoted pattern of an expansion': '${BASH_VERSION%%"@@"}',
    'quoted subscript': '${a["@@"]}',
  }),
  contexts('word', 'sum', {
    '$(( ))': '$((@@))',
    'spaced $(( ))': '$(( @@ ))',
    '$[ ]': '$[@@]',
    'sum in a subscript': '${a[@@]}',
    'sum as an offset': '${BASH_VERSION: @@ : 1}',
    'sum in brackets': '[$((@@))]',
  }),
);

/** What is a part of quoted text. */
const QUOTED: readonly Context[] = contexts('quoted', 'quoted', {
  'apostrophes in quotes': "it's @@'",
  'brackets in quotes': 'a[@@]',
  'braces in quotes': '{@@,b}',
  'escaped quotes in quotes': '\\"@@\\"',
  'escapes in quotes': '\\$@@\\`\\\\',
  'dollar in quotes': '$@@$',
  'expansion in quotes': (inner, random) => `\${u${random.pick([':-', '-', ':='])}${inner}}`,
  'quotes in an expansion in quotes': '${u:-"@@"}',
  'apostrophes in an expansion in quotes': "${u:-'@@'}",
  'glued in quotes': (inner, random) => {
    const plain = (text: string) => text.replaceAll('"', '');
    return plain(junk(random)) + inner + plain(junk(random));
  },
}).concat(
  contexts('quoted', 'word', {
    'operator in quotes': (inner, random) => `\${BASH_VERSION${random.pick(OPERATORS)}${inner}}`,
    'operator in brackets in quotes': (inner, random) =>
      `\${BASH_VERSION${random.pick(OPERATORS)}[${inner}]}`,
    'subscript in quotes': '${a[@@]}',
  }),
  contexts('quoted', 'sum', {
    '$(( )) in quotes': '$((@@))',
    'offset in quotes': '${BASH_VERSION:@@}',
  }),
);

/** What is a part of an arithmetic expression. */
const SUMS: readonly Context[] = contexts('sum', 'sum', {
  plus: '1 + @@',
  'behind a comma': '1, @@',
  parentheses: '(@@)',
  choice: '1 ? @@ : 2',
  'not asked': '1 || @@',
  'assignment in a sum': 'x = @@',
  'subscript in a sum': 'a[@@]',
  shift: '1 <<@@',
  base: '16#@@',
  lines: '\n@@\n',
}).concat(
  contexts('sum', 'quoted', { 'quotes in a sum': '"@@"', 'quoted subscript in a sum': 'a["@@"]' }),
  contexts('sum', 'word', {
    'expansion in a sum': '${u:-@@}',
    'pattern in a sum': '${BASH_VERSION#@@}',
    'element in a sum': '${a[@@]}',
  }),
);

export const SUBSTITUTIONS: readonly Context[] = [
  ...substitutions('word'),
  ...substitutions('quoted'),
  ...substitutions('sum'),
  ...PROCESS,
];

export const WORD_PARTS: readonly Context[] = [...WORDS, ...QUOTED, ...SUMS];
