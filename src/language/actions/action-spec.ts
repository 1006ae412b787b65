import type { Json, JsonObject } from '../../lib/json.ts';
import type { Action } from '../../model/action.ts';
import type { Decision, RespondResult } from '../../model/decision.ts';
import type { SpecProblem } from '../../model/diagnostic.ts';
import type { ArgumentCommand, EventKind, Subject } from '../../model/event.ts';
import type { ReadingContext } from '../../reader/reading/reading.ts';

/** Fills in a template of a policy for the present event. One pass: values are never expanded again. */
export type Render = (template: string) => string;

/** A problem in an action's parameters that the JSON Schema cannot express. */
export interface ParamProblem extends SpecProblem {
  /** True if the problem does not count in texts of a judge's verdict. */
  readonly needsVerdict?: true;
}

/** One action of a policy, as a plain const object; `registry.ts` lists them all. */
export interface ActionSpec {
  readonly action: Action;
  readonly summary: string;
  /** The events it may be used on; others are an error when the file is loaded. */
  readonly events: readonly EventKind[];
  /** JSON Schemas of its parameters, by key. */
  readonly params: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
  readonly check?: (params: JsonObject) => readonly ParamProblem[];
  /** The parts of the decision that follow from the parameters, except for a rewrite's subject. */
  readonly decide: (params: JsonObject, event: ActionInput) => Partial<Decision>;
}

export interface ActionInput {
  readonly ruleId: string;
  /** The tool's arguments, if they can be read. */
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
  /** The commands that an unknown tool may run. */
  readonly commands?: readonly ArgumentCommand[] | undefined;
  /** The command of the call, if no argument holds it literally. */
  readonly unwritten?: string | undefined;
  /** The known facts about the place where a command of the call would run. */
  readonly place: () => ReadingContext;
}

/** One form of `rewrite`, as a plain const object; `rewrite/registry.ts` lists them all. */
export interface RewriteForm {
  readonly key: string;
  readonly summary: string;
  readonly events: readonly EventKind[];
  readonly schema: JsonObject;
  readonly check?: (spec: Json) => readonly ParamProblem[];
  /** The part of the subject that it removes from; it is skipped where a host does not show that part. */
  readonly of?: string;
  /** The new subject; the same object if nothing changed. Never changes its input. */
  readonly apply: (spec: Json, subject: Subject, input: RewriteInput) => Subject;
}
