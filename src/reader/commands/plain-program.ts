/** The use of paths by a plain program: a program that is not known is given them. */
export type PlainUse = 'mention' | 'write' | 'read' | 'list';

/** A program that at most writes, reads or lists the paths among its words, or is not known. Plain JSON. */
export interface PlainProgram {
  /** The strongest use of its paths; undefined if no word is a path. */
  readonly use?: PlainUse;
  /** The default path. */
  readonly fallback?: string;
  /** True if it reads everything below a path. */
  readonly recursive?: true;
  /** True if it edits the files that its use is to read, and shows nothing of them; or the flags with which it does. */
  readonly edits?: true | readonly string[];
  /** Flags that make it read what is below a path, or in its folder. */
  readonly below?: readonly string[];
  /** Flags whose values are paths that it writes, reads or lists. */
  readonly paths?: Readonly<Partial<Record<PlainUse, readonly string[]>>>;
  /** Flags that make it do something else. */
  readonly refused?: readonly string[];
  /** Consequences that it may have with some flags only. */
  readonly caused?: Readonly<Record<string, readonly string[]>>;
  /** True if words with a dash are no flags. */
  readonly takesDashes?: true;
  /** True if a path may be behind a colon in a word: `HEAD:path`. */
  readonly colons?: true;
  /** Its possible consequences, as `causeNamed` spells them. */
  readonly causes?: readonly string[];
  /** True if it may use the network at a place that no word names. */
  readonly network?: true;
  /** The number of operands before a command that it runs; undefined if it runs none. */
  readonly runs?: number;
  /** A file that it may write in its folder. */
  readonly manifest?: string;
}

/** The entry of a program or its subcommand, and the number of words that name it. */
export function plainProgram(
  name: string,
  words: readonly string[],
): { readonly program: PlainProgram; readonly depth: number } | undefined {
  // Names of subcommands contain a space.
  if (name.includes(' ')) return undefined;
  let level = name;
  for (let depth = 0; ; depth++) {
    const others = listed(`${level} *`);
    if (others === undefined) {
      const program = listed(level);
      if (program === undefined) return isUnknown(name) ? { program: MENTIONS, depth } : undefined;
      return program === null ? undefined : { program, depth };
    }
    const word = words[depth];
    if (word === undefined || !/^\w[\w-]*$/.test(word)) return undefined;
    const next = `${level} ${word}`;
    if (listed(next) === undefined && listed(`${next} *`) === undefined)
      return others === null ? undefined : { program: others, depth };
    level = next;
  }
}

/** A program without a row. */
const MENTIONS: PlainProgram = { use: 'mention' };

/** True for a name of small letters that no row has; `gls` is `ls`. */
function isUnknown(name: string): boolean {
  const isUsual = [...name].every((char) => (char >= 'a' && char <= 'z') || char === '-');
  const isOther = name.startsWith('-') || name.startsWith('git-');
  return isUsual && !isOther && (name[0] !== 'g' || listed(name.slice(1)) === undefined);
}

/** Entries that were looked for: programs repeat, and to look through the text of all takes as long as all else. */
const entries = new Map<string, PlainProgram | null | undefined>();
const MAX_ENTRIES = 1_024;

/** The entry of a name; null for a program that may do more than entries can express. */
function listed(name: string): PlainProgram | null | undefined {
  if (entries.has(name)) return entries.get(name);
  if (entries.size >= MAX_ENTRIES) entries.clear();
  const found = findEntry(name);
  entries.set(name, found);
  return found;
}

function findEntry(name: string): PlainProgram | null | undefined {
  const { PLAIN_PROGRAMS } =
    require('../generated/plain-programs.ts') as typeof import('../generated/plain-programs.ts');
  const at = PLAIN_PROGRAMS.indexOf(`\t${name}\t`);
  if (at < 0) return undefined;
  const line = PLAIN_PROGRAMS.lastIndexOf('\n', at) + 1;
  return JSON.parse(PLAIN_PROGRAMS.slice(line, PLAIN_PROGRAMS.indexOf('\t', line))) as PlainProgram | null;
}
