import type { Json, JsonObject } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { Decision, RespondResult } from '../../model/decision.ts';
import type { SpecProblem } from '../../model/diagnostic.ts';
import type { ArgumentCommand, EventKind, Subject } from '../../model/event.ts';
import type { ReadingContext } from '../../reader/reading/reading.ts';

/** Turns a template of a policy into text for the event at hand. One pass: values are never expanded again. */
export type Render = (template: string) => string;

/** A problem in an action's parameters that the JSON Schema cannot express. */
export interface ParamProblem extends SpecProblem {
  /** True if it is none in the texts of a judge's verdict. */
  readonly needsVerdict?: true;
}

/** One action of a policy. A plain const object; `registry.ts` is the only list of them. */
export interface ActionSpec {
  readonly action: Action;
  readonly summary: string;
  /** The events it may be used on; any other is an error when the file is loaded. */
  readonly events: readonly EventKind[];
  /** JSON Schemas of its parameters, by key. */
  readonly params: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
  readonly check?: (params: JsonObject) => readonly ParamProblem[];
  /** The decision's parts that follow from the parameters, except for a rewrite's subject. */
  readonly decide: (params: JsonObject, event: ActionInput) => Partial<Decision>;
}

export interface ActionInput {
  readonly ruleId: string;
  /** The tool's arguments where they can be read. */
  readonly arguments: JsonObject | undefined;
  /** Resolves an argument path, portable names included. */
  readonly argument: (path: string) => Json | undefined;
  readonly render: Render;
  /** The result of an earlier call that the policy answers with. */
  readonly kept?: RespondResult | undefined;
}

/** The inputs of a rewrite form besides the subject. */
export interface RewriteInput {
  readonly kind: EventKind;
  readonly render: Render;
  /** The paths of the event's texts in the subject. */
  readonly textPaths: readonly (readonly (string | number)[])[];
  /** Portable argument name to the host's own. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The commands that a tool may run that nobody explains. */
  readonly commands?: readonly ArgumentCommand[] | undefined;
  /** A command that the call comes to and that no argument holds as it is. */
  readonly unwritten?: string | undefined;
  /** The place in which a command of the call would run, as far as it is known. */
  readonly place: () => ReadingContext;
}

/** One form of `rewrite`. A plain const object; `rewrite/registry.ts` is the only list of them. */
export interface RewriteForm {
  readonly key: string;
  readonly summary: string;
  readonly events: readonly EventKind[];
  readonly schema: JsonObject;
  readonly check?: (spec: Json) => readonly ParamProblem[];
  /** The part of the subject that it takes something out of: where a host does not show that, it is not done. */
  readonly of?: string;
  /** A new subject; the same object if nothing changed. Never changes its input. */
  readonly apply: (spec: Json, subject: Subject, input: RewriteInput) => Subject;
}
