import { trimEnd } from './trim-end.ts';

/** A file that a patch changes, named as the patch names it. */
export interface PatchedFile {
  readonly path: string;
  readonly use: 'write' | 'delete';
  /** Its content afterwards, if the patch gives all of it. */
  readonly content: string | undefined;
}

/** How names in a diff become paths. */
export interface DiffNames {
  /** How many leading folders are taken off; undefined where that depends on which files are there. */
  readonly strip: number | undefined;
  /** True if the patch is taken back. */
  readonly reverse: boolean;
}

/** The lines of a patch, without carriage returns at their ends. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => trimEnd(line, '\r'));
}

/** Only some programs take these for an end of a line; to others they are parts of a name. */
const ODD_LINE_ENDS = /[\r\v\f\u0085\u2028\u2029]/;

/** A line as a whole and, where it has odd line ends, in pieces. */
function piecesOf(line: string): readonly string[] {
  const pieces = line.split(ODD_LINE_ENDS);
  return pieces.length === 1 ? pieces : [line, ...pieces];
}

const ENVELOPE_HEADER =
  /^[\s\u0085]*\*{3}\s*(add|create|write|update|edit|modify|replace|delete|remove|move|rename|copy)\s+(?:file|to)\s*:(.*)$/is;

/** Without blanks around it, those included that JavaScript takes for none. */
function trimmed(name: string): string {
  const isBlank = (at: number) => name[at] === '\u0085' || name[at]?.trim() === '';
  let start = 0;
  let end = name.length;
  while (start < end && isBlank(start)) start++;
  while (start < end && isBlank(end - 1)) end--;
  return name.slice(start, end);
}

/** The headers of files in a line; more than one if it has odd line ends. */
function headersIn(line: string): readonly { readonly kind: string; readonly path: string }[] {
  const found = piecesOf(line).flatMap((piece) => {
    const [, verb, name = ''] = ENVELOPE_HEADER.exec(piece) ?? [];
    return verb === undefined ? [] : [{ kind: verb.toLowerCase(), path: trimmed(name) }];
  });
  return found.filter(({ path }, index) => index === 0 || path !== found[0]?.path);
}

/** The files in a patch between `*** Begin Patch` and `*** End Patch`. Time: linear in the text. */
export function filesInEnvelope(text: string): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  let updated = '';
  let added: string[] | undefined;
  const endAdded = () => {
    const last = files.at(-1);
    if (added !== undefined && last !== undefined)
      files[files.length - 1] = { ...last, content: added.map((line) => `${line}\n`).join('') };
    added = undefined;
  };
  for (const line of linesOf(text)) {
    const headers = headersIn(line);
    if (headers.length === 0 && line.startsWith('+')) added?.push(line.slice(1));
    for (const { kind, path } of headers) {
      endAdded();
      if (path === '') continue;
      if (kind === 'move' || kind === 'rename')
        files.push({ path: updated, use: 'delete', content: undefined });
      if (kind === 'update') updated = path;
      if (kind === 'add' || kind === 'create') added = [];
      const isGone = kind === 'delete' || kind === 'remove';
      files.push({ path, use: isGone ? 'delete' : 'write', content: undefined });
    }
  }
  endAdded();
  return files.filter(({ path }) => path !== '');
}

/** The headers before the hunks of one file. */
interface Section {
  old?: string;
  new?: string;
  /** Both names of `diff --git`, or the one of `Index:`. */
  named?: readonly string[];
  from?: string;
  to?: string;
  deleted?: boolean;
  /** True after the first line of a context diff: there `---` is the new name. */
  context?: boolean;
}

/** The files in a unified or context diff, git's headers included. Time: linear in the text. */
export function filesInDiff(text: string, names: DiffNames): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  let section: Section = {};
  let hunk: Hunk | undefined;
  for (const line of linesOf(text)) {
    if (hunk !== undefined && inHunk(hunk, line)) continue;
    hunk = hunkOf(line);
    if (hunk !== undefined) continue;
    const next = withHeader(section, line.trimStart());
    if (next !== section) addFiles(section, names, files);
    section = next;
  }
  addFiles(section, names, files);
  return files;
}

interface Hunk {
  readonly indent: number;
  old: number;
  new: number;
}

function hunkOf(line: string): Hunk | undefined {
  const match = /^(\s*)@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  if (match === null) return undefined;
  return { indent: match[1]?.length ?? 0, old: Number(match[2] ?? 1), new: Number(match[3] ?? 1) };
}

/** Takes a line into a hunk that is not full yet: a line of it may look like a header. */
function inHunk(hunk: Hunk, line: string): boolean {
  const mark = line[hunk.indent] ?? ' ';
  if (mark === '\\') return true;
  if ((hunk.old <= 0 && hunk.new <= 0) || !' +-\t'.includes(mark)) return false;
  if (mark !== '+') hunk.old--;
  if (mark !== '-') hunk.new--;
  return true;
}

const RANGE = /^\d+(?:,\d+)? (?:-{4}|\*{4})$/;

/** The section with the facts of one header; another one if the header begins another file. */
function withHeader(section: Section, line: string): Section {
  const [, header = '', rest = ''] =
    /^(---|\+\+\+|\*\*\*|diff --git|Index:|rename from|rename to|copy to|deleted file mode) (.*)$/s.exec(
      line,
    ) ?? [];
  if (header === '' || RANGE.test(rest)) return section;
  const hasNames = section.old !== undefined || section.new !== undefined;
  const open = hasNames ? {} : section;
  switch (header) {
    case '---':
      if (section.context === true && section.new === undefined) section.new = nameIn(rest);
      else return Object.assign(open, { old: nameIn(rest) });
      return section;
    case '***':
      return Object.assign(open, { old: nameIn(rest), context: true });
    case '+++': {
      const target = section.new === undefined ? section : {};
      return Object.assign(target, { new: nameIn(rest) });
    }
    case 'diff --git':
      return { named: gitNames(rest) };
    case 'Index:':
      return { named: [nameIn(rest)] };
    case 'rename from':
      section.from = nameIn(rest);
      return section;
    case 'deleted file mode':
      section.deleted = true;
      return section;
    default:
      section.to = nameIn(rest);
      return section;
  }
}

/** `a/x b/x`; with spaces in it the halves are alike but for their first folder. */
function gitNames(rest: string): readonly string[] {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted !== null) return [nameIn(quoted[1] ?? ''), nameIn(quoted[2] ?? '')];
  const half = (rest.length - 1) / 2;
  return [rest.slice(0, half), rest.slice(half + 1)];
}

/** A name without the time after it; in quotes with C's escapes if it has odd characters. */
function nameIn(rest: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"/s.exec(rest) ?? [];
  if (quoted === undefined) return (rest.split('\t')[0] ?? '').replace(/ \d{4}-\d\d-\d\d .*$/s, '').trim();
  return quoted.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function addFiles(section: Section, { strip, reverse }: DiffNames, files: PatchedFile[]): void {
  const add = (name: string | undefined, use: PatchedFile['use'], count = strip) => {
    if (name === undefined || name === '' || name === '/dev/null') return;
    for (const path of pathsOf(name, count)) {
      if (!files.slice(-4).some((file) => file.path === path && file.use === use))
        files.push({ path, use, content: undefined });
    }
  };
  const { from, to, named = [] } = section;
  // Names of renamed files have no `a/` and `b/` before them.
  const shorter = strip === undefined ? undefined : Math.max(0, strip - 1);
  add(from, reverse ? 'write' : 'delete', shorter);
  add(to, reverse && from !== undefined ? 'delete' : 'write', shorter);
  const before = reverse ? section.new : section.old;
  const after = reverse ? section.old : section.new;
  if (after === '/dev/null') add(before, 'delete');
  else if (before !== undefined || after !== undefined) {
    if (from === undefined) add(before, 'write');
    add(after, 'write');
  } else if (from === undefined) {
    for (const name of named) add(name, section.deleted === true && !reverse ? 'delete' : 'write');
  }
}

/** A name with so many folders taken off; all that it may come to where that is not said. */
function pathsOf(name: string, strip: number | undefined): readonly string[] {
  if (strip === undefined) return [...new Set([name, name.split('/').at(-1) ?? name])];
  let at = 0;
  for (let left = strip; left > 0; left--) {
    const slash = name.indexOf('/', at);
    if (slash < 0) break;
    at = slash;
    while (name[at] === '/') at++;
  }
  return [name.slice(at)];
}
