/** An error of the generated validator: the part of Ajv's error object that is used. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly propertyName?: string;
}

/** More errors than anybody reads; a bound on the work that a hostile file makes. */
export const MAX_SCHEMA_ERRORS = 1_000;

/** Adds a value's errors, up to a limit, for the generated validator. */
export function appendErrors(errors: SchemaError[], more: readonly SchemaError[]): SchemaError[] {
  if (errors.length < MAX_SCHEMA_ERRORS) errors.push(...more);
  return errors;
}

const ALTERNATIVES = new Set(['anyOf', 'oneOf']);

/**
 * Of the errors of alternatives (`anyOf`, `oneOf`) those of the one that the author meant: the alternative whose type
 * the value has. Where none has it, only the error of the alternatives as a whole stays, with all its branches.
 *
 * An alternative that is a reference reports its errors by the definition that it leads to, so that schema paths do not tell
 * where an error belongs; the order of the list does: the errors of a choice are before it.
 */
export function relevantErrors(errors: readonly SchemaError[]): readonly RelevantError[] {
  const at = outermostChoice(errors);
  const choice = errors[at];
  if (choice === undefined) return errors.filter(isNews).map((error) => ({ error, branches: [] }));

  let start = at;
  while (start > 0 && isBelow(errors[start - 1], choice)) start--;
  const inside = errors.slice(start, at);
  const outside = [...errors.slice(0, start), ...errors.slice(at + 1)];
  const meant = relevantErrors(meantBranch(inside, choice)).filter(
    ({ error }) => !isAboutType(error, choice),
  );
  const chosen = meant.length === 0 ? [{ error: choice, branches: inside }] : meant;
  return [...relevantErrors(outside), ...chosen];
}

/** An error to report; `branches` holds the wish of each alternative, if none of them has the value's type. */
export interface RelevantError {
  readonly error: SchemaError;
  readonly branches: readonly SchemaError[];
}

/** `if` and `propertyNames` only say that the errors beside them exist. */
function isNews({ keyword }: SchemaError): boolean {
  return keyword !== 'if' && keyword !== 'propertyNames';
}

/** The last of the choices about the value furthest out: choices inside it are reported before it. */
function outermostChoice(errors: readonly SchemaError[]): number {
  let found = -1;
  for (const [index, { keyword, instancePath }] of errors.entries()) {
    if (!ALTERNATIVES.has(keyword)) continue;
    if (found < 0 || instancePath.length <= (errors[found]?.instancePath.length ?? 0)) found = index;
  }
  return found;
}

function isBelow(error: SchemaError | undefined, { instancePath }: SchemaError): boolean {
  return error?.instancePath === instancePath || error?.instancePath.startsWith(`${instancePath}/`) === true;
}

/** The errors of the alternatives that are left when those of another type are gone; of several, the smallest. */
function meantBranch(errors: readonly SchemaError[], choice: SchemaError): readonly SchemaError[] {
  const branches = new Map<string, SchemaError[]>();
  const referred: SchemaError[] = [];
  const ofAnotherType = new Set<string>();
  for (const error of errors) {
    const index = branchOf(error, choice);
    if (isAboutType(error, choice) && error.keyword === 'type') ofAnotherType.add(index ?? '');
    else if (index === undefined) referred.push(error);
    else branches.set(index, [...(branches.get(index) ?? []), error]);
  }
  // Below a value of another type nothing is looked at: errors there are those of a definition with the same path.
  for (const index of ofAnotherType) {
    const below = (branches.get(index) ?? []).filter((error) => error.instancePath !== choice.instancePath);
    referred.push(...below);
    branches.delete(index);
  }
  const smallest = [...branches.values()].sort((a, b) => a.length - b.length)[0] ?? [];
  return errors.filter((error) => referred.includes(error) || smallest.includes(error));
}

/** The alternative that an error belongs to, undefined if it is one of a definition. */
function branchOf(error: SchemaError, choice: SchemaError): string | undefined {
  const prefix = `${choice.schemaPath}/`;
  return error.schemaPath.startsWith(prefix)
    ? error.schemaPath.slice(prefix.length).split('/', 1)[0]
    : undefined;
}

/** True if all that is wrong is the type of the value: then another alternative was meant. */
function isAboutType(error: SchemaError, choice: SchemaError): boolean {
  return (
    error.instancePath === choice.instancePath &&
    (error.keyword === 'type' || ALTERNATIVES.has(error.keyword))
  );
}
