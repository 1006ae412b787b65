/** Literals, in lower case, by the places of a text where they may show a secret. */
export interface LiteralMarks {
  readonly any: readonly string[];
  /** Parts of long words. */
  readonly run: readonly string[];
  /** Ends of names that a value is given to. */
  readonly name: readonly string[];
  /** Both have to be there. */
  readonly pairs: readonly (readonly string[])[];
}

/** The shortest token, with its beginning. `detectors.test.ts` holds the rows against it. */
const SHORTEST_RUN = 15;
/** Blanks between a name and its sign. */
const MAX_BLANKS = 8;

/** False for a text in which no literal of a detector is at a place where it may show a secret. */
export function hasMark(text: string): boolean {
  const { SECRET_LITERALS } =
    require('../generated/secret-marks.ts') as typeof import('../generated/secret-marks.ts');
  const lower = text.toLowerCase();
  // Plain loops: in a process for one call nothing is compiled.
  for (const literal of SECRET_LITERALS.any) if (lower.includes(literal)) return true;
  for (const literal of SECRET_LITERALS.run) if (isFound(lower, literal, isInRun)) return true;
  for (const literal of SECRET_LITERALS.name) if (isFound(lower, literal, isNamed)) return true;
  return SECRET_LITERALS.pairs.some((pair) => pair.every((literal) => lower.includes(literal)));
}

function isFound(
  text: string,
  literal: string,
  fits: (text: string, start: number, end: number) => boolean,
): boolean {
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1))
    if (fits(text, at, at + literal.length)) return true;
  return false;
}

/** True if it is a part of a long word. */
function isInRun(text: string, start: number, end: number): boolean {
  let from = start;
  let to = end;
  while (from > 0 && to - from < SHORTEST_RUN && isRunUnit(text.charCodeAt(from - 1))) from -= 1;
  while (to < text.length && to - from < SHORTEST_RUN && isRunUnit(text.charCodeAt(to))) to += 1;
  return to - from >= SHORTEST_RUN;
}

/** Printable ASCII but blanks, quotes, brackets and `\`,;<>|^`. */
function isRunUnit(unit: number): boolean {
  return unit > 32 && unit < 127 && !'"\'`()[]{}<>,;|\\^'.includes(String.fromCharCode(unit));
}

/** True if a value is given to the name that it ends: `name=`, `"name": `, `--name `. */
function isNamed(text: string, start: number, end: number): boolean {
  let from = start;
  while (from > 0 && isNameUnit(text.charCodeAt(from - 1))) from -= 1;
  let to = end;
  if (to < text.length && isNameUnit(text.charCodeAt(to))) return false;
  if (text.charAt(from) === '-') return true;
  if (text.charAt(to) === '\\') to += 1;
  if (to < text.length && '"\'`'.includes(text.charAt(to))) to += 1;
  for (let blanks = 0; blanks < MAX_BLANKS && text.charAt(to) === ' '; blanks++) to += 1;
  return text.charAt(to) === '=' || text.charAt(to) === ':';
}

/** Letters, digits, `_` and `-`. */
function isNameUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45;
}
