/** The languages whose code is looked at. */
export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk' | 'r';

/** What a tokenizer has to know of a language. All patterns are sticky and linear in time. */
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
  /** The word in front of the name of a function that is defined. */
  readonly definer?: string;
  /** True if a call needs no parentheses: `system "ls"`. */
  readonly bareCalls?: true;
}

/** How expressions are put into texts: `{x}`, `#{x}`, `$x`, `${x}`. */
export type Interpolation = 'brace' | 'hash' | 'dollar' | 'dollar-brace';

const WORD = /[A-Za-z_]\w*/y;
const HASH_COMMENT = /#[^\n]*/y;

export const SYNTAX: Readonly<Record<Language, Syntax>> = {
  python: { definer: 'def', name: WORD, comment: HASH_COMMENT, operators: '+ / % *' },
  javascript: {
    definer: 'function',
    name: /[A-Za-z_$][\w$]*/y,
    comment: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/y,
    backticks: 'text',
    patterns: true,
    operators: '+',
  },
  ruby: {
    definer: 'def',
    name: /[A-Za-z_]\w*[?!]?/y,
    comment: HASH_COMMENT,
    backticks: 'command',
    plainQuotes: true,
    interpolation: 'hash',
    patterns: true,
    operators: '+ / % *',
    bareCalls: true,
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
    bareCalls: true,
  },
  php: {
    definer: 'function',
    name: /[$@%]?[A-Za-z_]\w*/y,
    comment: /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/y,
    backticks: 'command',
    plainQuotes: true,
    interpolation: 'dollar',
    operators: '.',
    bareCalls: true,
  },
  lua: {
    name: WORD,
    comment: /--\[(=*)\[[\s\S]*?(?:\]\1\]|(?![\s\S]))|--[^\n]*/y,
    operators: '..',
    bareCalls: true,
  },
  awk: { name: WORD, comment: HASH_COMMENT, patterns: true, plainQuotes: true, operators: '' },
  r: { name: /[A-Za-z_.][\w.]*/y, comment: HASH_COMMENT, operators: '' },
};
