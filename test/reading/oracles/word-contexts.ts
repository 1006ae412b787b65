import { type Context, contexts, type Kind, lineOf } from './context.ts';
import type { Random } from './random.ts';

/** What runs statements and becomes a part of a word. */
function substitutions(is: Kind): readonly Context[] {
  return contexts(is, 'statements', {
    '$( )': '$(LINE)',
    '$( ) on lines': '$( \nINNER\n )',
    '$( ) that prints': '$(INNER\necho 1)',
    '$( ) of a subshell': '$( (LINE) )',
    '$( ) of subshells': '$((LINE); :)',
    '$( ) of a group': '$({ INNER\n})',
    '$( ) of a case': '$(case x in x) INNER\n;; esac)',
    '$( ) of a case with parenthesis': '$(case x in (x) INNER\n;; esac)',
    '$( ) with a comment': '$( # ) "\nINNER\n)',
    '$( ) with quotes': "$(: \")\" ')' \\) $')'; INNER\n)",
    '$( ) with a here-document': "$(: <<'E'\n) ' \" `\nE\nINNER\n)",
    '$( ) continued': '$(\\\nINNER\\\n\n)',
    backquotes: (inner) => `\`${lineOf(inner).replace(/[\\`]/g, '\\$&')}\``,
    'backquotes with blanks': (inner) => `\`\n ${lineOf(inner).replace(/[\\`$]/g, '\\$&')} \``,
  });
}

const PROCESSES: readonly Context[] = contexts('word', 'statements', {
  '<( )': '<(LINE)',
  '>( )': '>(LINE)',
});

/** Names of parameters, set and unset. None holds a path, for the words become names of files. */
const NAMES = 'x·a[0]·a[@]·a[*]·*·@·1·10·!x·-·$·?·#·!·BASH_VERSION·BASH_VERSINFO·RANDOM';
/** Operators that a word follows, for a parameter that is set. */
const OPERATORS = '#·##·%·%%·^·^^·,·,,·~·~~·/·//·/#·/%·:+·+';
const JUNK: readonly string[] = [
  ...['[', ']', '{', '}', '!', '^', '~', '=', '+=', ':', ',', '#', '%', '@', '*', '?', '-', '+', '.', '\\$'],
  '$',
  '$$',
  '$#',
  '$?',
  '$!',
  '$-',
  '$*',
  '$@',
  '$1',
  '$x',
  '${x}',
  '${x[0]}',
  '$[1]',
  '$((1))',
  'a',
  'é',
  ...['a[', '[a-', '[!', '[^', '[[:alpha:]', '[[.', '[[', ']]', '{a,', ',b}', '{1..', '..2}', '{}', 'a#'],
  ...['\\[', '\\(', '\\"', "\\'", '\\\\', '\\\n', "''", '""', "'a'", '"b"', "$'c'", '$"d"', "'\"'", '"\'"'],
  ...["$'\\''", '"\\""', 'x=', '--a=', 'a=b:', '~+', '\u00a0', '\\ '],
];

function junk(random: Random): string {
  return Array.from({ length: random.below(4) }, () => random.pick(JUNK)).join('');
}

/** What is a part of a word. */
const WORDS: readonly Context[] = [
  ...contexts('word', 'word', {
    brackets: '[INNER]',
    'open bracket': '[INNER',
    'bracket behind': 'INNER]',
    'name and brackets': 'a[INNER]',
    'negated brackets': '[!INNER]',
    'class in brackets': '[[:alpha:]INNER]',
    'brackets of two': '[a][INNER]',
    braces: '{INNER,b}',
    'braces of two': '{a,INNER}',
    'open brace': '{INNER',
    'braces around': '{INNER}',
    tilde: '~INNER',
    'behind an equals sign': 'x=INNER',
    'behind a number sign': 'a#INNER',
    'single quotes in front': "'$( \"'INNER'`'",
    glued: (inner, random) => junk(random) + inner + junk(random),
    'glued differently': (inner, random) => junk(random) + inner + junk(random),
    operator: `\${‹${NAMES}›‹${OPERATORS}›INNER}`,
    'operator on a value': `\${BASH_VERSION‹${OPERATORS}›INNER}`,
    'operator in brackets': `\${BASH_VERSION‹${OPERATORS}›[INNER]}`,
    'operator in braces': `\${BASH_VERSION‹${OPERATORS}›{INNER}}`,
    default: '${u‹:-·-·:=·=·:?·?›INNER}',
    'default of an element': '${u[0]‹:-·-·:=·=›INNER}',
    'default of a special name': '${‹!·1·@·*·10·!u›‹:-·-›INNER}',
    'default of two words': '${u:-a INNER b}',
    'value instead': '${BASH_VERSION‹:+·+›a INNER}',
    'replaced pattern': '${BASH_VERSION/INNER/b}',
    replacement: '${BASH_VERSION/5/INNER}',
    'replacement of all': '${BASH_VERSION//[0-9]/INNER}',
    'replacement in elements': '${BASH_VERSINFO[@]/5/INNER}',
    'nested expansion': '${u:-${v:-INNER}}',
    'expansion beside': '${u:-a}INNER${u:-b}',
    'subscript of an expansion': '${a[INNER]}',
    'subscript and an operator': '${a[INNER]‹:-·#·/·^·@Q›}',
    'length of an element': '${#BASH_VERSINFO[INNER]}',
    'transformed element': '${a[INNER]@‹Q·E·P·A·K·a·U·u·L·k›}',
    'element through a name': '${!a[INNER]}',
    offset: '${BASH_VERSION:INNER}',
    'length of a part': '${BASH_VERSION:0:INNER}',
    'offset of all': '${@:INNER}',
    'offset of elements': '${BASH_VERSINFO[@]:INNER:1}',
  }),
  ...contexts('word', 'quoted', {
    'double quotes': '"INNER"',
    'translated quotes': '$"INNER"',
    'quotes in brackets': '["INNER"]',
    'quotes behind a name': 'a"INNER"b',
    'quotes behind quotes': '\'"\'"INNER"$\'"\'',
    'quotes behind a dollar': '$$"INNER"',
    'quoted default': '${u:-"INNER"}',
    'quoted default of a special name': '${!-"INNER"}',
    'quoted pattern of an expansion': '${BASH_VERSION%%"INNER"}',
    'quoted replacement': '${BASH_VERSION/5/"INNER"}',
    'quoted subscript': '${a["INNER"]}',
  }),
  ...contexts('word', 'sum', {
    '$(( ))': '$((INNER))',
    'spaced $(( ))': '$(( INNER ))',
    '$[ ]': '$[INNER]',
    'sum in a subscript': '${a[INNER]}',
    'sum as an offset': '${BASH_VERSION: INNER : 1}',
    'sum as a length': '${BASH_VERSION:1:INNER}',
    'sum in brackets': '[$((INNER))]',
  }),
];

/** What is a part of quoted text. */
const QUOTED: readonly Context[] = [
  ...contexts('quoted', 'quoted', {
    'brackets in quotes': 'a[INNER]',
    'apostrophes in quotes': "it's INNER'",
    'braces in quotes': '{INNER,b}',
    'escaped quotes in quotes': '\\"INNER\\"',
    'escapes in quotes': '\\$INNER\\`\\\\',
    'dollar in quotes': 'INNER$',
    'lines in quotes': '\n# INNER\n',
    'expansion in quotes': '${u‹:-·-·:=›INNER}',
    'quotes in an expansion in quotes': '${u:-"INNER"}',
    'apostrophes in an expansion in quotes': "${u:-'INNER'}",
    'value in quotes': "${BASH_VERSION:+'INNER'}",
    'glued in quotes': (inner, random) =>
      junk(random).replaceAll('"', '') + inner + junk(random).replaceAll('"', ''),
  }),
  ...contexts('quoted', 'word', {
    'operator in quotes': `\${BASH_VERSION‹${OPERATORS}›INNER}`,
    'operator in brackets in quotes': `\${BASH_VERSION‹${OPERATORS}›[INNER]}`,
    'replacement in quotes': '${BASH_VERSION/5/INNER}',
    'subscript in quotes': '${a[INNER]}',
  }),
  ...contexts('quoted', 'sum', {
    '$(( )) in quotes': '$((INNER))',
    '$[ ] in quotes': '$[INNER]',
    'offset in quotes': '${BASH_VERSION:INNER}',
  }),
];

/** What is a part of an arithmetic expression. */
const SUMS: readonly Context[] = [
  ...contexts('sum', 'sum', {
    plus: '1 + INNER',
    'behind a comma': '1, INNER',
    parentheses: '(INNER)',
    choice: '1 ? INNER : 2',
    'not asked': '1 || INNER',
    'assignment in a sum': 'x ‹=·+=·<<=› INNER',
    'subscript in a sum': 'a[INNER]',
    'assignment to an element': 'a[INNER] = 1',
    shift: '1 <<INNER',
    base: '16#INNER',
    lines: '\nINNER\n',
  }),
  ...contexts('sum', 'quoted', { 'quotes in a sum': '"INNER"', 'quoted subscript in a sum': 'a["INNER"]' }),
  ...contexts('sum', 'word', {
    'expansion in a sum': '${u:-INNER}',
    'pattern in a sum': '${BASH_VERSION#INNER}',
    'element in a sum': '${a[INNER]}',
  }),
];

export const SUBSTITUTIONS: readonly Context[] = [
  ...substitutions('word'),
  ...substitutions('quoted'),
  ...substitutions('sum'),
  ...PROCESSES,
];

export const WORD_PARTS: readonly Context[] = [...WORDS, ...QUOTED, ...SUMS];
