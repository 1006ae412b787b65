import { LIMITS } from '../reading/bounds.ts';
import { globPieces } from '../reading/glob-pieces.ts';
import {
  joinAll,
  joinWords,
  knownChars,
  leadingText,
  outsideVariable,
  textWord,
  unknownWord,
  type Word,
} from '../reading/word.ts';

/** Prefixes of a path that say nothing: `\\?\`, `FileSystem::`, `Microsoft.PowerShell.Core\FileSystem::`. */
const PREFIX = /^(?:(?:microsoft\.powershell\.core\/)?filesystem::|\/\/[?.]\/(?:unc\/)?)/i;
/** A stream of a file, such as `:$DATA`. One letter in front of a colon is a drive. */
const STREAM = /(?<=[^/:]{2}):[^/:]*(?::\$data)?$/i;
/** Dots and blanks at the end of a name are not part of it. */
const TAIL = /(?<=[^/. ])[. ]+(?=\/|$)/g;

/** A path with slashes, in the spelling by which Windows knows it. With `wildcards`, `*` and `?` match names. */
export function windowsPath(written: Word, wildcards: boolean): Word {
  if (providerOf(written) !== undefined) return written;
  if (knownChars(written) > LIMITS.pathChars) return unknownWord('a long path');
  const word = withoutStream(withHome(written));
  const last = word.length - 1;
  return joinAll(
    word.map((part, index) => {
      if (part.type !== 'text') return [part];
      let text = part.text.replaceAll('\\', '/');
      if (index === 0) text = folderName(text.replace(PREFIX, ''));
      if (index === last && wildcards) text = text.replace(/(?<=^|\/)\*\.\*$/, '*');
      if (index === last) text = text.replace(STREAM, '').replace(TAIL, '');
      return wildcards && /[*?[]/.test(text)
        ? globPieces(text, { escapes: false, stopsAtSlash: true })
        : textWord(text);
    }),
  );
}

/** A stream of which the name is not known is one of the same file: `.env::$DATA` between double quotes. */
function withoutStream(word: Word): Word {
  const at = word.findIndex((part) => part.type === 'text' && /[^/\\:]{2}:[^/\\:]*:?$/.test(part.text));
  const rest = word.slice(at + 1);
  if (at < 0 || rest.length === 0 || rest.some((part) => part.type === 'text' && /[\\/]/.test(part.text)))
    return word;
  return joinWords(word.slice(0, at), textWord(leadingText(word.slice(at)).replace(/:[^/\\:]*:?$/, '')));
}

/** Folders of the system in the spelling by which policies know them, short names too. */
const FOLDERS: Readonly<Record<string, string>> = {
  windows: 'Windows',
  users: 'Users',
  'docume~1': 'Users',
  'documents and settings': 'Users',
  'program files': 'Program Files',
  'progra~1': 'Program Files',
  'program files (x86)': 'Program Files (x86)',
  'progra~2': 'Program Files (x86)',
  programdata: 'ProgramData',
  'progra~3': 'ProgramData',
};

function folderName(text: string): string {
  return text.replace(/^([A-Za-z]:)(\/+)([^/]+)/, (whole, drive: string, _slashes, name: string) => {
    const known = FOLDERS[name.toLowerCase().replace(/(?<![. ])[. ]+$/, '')];
    return known === undefined ? whole : `${drive.toUpperCase()}/${known}`;
  });
}

/** `~` in front of a path is the home directory. */
function withHome(word: Word): Word {
  const [first, ...rest] = word;
  if (first?.type !== 'text' || !/^~(?:[\\/]|$)/.test(first.text)) return word;
  return [...outsideVariable('HOME', '~'), ...textWord(first.text.slice(1)), ...rest];
}

/** A path with backslashes, behind the name of a flag too, and no text with escapes. Its last name may be a wildcard. */
const PATH =
  /^(?:@|--?[\w-]+=)?(?:[A-Za-z]:(?:\\{1,2}(?:[^\\/:"<>|\n]{2,}|\*))+\\?|(?:\.{1,2}|~)?(?:\\{1,2}[\w .$@~-]{2,})+(?:\\\*?)?|[\w.-]+(?:\\[\w.-]{2,})+(?:\\\*)?)$/;

/** A bare or path-like word for a program, which takes either slash. */
export function programPath(written: Word, isBare: boolean): Word {
  const word = isBare ? withHome(written) : written;
  if (knownChars(word) > LIMITS.pathChars) return word;
  const [first] = word;
  if (providerOf(word) !== undefined) return word;
  if (word.every((part) => part.type !== 'text' || !part.text.includes('\\'))) return word;
  // "@$HOME\x": the names behind a variable of the outside.
  const isBelow = word.some(
    (part, index) =>
      part.type === 'unknown' &&
      part.variable !== undefined &&
      word[index + 1]?.type === 'text' &&
      /^\\/.test(leadingText(word.slice(index + 1))),
  );
  const isPath = isBare || isBelow || PATH.test(first?.type === 'text' ? first.text : '');
  if (!isPath) return word;
  return word.map((part) =>
    part.type === 'text' ? { ...part, text: part.text.replaceAll('\\', '/') } : part,
  );
}

/** The provider of a path that is no file: `hklm`, `env`, `function`. */
export function providerOf(word: Word): string | undefined {
  const [first] = word;
  const text = first?.type === 'text' ? first.text : '';
  const registry =
    /^(?:microsoft\.powershell\.core\\)?registry::|^(?:hkey_[a-z_]+|hk(?:lm|cu|cr|u|cc))(?:[:\\/]|$)/i.test(
      text,
    );
  if (registry) return 'registry';
  return /^(env|function|variable|alias|cert|wsman):/i.exec(text)?.[1]?.toLowerCase();
}
