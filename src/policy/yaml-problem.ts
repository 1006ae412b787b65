/** A problem in a YAML text with its span, as offsets. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem';
  readonly start: number;
  readonly end: number;
  readonly hint: string | undefined;

  constructor(message: string, start: number, end: number, hint?: string) {
    super(message);
    this.start = start;
    this.end = end;
    this.hint = hint;
  }
}
