import { deepEqual } from '../../../lib/deep-equal.ts';
import { isJsonObject, type Json } from '../../../lib/json.ts';

/** True if each alternative of the narrow spec implies one of the wide one. A list of texts is one alternative. */
export function alternativesImply(
  narrow: Json,
  wide: Json,
  implies: (narrow: Json, wide: Json) => boolean,
): boolean {
  const options = alternativesIn(wide);
  return alternativesIn(narrow).every((each) =>
    options.some((option) => implies(each, option) || deepEqual(each, option)),
  );
}

/** The alternatives of a spec: a list of texts is one. */
export function alternativesIn(spec: Json): readonly Json[] {
  return Array.isArray(spec) && spec.some(isJsonObject) ? spec : [spec];
}

/** The tokens of all alternatives, if each has some. */
export function tokensOfAll<T>(
  alternatives: readonly T[],
  tokensIn: (alternative: T) => readonly string[] | undefined,
): readonly string[] | undefined {
  const found = alternatives.map(tokensIn);
  const known = found.filter((tokens) => tokens !== undefined);
  return known.length === found.length ? known.flat() : undefined;
}

/** A pattern covers names that are written otherwise. */
export function exactNames(names: readonly string[], kind: string): readonly string[] | undefined {
  return names.some((name) => name.includes('*')) ? undefined : names.map((name) => `${kind} ${name}`);
}
