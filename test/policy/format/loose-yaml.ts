import fc from 'fast-check';

/** Values of policies as people write them, and keys in any order. */
type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

const text = fc.oneof(
  fc.constantFrom(
    'plain words',
    '^git\\s+push\\b',
    "it's",
    'say "so"',
    'a: b',
    'x #y',
    '- dash',
    'no',
    '12',
    '',
    'two\nlines\n',
    '*.pem',
    '{{model}}',
    '# not a comment',
    'é ü 漢字',
  ),
  fc.string({ maxLength: 12 }),
);
const scalar: fc.Arbitrary<Value> = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const args = fc.dictionary(fc.constantFrom('command', 'path', 'edits.0.path', '*', 'content'), text, {
  minKeys: 1,
  maxKeys: 3,
});
const branch: fc.Arbitrary<Value> = fc.record(
  { tool: fc.constantFrom('shell', 'read'), arguments: args },
  { requiredKeys: [] },
);
const policy: fc.Arbitrary<Value> = fc
  .record(
    {
      id: fc.constantFrom('a', 'b-c', 'd.e', 'f'),
      action: fc.constantFrom('deny', 'ask', 'approve'),
      description: text,
      tool: fc.oneof(fc.constant<Value>('shell'), fc.constant<Value>(['read', 'write'])),
      arguments: args,
      any: fc.array(branch, { minLength: 1, maxLength: 3 }),
      reason: text,
      examples: fc.record({
        miss: fc.array(fc.record({ command: text }), { minLength: 1, maxLength: 2 }),
        hit: fc.array(fc.record({ command: text }), { minLength: 1, maxLength: 2 }),
      }),
      unknown: fc.array(fc.array(scalar, { maxLength: 60 }), { maxLength: 2 }),
    },
    { requiredKeys: ['id'] },
  )
  .chain(shuffledKeys);
const file: fc.Arbitrary<Value> = fc
  .record(
    {
      version: fc.constant(1),
      name: fc.constantFrom('x', 'git-safety'),
      policies: fc.array(policy, { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ['policies'] },
  )
  .chain(shuffledKeys);

function shuffledKeys<T extends object>(value: T): fc.Arbitrary<Value> {
  const entries = Object.entries(value);
  return fc
    .shuffledSubarray(entries, { minLength: entries.length })
    .map((shuffled) => Object.fromEntries(shuffled) as Value);
}

/** A policy file with odd indentation, quotes, comments and blank lines. */
export function looseYaml(): fc.Arbitrary<string> {
  return fc.tuple(file, fc.infiniteStream(fc.nat(99))).map(([value, stream]) => {
    const choices = stream[Symbol.iterator]();
    const writer = new LooseWriter(() => choices.next().value ?? 0);
    return writer.file(value);
  });
}

/** A class because every part draws from one source of choices. */
class LooseWriter {
  readonly #draw: () => number;
  #lines: string[] = [];
  #comments = 0;

  constructor(draw: () => number) {
    this.#draw = draw;
  }

  file(value: Value): string {
    this.#lines = [];
    this.#between(0);
    this.#block(value, 0);
    this.#between(0);
    return `${this.#lines.join('\n')}\n`;
  }

  #one<T>(...options: readonly [T, ...T[]]): T {
    return options[this.#draw() % options.length] ?? options[0];
  }

  #comment(): string {
    this.#comments += 1;
    return `# c${this.#comments}${this.#one('', ' more: [words]', ' "x')}`;
  }

  /** Blank lines and comments on lines of their own. */
  #between(indent: number): void {
    while (this.#draw() % 5 === 0) {
      this.#lines.push(this.#one('', '', ' '.repeat(indent) + this.#comment()));
    }
  }

  #behind(): string {
    return this.#draw() % 6 === 0 ? `${' '.repeat(1 + (this.#draw() % 4))}${this.#comment()}` : '';
  }

  #block(value: Value, indent: number): void {
    const pad = ' '.repeat(indent);
    const isFirst = { yes: true };
    if (Array.isArray(value)) {
      for (const item of value) {
        if (!isFirst.yes) this.#between(indent);
        isFirst.yes = false;
        this.#value(`${pad}-`, item, indent);
      }
      return;
    }
    for (const [key, item] of Object.entries(value as object)) {
      if (!isFirst.yes) this.#between(indent);
      isFirst.yes = false;
      this.#value(`${pad}${this.#scalar(key, false)}:`, item, indent);
    }
  }

  #value(head: string, value: Value, indent: number): void {
    const isCollection = typeof value === 'object' && value !== null;
    const isEmpty = isCollection && Object.keys(value).length === 0;
    if (!isCollection || isEmpty || this.#draw() % 3 === 0) {
      if (typeof value === 'string' && /^[a-z].*\n$/.test(value) && this.#draw() % 2 === 0) {
        const inside = ' '.repeat(indent + 1 + (this.#draw() % 4));
        this.#lines.push(`${head} |${this.#behind()}`);
        for (const line of value.slice(0, -1).split('\n')) this.#lines.push(line === '' ? '' : inside + line);
        return;
      }
      this.#lines.push(`${head}${' '.repeat(1 + (this.#draw() % 3))}${this.#flow(value)}${this.#behind()}`);
      return;
    }
    const inside = indent + 1 + (this.#draw() % 4);
    if (head.endsWith('-') && this.#draw() % 2 === 0) {
      const before = this.#lines.length;
      this.#block(value, indent + 2);
      const [first = ''] = this.#lines.splice(before, 1);
      this.#lines.splice(before, 0, `${head} ${first.slice(indent + 2)}`);
      return;
    }
    this.#lines.push(`${head}${this.#behind()}`);
    this.#between(inside);
    this.#block(value, inside);
  }

  #flow(value: Value): string {
    const space = () => this.#one('', '', ' ');
    if (Array.isArray(value)) {
      return `[${space()}${value.map((item: Value) => this.#flow(item)).join(`,${this.#one(' ', '  ')}`)}${space()}]`;
    }
    if (typeof value === 'object' && value !== null) {
      const pairs = Object.entries(value).map(
        ([key, item]) => `${this.#scalar(key, true)}: ${this.#flow(item)}`,
      );
      return `{${space()}${pairs.join(', ')}${space()}}`;
    }
    return typeof value === 'string' ? this.#scalar(value, true) : String(value);
  }

  #scalar(value: string, inFlow: boolean): string {
    const isWord =
      /^[a-z][a-z0-9 ._-]*[a-z0-9]$|^[a-z]$/.test(value) && !/^(no|null|true|false)$/.test(value);
    const isSafe = isWord || (!inFlow && /^[\^a-z][a-z\\+^]*$/.test(value) && value !== 'no');
    if (isSafe && this.#draw() % 2 === 0) return value;
    if (/[\p{C}\n]/u.test(value) || this.#draw() % 2 === 0) return JSON.stringify(value);
    return `'${value.replaceAll("'", "''")}'`;
  }
}
