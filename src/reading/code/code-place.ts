import type { Span } from '../reading.ts';
import type { Call, Walker } from '../walker.ts';
import type { Language } from './language.ts';

/** Where code stands and who runs it. */
export interface CodePlace {
  readonly call: Call;
  readonly walker: Walker;
  readonly span: Span;
  readonly language: Exclude<Language, 'awk'>;
  /** How many evaluations it stands in: `eval("eval(…)")`. */
  readonly depth: number;
}
