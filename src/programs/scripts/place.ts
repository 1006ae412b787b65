import type { Span } from '../../reading/reading.ts';
import type { Word } from '../../reading/word.ts';
import type { Call, Walker } from '../../shell/scope/walker.ts';
import type { Language } from './rows.ts';

/** Where code stands and who runs it. */
export interface CodePlace {
  readonly call: Call;
  readonly walker: Walker;
  readonly span: Span;
  readonly language: Language;
  /** How many evaluations it stands in: `eval("eval(…)")`. */
  readonly depth: number;
  /** The words that the program is started with, as its language lists them; undefined if they are not known. */
  readonly given: readonly Word[] | undefined;
  /** Variables that it is started with. */
  readonly variables: ReadonlyMap<string, Word>;
  /** What a command that it runs reads. */
  readonly input?: Word;
  /** The folder that it has gone to last; undefined while it has gone nowhere. */
  readonly folder: { cwd: Word | undefined };
  /** Modules that it has loaded: each runs once. */
  readonly modules: Set<string>;
}

/** A place where code starts. `given`: the words that it is started with. */
export function newCodePlace(
  call: Call,
  span: Span,
  language: CodePlace['language'],
  given: readonly Word[] | undefined,
  walker: Walker,
  variables: CodePlace['variables'] = new Map(),
): CodePlace {
  return {
    call,
    walker,
    span,
    language,
    given,
    variables,
    depth: 0,
    folder: { cwd: undefined },
    modules: new Set(),
  };
}
