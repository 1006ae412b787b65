/** Characters that replace as many others, so that the text after a mistake can be read. */
export interface Repair {
  readonly at: number;
  readonly with: string;
}

/** A problem in a YAML text with its span, as offsets. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem';
  readonly start: number;
  readonly end: number;
  readonly hint: string | undefined;
  /** Undefined if the text after it is unknown. */
  readonly fix: Repair | undefined;

  constructor(message: string, start: number, end: number, hint?: string, fix?: Repair) {
    super(message);
    this.start = start;
    this.end = end;
    this.hint = hint;
    this.fix = fix;
  }
}
