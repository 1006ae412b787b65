/** What the generated validator reports: the part of Ajv's error object that is used. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly propertyName?: string;
}

const ALTERNATIVES = new Set(['anyOf', 'oneOf']);

/**
 * Of the errors of alternatives (`anyOf`, `oneOf`) those of the one that the author meant: the alternative whose type
 * the value has. Where none has it, only the error of the alternatives as a whole stays, with all its branches.
 */
export function relevantErrors(errors: readonly SchemaError[]): readonly RelevantError[] {
  const choice = errors
    .filter((error) => ALTERNATIVES.has(error.keyword))
    .sort((a, b) => depthOf(a) - depthOf(b))
    .at(0);
  if (choice === undefined) return errors.filter(isNews).map((error) => ({ error, branches: [] }));

  const inside = errors.filter((error) => error !== choice && isInside(error, choice));
  const outside = errors.filter((error) => error !== choice && !isInside(error, choice));
  const branches = branchesOf(inside, choice);
  const meant = branches.filter((branch) => !branch.some((error) => missesType(error, choice)));
  const best = meant.sort((a, b) => a.length - b.length)[0];
  const chosen = best === undefined ? [{ error: choice, branches: inside }] : relevantErrors(best);
  return [...relevantErrors(outside), ...chosen];
}

/** An error to report; `branches` holds what each alternative wanted, if none of them has the value's type. */
export interface RelevantError {
  readonly error: SchemaError;
  readonly branches: readonly SchemaError[];
}

/** `if` only says that the errors beside it exist. */
function isNews(error: SchemaError): boolean {
  return error.keyword !== 'if';
}

function depthOf(error: SchemaError): number {
  return error.instancePath.length * 10_000 + error.schemaPath.length;
}

function isInside(error: SchemaError, choice: SchemaError): boolean {
  return (
    error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
    (error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`))
  );
}

function branchesOf(errors: readonly SchemaError[], choice: SchemaError): SchemaError[][] {
  const branches = new Map<string, SchemaError[]>();
  for (const error of errors) {
    const index = error.schemaPath.slice(choice.schemaPath.length + 1).split('/', 1)[0] ?? '';
    const branch = branches.get(index);
    if (branch === undefined) branches.set(index, [error]);
    else branch.push(error);
  }
  return [...branches.values()];
}

function missesType(error: SchemaError, choice: SchemaError): boolean {
  return error.instancePath === choice.instancePath && error.keyword === 'type';
}
