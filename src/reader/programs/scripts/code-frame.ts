import type { Assignment, Span } from '../../reading/reading.ts';
import type { Word } from '../../reading/word.ts';
import type { Call, Interpreter } from '../../shell/scope/interpreter.ts';
import type { Language } from './rows.ts';

/** The place at which inline code starts, and the call that runs it. */
export interface CodeStart {
  readonly call: Call;
  readonly interpreter: Interpreter;
  readonly span: Span;
  readonly language: Language;
  /** The words that the program is started with, as its language lists them; undefined if they are not known. */
  readonly given?: readonly Word[];
}

/** The same, with the state of the reading. */
export interface CodeFrame extends CodeStart {
  /** How many evaluations it is in: `eval("eval(…)")`. */
  readonly depth: number;
  /** The folder that it has gone to last; undefined while it has gone nowhere. */
  readonly folder: { cwd: Word | undefined };
  /** The variables that it sets in the environment of commands, with each of their values. */
  readonly environment: Map<string, Assignment>;
  /** The input of a command that it runs. */
  readonly input?: Word;
}
