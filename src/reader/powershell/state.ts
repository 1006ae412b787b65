import type { Word, WordPart } from '../reading/word.ts';
import type { Frame, Interpreter } from '../shell/scope/interpreter.ts';
import type { Block, Expression, Statement } from './syntax.ts';

/** The value of an expression: the items of a list, or its possible values. Empty: `$null`. */
export type Value = readonly Word[];

/** The thing behind a part of a word that is not known as text. */
export type RuntimeObject =
  | { readonly type: 'block'; readonly block: Block; readonly text: string }
  /** A text that was made a block of. */
  | { readonly type: 'code'; readonly text: Word }
  | { readonly type: 'table'; readonly entries: ReadonlyMap<string, Value> };

/** The known facts of a script beside its variables, wherever in it they come from. */
export interface State {
  /** All functions that a name means anywhere in the script. */
  readonly functions: Map<string, Block[]>;
  readonly aliases: Map<string, string>;
  readonly objects: WeakMap<WordPart, RuntimeObject>;
  /** True if `$WhatIfPreference` is set. */
  looksOnly: boolean;
}

/** A place in a script of PowerShell, with the readers of its parts. */
export interface PsFrame extends Frame {
  readonly state: State;
  readonly read: Readers;
  /** How many loops are around it. */
  readonly loops: number;
}

export interface Readers {
  readonly expression: (expression: Expression, at: PsFrame) => Value;
  readonly statements: (body: readonly Statement[], at: PsFrame) => Value;
  /** Runs a block with the values of its parameters by name, and of those without. */
  readonly call: (block: Block, given: PsArguments, at: PsFrame) => Value;
  /** Runs a cmdlet with words that are in the order of its parameters. */
  readonly cmdlet: (name: string, words: readonly Word[], at: PsFrame, piped?: Value) => Value;
}

export interface PsArguments {
  readonly named?: ReadonlyMap<string, Value>;
  readonly values?: readonly Value[];
  /** The value of `$_`. */
  readonly topic?: Value;
}

const states = new WeakMap<Interpreter, State>();

export function stateOf(interpreter: Interpreter): State {
  const known = states.get(interpreter);
  if (known !== undefined) return known;
  const made: State = { functions: new Map(), aliases: new Map(), objects: new WeakMap(), looksOnly: false };
  states.set(interpreter, made);
  return made;
}
