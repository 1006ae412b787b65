import { type JsonObject, own, ownString } from '../../lib/json.ts';
import { TEXT } from '../../lib/schema-parts.ts';
import type { Decision } from '../../model/decision.ts';
import type { ParamProblem, Render } from './action-spec.ts';
import { checkTemplateKeys } from './template-params.ts';

/** JSON Schemas of the parameters that may be beside any action. */
export const COMMON_PARAMS: Readonly<Record<string, JsonObject>> = {
  message: { description: 'Text for the user, if the agent can show it; a template', ...TEXT },
  add_context: { description: 'Text for the model, if the agent can add it; a template', ...TEXT },
  suppress_output: {
    description: "Keep the hook's output out of the agent's transcript, if the agent can",
    type: 'boolean',
  },
  on_unsupported: {
    description:
      'What to do where the agent cannot do the action: refuse (default) prevents the effect, continue leaves it to the other policies',
    enum: ['refuse', 'continue'],
  },
};

export type CommonParts = Pick<Decision, 'messages' | 'contexts' | 'suppressOutput' | 'onUnsupported'>;

/** The decision's parts that follow from the common parameters. */
export function commonPartsOf(params: JsonObject, render: Render): CommonParts {
  const message = ownString(params, 'message');
  const context = ownString(params, 'add_context');
  return {
    messages: message === undefined ? [] : [render(message)],
    contexts: context === undefined ? [] : [render(context)],
    suppressOutput: own(params, 'suppress_output') === true,
    onUnsupported: own(params, 'on_unsupported') === 'continue' ? 'continue' : 'refuse',
  };
}

export function checkCommonParams(params: JsonObject): readonly ParamProblem[] {
  return checkTemplateKeys(params, ['message', 'add_context']);
}
