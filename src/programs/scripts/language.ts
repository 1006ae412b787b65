/** The languages whose code is looked at. */
export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk' | 'r';

/** What has to be known of a language to take its code apart. All patterns are sticky and linear in time. */
export interface Syntax {
  readonly name: RegExp;
  readonly comment: RegExp;
  /** Between backticks stands a text with expressions, or a shell command. */
  readonly backticks?: 'text' | 'command';
  /** True if in single quotes only the quote and the backslash are escaped. */
  readonly plainQuotes?: true;
  /** How expressions are put into texts in double quotes. */
  readonly interpolation?: Interpolation;
  /** True if a slash may start a pattern. */
  readonly patterns?: true;
  /** Signs that put texts together, and others whose result is worked out. */
  readonly operators: string;
  /** Names that stand between two values. */
  readonly operatorWords?: string;
  /** True if a call needs no parentheses: `system "ls"`. */
  readonly bareCalls?: true;
  /** True if a statement ends with its line. */
  readonly lines?: true;
}

/** How expressions are put into texts: `{x}`, `#{x}`, `$x`, `${x}`. */
export type Interpolation = 'brace' | 'hash' | 'dollar' | 'dollar-brace';

const WORD = /[A-Za-z_]\w*/y;
const HASH_COMMENT = /#[^\n]*/y;

export const SYNTAX: Readonly<Record<Language, Syntax>> = {
  python: {
    name: WORD,
    comment: HASH_COMMENT,
    operators: '+ / % *',
    operatorWords: 'and or in is not',
    lines: true,
  },
  javascript: {
    name: /[A-Za-z_$][\w$]*/y,
    comment: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/y,
    backticks: 'text',
    patterns: true,
    operators: '+',
    operatorWords: 'in instanceof',
  },
  ruby: {
    name: /[A-Za-z_]\w*[?!]?/y,
    comment: HASH_COMMENT,
    backticks: 'command',
    plainQuotes: true,
    interpolation: 'hash',
    patterns: true,
    operators: '+ / % *',
    bareCalls: true,
    lines: true,
  },
  perl: {
    // Some of its variables have quotes and comment signs for names.
    name: /[$@%]?[A-Za-z_]\w*|\$#\$?\w*|\$[`'"]|\*`/y,
    // Its documentation goes from a line that starts with `=name` to `=cut`; behind `__END__` there is no code.
    comment: /#[^\n]*|^=[A-Za-z][\s\S]*?(?:\n=cut[^\n]*|(?![\s\S]))|^__(?:END|DATA)__\b[\s\S]*/my,
    backticks: 'command',
    plainQuotes: true,
    interpolation: 'dollar',
    patterns: true,
    operators: '.',
    operatorWords: 'x eq ne lt gt le ge cmp',
    bareCalls: true,
  },
  php: {
    name: /[$@%]?[A-Za-z_]\w*/y,
    comment: /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|<\?(?:php|=)?|\?>/y,
    backticks: 'command',
    plainQuotes: true,
    interpolation: 'dollar',
    operators: '.',
    operatorWords: 'instanceof',
    bareCalls: true,
  },
  lua: {
    name: WORD,
    comment: /--\[(=*)\[[\s\S]*?(?:\]\1\]|(?![\s\S]))|--[^\n]*/y,
    operators: '..',
    operatorWords: 'and or',
    bareCalls: true,
  },
  awk: { name: WORD, comment: HASH_COMMENT, patterns: true, plainQuotes: true, operators: '' },
  r: { name: /[A-Za-z_.][\w.]*/y, comment: HASH_COMMENT, operators: '', lines: true },
};
