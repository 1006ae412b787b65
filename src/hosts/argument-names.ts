import { wordsIn } from './words-in.ts';

/** The possible meanings of an argument of a tool that nobody explains. */
export type ArgumentMeaning =
  | 'command'
  | 'script'
  | 'code'
  | 'args'
  | 'words'
  | 'program'
  | 'cwd'
  | 'path'
  | 'place'
  | 'document'
  | 'url'
  | 'link'
  | 'content';

interface ArgumentNames {
  readonly meaning: ArgumentMeaning;
  /** The meaning in words. */
  readonly summary: string;
  /** Whole names, best first, in one text. */
  readonly names: string;
  /** Last words of names: `command` for `install_command` and `startCommand`. */
  readonly endings: string;
}

/**
 * Names of arguments by meaning, without case, `_`, `-` and a final number: every server has its own spelling, and none may be
 * the way around a policy.
 */
export const ARGUMENT_NAMES: readonly ArgumentNames[] = [
  {
    meaning: 'command',
    summary: 'a command, as a string or in words',
    names: `
      command cmd commandline cmdline shellcommand commandstring commandtext cmdstring cmdstr commands
      cmds argv`,
    endings: '',
  },
  {
    meaning: 'script',
    summary: 'a command, or something else that has nothing to do with shells',
    names: `
      program executable binary script scripts run exec execute shell bash sh zsh powershell pwsh
      entrypoint cli`,
    endings: 'command commands cmd script program executable',
  },
  {
    meaning: 'code',
    summary: 'code in a language that another argument names, or in any that its text fits',
    names: 'code sourcecode snippet source python javascript js node ruby perl php lua',
    endings: 'code',
  },
  {
    meaning: 'args',
    summary: 'the words after the program',
    names: 'args arguments argv arg parameters params',
    endings: 'args argv arguments parameters params',
  },
  {
    meaning: 'words',
    summary: 'further words after the program',
    names: 'subcommand flags options opts switches operands',
    endings: '',
  },
  {
    meaning: 'program',
    summary: 'the program, if another argument has words with a flag',
    names: 'name tool file bin app application process',
    endings: '',
  },
  {
    meaning: 'cwd',
    summary: 'the directory of the commands and paths',
    names: 'cwd workdir workingdir workingdirectory',
    endings: '',
  },
  {
    meaning: 'path',
    summary: 'a path, or several',
    names: `
      path pathname filepath absolutepath relativepath pathinproject pathinrepo pathinrepository
      pathinworkspace file filename fname paths files directory dirpath folder`,
    endings: 'path pathname paths file files filename fname directory dir folder',
  },
  {
    meaning: 'place',
    summary: 'a path or a URL, if it looks like one',
    names: 'source src destination dest dst target from to uri uris',
    endings: 'uri uris',
  },
  {
    meaning: 'document',
    summary: 'a path or a URL, if it looks like one or has the ending of a file',
    names: `
      document documents doc location locations loc output outputs out saveas saveto writeto notebook
      workbook spreadsheet attachment attachments`,
    endings: 'document location notebook attachment',
  },
  {
    meaning: 'url',
    summary: 'a URL, several, or a sentence with some; a bare host is one too',
    names: 'url uri href urls website websites webpage',
    endings: 'url urls uri uris',
  },
  {
    meaning: 'link',
    summary: 'a URL, if it looks like one',
    names: 'link links endpoint endpoints site',
    endings: 'link endpoint',
  },
  {
    meaning: 'content',
    summary: 'what is written',
    names: 'content contents text filetext body',
    endings: '',
  },
];

export interface NameMeaning {
  readonly meaning: ArgumentMeaning;
  /** Less for names that say it better. */
  readonly rank: number;
}

const LONGEST_NAME = 64;
/** Names come from the model: an agent that invents some must not fill the memory. */
const MAX_KEPT = 4_096;
const kept = new Map<string, readonly NameMeaning[]>();

/** The possible meanings of an argument's name; empty for most. */
export function meaningsOf(name: string): readonly NameMeaning[] {
  if (name.length > LONGEST_NAME) return [];
  const before = kept.get(name);
  if (before !== undefined) return before;
  const found = lookUp(name);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(name, found);
  return found;
}

/** Says the name that its text is written or looked for as it is: `content`, `new_string`, `oldText`? */
export function holdsContent(name: string): boolean {
  return CONTENT_ENDINGS.has(lastWord(name).toLowerCase());
}

const CONTENT_ENDINGS = new Set(['content', 'contents', 'text', 'filetext', 'body', 'string', 'str', 'code']);

function lookUp(name: string): readonly NameMeaning[] {
  // `command1`, `cmd_2`: one of several.
  const whole = name
    .toLowerCase()
    .replace(/[-_. ]/g, '')
    .replace(/[0-9]{1,4}$/, '');
  wholeNames ??= meaningsBy('names', 0);
  const known = wholeNames.get(whole);
  // A name that is known says all of it: `working_directory` is no path that the tool reads or writes.
  if (known === undefined) {
    lastWords ??= meaningsBy('endings', ENDINGS_RANK);
    return lastWords.get(lastWord(name).toLowerCase()) ?? [];
  }
  return name === whole ? known : known.map((each) => ({ ...each, rank: each.rank + 0.5 }));
}

/** `Path` of `filePath`, `path` of `file_path`. Without patterns: there may be very many names. */
function lastWord(name: string): string {
  for (let at = name.length - 1; at > 0; at--) {
    const unit = name.charCodeAt(at);
    if (unit === 45 || unit === 46 || unit === 95 || unit === 32) return name.slice(at + 1);
    if (unit >= 65 && unit <= 90 && !(name.charCodeAt(at - 1) >= 65 && name.charCodeAt(at - 1) <= 90))
      return name.slice(at);
  }
  return name;
}

const ENDINGS_RANK = 100;
/** Made for the first call of a tool that nobody explains. */
let wholeNames: ReadonlyMap<string, readonly NameMeaning[]> | undefined;
let lastWords: typeof wholeNames;

function meaningsBy(part: 'names' | 'endings', rank: number): ReadonlyMap<string, readonly NameMeaning[]> {
  const all = new Map<string, NameMeaning[]>();
  for (const row of ARGUMENT_NAMES) {
    for (const [index, text] of wordsIn(row[part]).entries()) {
      const meanings = all.get(text) ?? [];
      all.set(text, meanings);
      meanings.push({ meaning: row.meaning, rank: rank + index });
    }
  }
  return all;
}
