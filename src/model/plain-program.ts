/** A program that does nothing with its words but, at most, to write, read or list the paths among them. Plain JSON. */
export interface PlainProgram {
  /** The most that it does with them. Undefined if none of its words is a path to it. */
  readonly use?: 'write' | 'read' | 'list';
  /** True if it looks at the folder that it runs in, where no path is given. */
  readonly here?: true;
  /** True if it looks at all that lies below a path. */
  readonly recursive?: true;
  /** Flags with which it does. */
  readonly below?: readonly string[];
  /** Flags with which it does something else. */
  readonly refused?: readonly string[];
  /** True if a word with a dash is none of a flag. */
  readonly takesDashes?: true;
}
