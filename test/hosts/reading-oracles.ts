import { posix } from 'node:path';
import fc from 'fast-check';
import type { JsonObject } from '../../src/lib/json.ts';

/** How a host gets from an argument to the files that it writes, in few lines after its own code and not after our table. */
export interface ReadingOracle {
  readonly host: string;
  readonly tool: string;
  /** The arguments of a call about a file that is spelled in this way. */
  readonly call: (spelled: string) => JsonObject;
  /** The files that the host would write, absolute. */
  readonly files: (spelled: string) => readonly string[];
}

export const CWD = '/work';

function at(path: string): readonly string[] {
  return [posix.resolve(CWD, path)];
}

/** `resolveDefensiveToolPath` of Gemini CLI, where no file has an `@` in its name. */
function gemini(text: string): readonly string[] {
  const clean = text.split('\0').join('');
  if (!clean.startsWith('@') || clean.length === 1) return at(clean);
  let rest = clean.slice(1);
  while (rest.startsWith('/') || rest.startsWith('\\')) rest = rest.slice(1);
  return at(rest === '' ? clean : rest);
}

/** Qwen Code takes absolute paths only. */
function qwen(text: string): readonly string[] {
  const special = ' \t()[]{};|*?$`\'"#&<>!~,';
  let path = '';
  for (const [index, char] of [...text.trim()].entries()) {
    const next = [...text.trim()][index + 1];
    if (char !== '\\' || next === undefined || !special.includes(next)) path += char;
  }
  return path.startsWith('/') ? at(path) : [];
}

/** `resolveFilePath` of VS Code, and what its `URI.parse` and `fsPath` do. */
function vscode(text: string): readonly string[] {
  if (text.startsWith('/')) return at(text);
  const [, scheme = '', , authority = '', path = ''] =
    /^(?:([^:/?#]+?):)?(\/\/([^/?#]*))?([^?#]*)(?:\?[^#]*)?(?:#.*)?$/s.exec(text) ?? [];
  if (!/^\w[\w+.-]+$/.test(scheme) || !/\w[\w+.-]*:\S/.test(text)) return [];
  const name = (part: string) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };
  const rooted = name(path).startsWith('/') ? name(path) : `/${name(path)}`;
  return scheme === 'file' ? at(authority === '' ? rooted : `/${name(authority)}${rooted}`) : [];
}

const MARKS = ['*** Add File:', '*** Delete File:', '*** Update File:'];

/** `parsePatch` of OpenCode. */
function opencode(text: string): readonly string[] {
  const lines = text.trim().split('\n');
  const [begin, end] = ['*** Begin Patch', '*** End Patch'].map((mark) =>
    lines.findIndex((line) => line.trim() === mark),
  ) as [number, number];
  if (begin < 0 || end <= begin) return [];
  return lines.slice(begin + 1, end).flatMap((line) => {
    const mark = MARKS.find((each) => line.startsWith(each));
    const name = mark === undefined ? '' : line.slice(mark.length).trim();
    return name === '' ? [] : at(name);
  });
}

/** `parse_patch` of Codex CLI, with what Rust takes for white space. */
function codex(text: string): readonly string[] {
  const trim = (line: string) => line.replace(/^[\s\u0085]+/, '').replace(/[\s\u0085]+$/, '');
  const lines = trim(text)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  if (trim(lines[0] ?? '') !== '*** Begin Patch' || trim(lines.at(-1) ?? '') !== '*** End Patch') return [];
  return lines.flatMap((line) => {
    const mark = MARKS.find((each) => trim(line).startsWith(`${each} `));
    return mark === undefined ? [] : at(trim(line).slice(mark.length + 1));
  });
}

const patchOf = (spelled: string) => `*** Begin Patch\n*** Add File: ${spelled}\n+a\n*** End Patch`;
const content = { content: 'a' };

export const READING_ORACLES: readonly ReadingOracle[] = [
  { host: 'gemini', tool: 'write_file', call: (file_path) => ({ file_path, ...content }), files: gemini },
  { host: 'qwen', tool: 'write_file', call: (file_path) => ({ file_path, ...content }), files: qwen },
  { host: 'vscode', tool: 'create_file', call: (filePath) => ({ filePath, ...content }), files: vscode },
  {
    host: 'opencode',
    tool: 'apply_patch',
    call: (spelled) => ({ patchText: patchOf(spelled) }),
    files: (spelled) => opencode(patchOf(spelled)),
  },
  {
    host: 'codex',
    tool: 'apply_patch',
    call: (spelled) => ({ command: patchOf(spelled) }),
    files: (spelled) => codex(patchOf(spelled)),
  },
  {
    host: 'kimi',
    tool: 'Write',
    call: (path) => ({ path, ...content }),
    files: (text) => at(text.replaceAll('\\', '/')),
  },
  {
    host: 'grok',
    tool: 'write',
    call: (file_path) => ({ file_path, ...content }),
    files: (text) => at(text.replace(/^[\s\u0085"']+/, '').replace(/[\s\u0085"']+$/, '')),
  },
  { host: 'goose', tool: 'developer__write', call: (path) => ({ path, ...content }), files: at },
  { host: 'kiro', tool: 'fs_write', call: (path) => ({ path, file_text: 'a' }), files: at },
];

const ODD = '@ @/ @\\ \\ \\\\ ./ // ? # %20'
  .split(' ')
  .concat(['\0', ' ', '\t', '\r', '\n', '\u0085', '\u2028', '\u2029', '\v', '\f', '\u00a0', '\ufeff']);
const STARTS = ['', '', '', `${CWD}/`, `file://${CWD}/`, `file:${CWD}/`, `vscode-remote://a${CWD}/`];

const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const pieces = fc.oneof(fc.constant([]), fc.array(fc.constantFrom(...ODD), { maxLength: 2 }));

/** Makes spellings of a path: with odd pieces in it, at its ends for the most part, and characters in percent signs. */
export const spellings: fc.Arbitrary<(path: string) => string> = fc
  .record({
    start: fc.constantFrom(...STARTS),
    before: pieces,
    after: pieces,
    inside: seldom(fc.tuple(fc.constantFrom(...ODD), fc.nat(6))),
    coded: seldom(fc.nat(6)),
  })
  .map(({ start, before, after, inside, coded }) => (path) => {
    const chars = [...path].map((char, index) => {
      const code = index === coded ? `%${char.charCodeAt(0).toString(16)}` : char;
      return index === inside?.[1] ? inside[0] + code : code;
    });
    return before.join('') + start + chars.join('') + after.join('');
  });
