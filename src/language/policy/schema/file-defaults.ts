import { isJsonObject, type Json, own, ownObject } from '../../../lib/json.ts';
import { actionNames } from './schema.ts';

/**
 * A file with its `defaults` for policies written out in each that does not say it itself, so that everything else sees
 * whole policies. A default that is no action stands as a deny: what is wrong is said of the default alone.
 */
export function withDefaults(file: Json): Json {
  if (!isJsonObject(file)) return file;
  const defaults = ownObject(file, 'defaults') ?? {};
  const policies = own(file, 'policies');
  const action = own(defaults, 'action');
  const whenUnknown = own(defaults, 'when_unknown');
  if (!Array.isArray(policies) || (action === undefined && whenUnknown === undefined)) return file;
  const known = action !== undefined && !actionNames().some((name) => name === action) ? 'deny' : action;
  const whole = (policy: Json): Json => {
    if (!isJsonObject(policy)) return policy;
    // A policy with a type has a judge where another has an action.
    const isWithout = known !== undefined && !Object.hasOwn(policy, 'type');
    return {
      ...(isWithout ? { action: known } : {}),
      ...(whenUnknown === 'match' || whenUnknown === 'skip' ? { when_unknown: whenUnknown } : {}),
      ...policy,
    };
  };
  return { ...file, policies: policies.map(whole) };
}
