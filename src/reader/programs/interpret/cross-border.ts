import type { Assignment } from '../../reading/reading.ts';
import type { Frame } from '../../shell/scope/interpreter.ts';
import {
  defineFunction,
  fromEnvironment,
  namesIn,
  newScope,
  type Scope,
  setLocal,
  variableOf,
} from '../../shell/scope/scope.ts';
import { LOADED_FROM } from './loaded-environment.ts';

/**
 * The frame on another machine, in a container or of another user: ssh, `docker exec` and sudo hand on few variables. Those that
 * may not arrive excuse nothing there, but may still do harm. Functions stay behind.
 */
export function crossBorder<P extends Frame>(
  frame: P,
  isHandedOn: (name: string) => boolean,
  kind: Scope['kind'] = 'process',
): P {
  const { interpreter } = frame;
  const scope = newScope(kind, frame.scope);
  for (const name of interpreter.exported) {
    const variable = variableOf(scope, name);
    if (variable !== undefined && !isHandedOn(name)) setLocal(scope, name, { ...variable, maybe: true });
  }
  for (const name of namesIn(frame.scope, 'functions')) defineFunction(scope, name);
  const marked = frame.environment.map((each) => (isHandedOn(each.name) ? each : { ...each, maybe: true }));
  return { ...frame, scope, environment: setInScope({ ...frame, environment: marked }, scope) };
}

/**
 * Makes the variables of the environment variables of a shell, which may set them itself. Returns the others: of files there may
 * be several, and what has no name can be any.
 */
export function setInScope({ environment, interpreter }: Frame, scope: Scope): readonly Assignment[] {
  return environment.filter((each) => {
    if (each.name === '' || each.name === LOADED_FROM) return true;
    interpreter.exported.add(each.name);
    setLocal(scope, each.name, fromEnvironment(each));
    return false;
  });
}
