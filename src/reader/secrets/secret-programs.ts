/** A program among whose words a secret may be, and where its name is in a text. */
export interface FoundProgram {
  readonly name: string;
  readonly start: number;
  /** The offset at which its words begin. */
  readonly end: number;
}

const MAX_NAME = 32;
/** How far behind the name of a program its words may go. */
const MAX_LOOKED_AT = 4_096;

/** The next program that may have a secret among its words, from here on; undefined if there is none. */
export function secretProgramFrom(text: string, from: number): FoundProgram | undefined {
  const programs = secretPrograms();
  for (let at = from; at < text.length; ) {
    while (at < text.length && !isNameUnit(text.charCodeAt(at))) at += 1;
    const start = at;
    while (at < text.length && isNameUnit(text.charCodeAt(at))) at += 1;
    if (at - start > MAX_NAME || at === start || !mayBeName(text, start, at)) continue;
    // The scheme of an address is no program.
    const name = text.startsWith('://', at) ? undefined : nameIn(text.slice(start, at), programs);
    if (name !== undefined) return { name, start, end: '"\''.includes(text.charAt(at) || ' ') ? at + 1 : at };
  }
  return undefined;
}

/** True if something behind the name of a program may mark a secret: a flag, a subcommand. */
export function mayTakeSecrets(name: string, behind: string): boolean {
  const [letters = '', ...marks] = (secretPrograms()[name] ?? '').split(' ');
  if (marks.some((mark) => mark === '*' || behind.includes(mark))) return true;
  if (letters === '') return false;
  for (let dash = behind.indexOf('-'); dash !== -1; dash = behind.indexOf('-', dash + 1)) {
    for (let at = dash + 1; isLetter(behind.charCodeAt(at)); at++)
      if (letters.includes(behind.charAt(at))) return true;
  }
  return false;
}

/** True if a text has a program with a mark of its secret. */
export function namesSecretProgram(text: string): boolean {
  for (
    let found = secretProgramFrom(text, 0);
    found !== undefined;
    found = secretProgramFrom(text, found.end)
  )
    if (mayTakeSecrets(found.name, text.slice(found.end, found.end + MAX_LOOKED_AT))) return true;
  return false;
}

let shapes: Uint8Array | undefined;

/** Few words have the length, the first and the last letter of a program's name: the others need not be taken out of the text. */
function mayBeName(text: string, start: number, end: number): boolean {
  if (shapes === undefined) {
    shapes = new Uint8Array(4_096);
    for (const name of Object.keys(secretPrograms())) shapes[shapeOf(name, 0, name.length)] = 1;
  }
  return shapes[shapeOf(text, start, end)] === 1 || text.charCodeAt(end - 4) === 46;
}

function shapeOf(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) * 31 + text.charCodeAt(end - 1)) * 31 + end - start) & 4_095;
}

function nameIn(word: string, programs: Readonly<Record<string, string>>): string | undefined {
  if (Object.hasOwn(programs, word)) return word;
  if (!word.endsWith('.exe')) return undefined;
  const name = word.slice(0, -'.exe'.length).toLowerCase();
  return Object.hasOwn(programs, name) ? name : undefined;
}

/** Loaded when it is first needed: the script that writes it is made of these files. */
function secretPrograms(): Readonly<Record<string, string>> {
  const { SECRET_PROGRAMS } =
    require('../generated/secret-marks.ts') as typeof import('../generated/secret-marks.ts');
  return SECRET_PROGRAMS;
}

function isNameUnit(unit: number): boolean {
  const lower = unit | 32;
  const isWord = (lower >= 97 && lower <= 122) || (unit >= 48 && unit <= 57);
  return isWord || unit === 45 || unit === 46 || unit === 95;
}

function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}
