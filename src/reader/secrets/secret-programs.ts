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
  for (let at = from; at < text.length; ) {
    while (at < text.length && !isNameUnit(text.charCodeAt(at))) at += 1;
    const start = at;
    while (at < text.length && isNameUnit(text.charCodeAt(at))) at += 1;
    if (at - start > MAX_NAME || at === start || !mayBeName(text, start, at)) continue;
    // The scheme of an address is no program.
    const name = text.startsWith('://', at) ? undefined : nameIn(text.slice(start, at));
    if (name !== undefined) return { name, start, end: '"\''.includes(text.charAt(at) || ' ') ? at + 1 : at };
  }
  return undefined;
}

/** True if something behind the name of a program may mark a secret: a flag, a subcommand. */
export function mayTakeSecrets(name: string, behind: string): boolean {
  const [letters = '', ...marks] = (marksOf(name) ?? '').split(' ');
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

/** Few words have the length, the first and the last letter of a program's name: the others need not be taken out of the text. */
function mayBeName(text: string, start: number, end: number): boolean {
  if (tables === undefined && ++words === WORDS_BEFORE_TABLES) tables = createTables();
  const shape = shapeOf(text, start, end);
  const isKnown =
    tables?.shapes[shape] === 1 ||
    (tables === undefined && generated().SECRET_SHAPES.includes(String.fromCharCode(shape)));
  return isKnown || text.charCodeAt(end - 4) === 46;
}

/** A number for the length, the first and the last letter of a name. */
export function shapeOf(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) * 31 + text.charCodeAt(end - 1)) * 31 + end - start) & MAX_SHAPE;
}

const MAX_SHAPE = 4_095;

/** The same as the texts: made when many words are looked at, as a process for one call need not take those apart. */
interface Tables {
  readonly shapes: Uint8Array;
  readonly marks: ReadonlyMap<string, string>;
}

const WORDS_BEFORE_TABLES = 256;
let words = 0;
let tables: Tables | undefined;

function createTables(): Tables {
  const { SECRET_PROGRAMS, SECRET_SHAPES } = generated();
  const shapes = new Uint8Array(MAX_SHAPE + 1);
  for (let at = 0; at < SECRET_SHAPES.length; at++) shapes[SECRET_SHAPES.charCodeAt(at)] = 1;
  const marks = new Map<string, string>();
  for (const line of SECRET_PROGRAMS.split('\n')) {
    const end = line.indexOf('\t');
    if (end !== -1) marks.set(line.slice(0, end), line.slice(end + 1));
  }
  return { shapes, marks };
}

function nameIn(word: string): string | undefined {
  if (marksOf(word) !== undefined) return word;
  if (!word.endsWith('.exe')) return undefined;
  const name = word.slice(0, -'.exe'.length).toLowerCase();
  return marksOf(name) === undefined ? undefined : name;
}

/** The letters of a program's flags for secrets, then texts of which one shows where a secret is, between spaces. */
function marksOf(name: string): string | undefined {
  if (tables !== undefined) return tables.marks.get(name);
  const { SECRET_PROGRAMS } = generated();
  const line = `\n${name}\t`;
  const at = SECRET_PROGRAMS.indexOf(line);
  if (at === -1) return undefined;
  return SECRET_PROGRAMS.slice(at + line.length, SECRET_PROGRAMS.indexOf('\n', at + line.length));
}

let loaded: typeof import('../generated/secret-marks.ts') | undefined;

/** Loaded when it is first needed: the script that writes it is made of these files. */
function generated(): typeof import('../generated/secret-marks.ts') {
  loaded ??= require('../generated/secret-marks.ts') as typeof import('../generated/secret-marks.ts');
  return loaded;
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
