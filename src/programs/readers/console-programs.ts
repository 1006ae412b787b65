import type { Language } from '../scripts/language.ts';

/**
 * What a program does with a text that stands in its code. `edit`: reads and writes a file; `again`: takes it for code of
 * its own; `unknown`: takes for code what cannot be told.
 */
export type ConsoleUse =
  | 'shell'
  | 'delete'
  | 'delete-tree'
  | 'read'
  | 'write'
  | 'edit'
  | 'execute'
  | 'again'
  | 'unknown'
  | Exclude<Language, 'awk' | 'r'>;

/** A command of a program that has a language of its own; what it works on is the first group of the pattern. */
export interface ConsoleRule {
  readonly use: ConsoleUse;
  /** Global, and linear in time. */
  readonly pattern: RegExp;
  /** True if the text stands in quotes in which a backslash escapes. */
  readonly quoted?: true;
  /** True if it is a list of texts in quotes. */
  readonly list?: true;
}

/** A program that takes commands of its own, of which some run others or use files. */
export interface Console {
  /** Flags whose value is such commands. */
  readonly flags?: string;
  /** The first operand that is such commands. */
  readonly from?: number;
  /** True for operands that start with a plus sign. */
  readonly plus?: true;
  /** True if they are read from the standard input when nothing else says where they are; `always`: in any case. */
  readonly input?: boolean | 'always';
  /** Made when the program is met: most commands are none of these. */
  readonly rules: () => readonly ConsoleRule[];
}

/** A text in double quotes. */
const TEXT = '"((?:[^"\\\\\\n]|\\\\.)*)"';
const ANY_TEXT = '["\']((?:[^"\'\\\\\\n]|\\\\.)*)["\']';
const LIST = '[\\[(]((?:[\\s,]*["\'][^"\'\\n]*["\'])+)';

function call(name: string, use: ConsoleUse, text = TEXT): ConsoleRule {
  return { use, pattern: new RegExp(`${name}${text}`, 'g'), quoted: true };
}

const SQLITE = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /^[ \t]*\.(?:shell|system)[ \t]+(.+)$/gm },
  { use: 'shell', pattern: /^[ \t]*\.(?:read|output|once)[ \t]+["']?\|(.+?)["']?$/gm },
  { use: 'shell', pattern: /^[ \t]*\.import[ \t]+"\|([^"\n]+)"/gm },
  { use: 'shell', pattern: /^[ \t]*\.import[ \t]+'\|([^'\n]+)'/gm },
];

const POSTGRES = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /\\![ \t]*(.+)$/gm },
  { use: 'shell', pattern: /\\(?:g|gx|o|out|w|write|watch)[ \t]*\|(.+)$/gm },
  { use: 'shell', pattern: /\b(?:from|to)\s{1,8}program\s{1,8}'([^'\n]*)'/gi },
];

const MYSQL = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /^[ \t]*(?:\\![ \t]*|system[ \t]+)(.+)$/gm },
  { use: 'shell', pattern: /;[ \t]*(?:\\![ \t]*|system[ \t]+)(.+)$/gm },
];

const TCL = (): readonly ConsoleRule[] => [
  {
    use: 'shell',
    pattern:
      /(?:^|[;[{])[ \t]*(?:exec|spawn|system)[ \t]+(?:-(?:ignorestderr|keepnewline|noecho|-)[ \t]+)*([^\]\n;}]+)/gm,
  },
  { use: 'shell', pattern: /\bopen[ \t]+["{]\|[ \t]*([^"}\n]+)/g },
  { use: 'delete-tree', pattern: /\bfile[ \t]+delete[ \t]+(?:-force[ \t]+|--[ \t]+)*["{]?([^\s\]";}]+)/g },
];

/** Where a command of vim may begin: what says how it is run, and the lines that it is for, come before its name. */
const EX =
  "(?:^|\\|)[ \\t:+]*(?:(?:sil(?:ent)?|noa(?:utocmd)?|keep(?:alt|jumps)|conf(?:irm)?|(?:buf|arg|win|tab)do)!?[ \\t]+)*(?:[0-9,;.$%'<>-][0-9,;.$%'<>+-]*[ \\t]*)?";

/** A command of vim with a file. */
function ex(names: string, use: ConsoleUse): ConsoleRule {
  const file = '(?:\\+\\+\\S+[ \\t]+)?(?:>+[ \\t]*)?([^\\s|!>][^\\s|]*)';
  return { use, pattern: new RegExp(`${EX}(?:${names})!?[ \\t]+${file}`, 'gm') };
}

const VIM = (): readonly ConsoleRule[] => [
  ex(
    'w[rite]{0,4}|wq|wn(?:ext)?|x[it]{0,2}|exit?|sav[eas]{0,3}|up[date]{0,4}|redir?|wundo|wv(?:iminfo)?',
    'write',
  ),
  ex('mk(?:s(?:ession)?|e(?:xrc)?|v(?:imrc|iew?)?)', 'write'),
  ex('e(?:d(?:it)?)?|sp(?:lit)?|vs(?:plit)?|new|vne?w?|tabe(?:dit)?|tabnew|arga(?:dd)?|args?|badd?', 'edit'),
  ex('r(?:ead)?', 'read'),
  ex('so(?:urce)?|ru(?:ntime)?', 'execute'),
  call('\\bwritefile\\([^\\n]{0,400}?,[ \\t]*', 'write', ANY_TEXT),
  call('\\brename\\([ \\t]*', 'delete', ANY_TEXT),
  call('\\b(?:rename|filecopy)\\([^\\n,]{0,400},[ \\t]*', 'write', ANY_TEXT),
  { use: 'again', pattern: /\bexe(?:c|cu|cut|cute)?[ \t]+"([^"\n]+)"[ \t]*(?:$|\|)/gm },
  { use: 'again', pattern: /\bexe(?:c|cu|cut|cute)?[ \t]+'([^'\n]+)'[ \t]*(?:$|\|)/gm },
  {
    use: 'unknown',
    pattern: /\bexe(?:c|cu|cut|cute)?[ \t]+(?!(?:"[^"\n]*"|'[^'\n]*')[ \t]*(?:$|\|))([^|\n]+)/gm,
  },
  { use: 'unknown', pattern: /\bfeedkeys\(([^\n]*)/g },
  {
    use: 'unknown',
    pattern: new RegExp(`${EX}(?:norm(?:al?)?!?[ \\t]+([^\\n]{0,400}[:!])|@([^\\s|]))`, 'gm'),
  },
  // `w !command` runs it, `w! file` does not.
  {
    use: 'shell',
    pattern:
      /^[ \t:+]*(?:sil(?:ent)?!?[ \t]+)?(?:[0-9,$.%]+[ \t]*)?(?:r(?:ead)?[ \t]*|w(?:rite)?[ \t]+)?!(.+)$/gm,
  },
  { use: 'shell', pattern: /^[ \t:+]*te(?:r|rm|rmi|rmin|rmina|rminal)?[ \t]+(?!\+)(.+)$/gm },
  call('\\b(?:systemlist|system|jobstart|job_start|termopen|term_start)\\([ \\t]*', 'shell', ANY_TEXT),
  { use: 'delete', pattern: /\bdelete\([ \t]*["']([^"'\n]+)["'][ \t]*(?:,[ \t]*["']d["'][ \t]*)?\)/g },
  { use: 'delete-tree', pattern: /\bdelete\([ \t]*["']([^"'\n]+)["'][ \t]*,[ \t]*["']rf["'][ \t]*\)/g },
  { use: 'lua', pattern: /^[ \t:+]*lua[ \t]+(.+)$/gm },
  { use: 'python', pattern: /^[ \t:+]*(?:py3?|py(?:thon|x|thonx|thon3))[ \t]+(.+)$/gm },
  { use: 'perl', pattern: /^[ \t:+]*perl?[ \t]+(.+)$/gm },
  { use: 'ruby', pattern: /^[ \t:+]*ruby?[ \t]+(.+)$/gm },
];

const ED = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /^[ \t]*(?:[0-9,;$.]+[ \t]*)?(?:[erw][ \t]+)?!(.+)$/gm },
  { use: 'write', pattern: /^[ \t]*[0-9,;$.]*[wW]q?[ \t]+([^!\s].*)$/gm },
  { use: 'read', pattern: /^[ \t]*[0-9,;$.]*[erE][ \t]+([^!\s].*)$/gm },
];

/** A line that starts with an exclamation mark is for the shell. */
const TRANSFER = (): readonly ConsoleRule[] => [{ use: 'shell', pattern: /^[ \t]*!+[ \t]*(.+)$/gm }];

const DEBUGGER = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /^[ \t]*(?:(?:platform[ \t]+)?shell[ \t]+(?:--[ \t]+)?|![ \t]*)(.+)$/gm },
  { use: 'python', pattern: /^[ \t]*(?:python|py|script)[ \t]+(?:--[ \t]+)?(.+)$/gm },
  { use: 'shell', pattern: /^[ \t]*pipe[ \t][^|\n]{0,400}\|(.+)$/gm },
];

const LISP = (): readonly ConsoleRule[] => [
  call(
    '\\((?:system|shell-command|shell-command-to-string|call-process-shell-command|async-shell-command|compile)[ \\t]+',
    'shell',
  ),
  call('\\((?:delete-file|delete-directory)[ \\t]+', 'delete-tree'),
  call('\\((?:delete-directory/files|remove-directory)[ \\t]+', 'delete-tree'),
  call('\\((?:insert-file-contents|load-file|file->string)[ \\t]+', 'read'),
  call('\\(find-file(?:-noselect)?[ \\t]+', 'edit'),
  call('\\((?:write-file|with-temp-file|set-visited-file-name)[ \\t]+', 'write'),
  call('\\((?:write-region|append-to-file)[^()\\n]{0,400}[ \\t]', 'write'),
  call('\\((?:copy-file|rename-file|add-name-to-file|make-symbolic-link)[ \\t]+"[^"\\n]*"[ \\t]+', 'write'),
  call('\\(rename-file[ \\t]+', 'delete'),
  {
    use: 'shell',
    pattern:
      /\((?:call-process|start-process|system\*|process-file)(?=[ \t])((?:[ \t]*(?:"[^"\n]*"|nil|t\b|0))+)/g,
    list: true,
  },
];

const CLOJURE = (): readonly ConsoleRule[] => [
  ...LISP(),
  {
    use: 'shell',
    pattern:
      /\((?:sh|shell|shell\/sh|clojure\.java\.shell\/sh|uiop:run-program|run-program)(?=[ \t])((?:[ \t]*"(?:[^"\\\n]|\\.)*")+)/g,
    list: true,
  },
];

const OCAML = (): readonly ConsoleRule[] => [call('\\b(?:Sys\\.command|Unix\\.system)[ \\t(]+', 'shell')];

const NIM = (): readonly ConsoleRule[] => [
  call('\\b(?:execCmdEx|execShellCmd|execProcess|execCmd|exec)[ \\t(]+', 'shell'),
  call('\\b(?:removeDir|rmDir)[ \\t(]+', 'delete-tree'),
  call('\\b(?:removeFile|rmFile)[ \\t(]+', 'delete'),
];

const ELIXIR = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /System\.cmd\(\s{0,8}("[^"\n]*"\s{0,8},\s{0,8}\[[^\]\n]{0,400}\])/g, list: true },
  call('(?:System\\.shell|os[.:]cmd)\\([ \\t]*', 'shell', ANY_TEXT),
  call('File\\.rm_rf!?[( \\t]+', 'delete-tree'),
  call('File\\.rm!?[( \\t]+', 'delete'),
  call('File\\.(?:read|stream)!?[( \\t]+', 'read'),
];

const JVM = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: new RegExp(`(?<!\\\\)${ANY_TEXT}\\.(?:execute\\(|!)`, 'g'), quoted: true },
  { use: 'shell', pattern: new RegExp(`${LIST}\\s{0,8}[\\])]\\.(?:execute\\(|!)`, 'g'), list: true },
  { use: 'shell', pattern: new RegExp(`(?:ProcessBuilder|Process)\\(${LIST}`, 'g'), list: true },
  { use: 'shell', pattern: /(?:ProcessBuilder|Seq)\(((?:[\s,]*"[^"\n]*")+)/g, list: true },
  call('\\.exec\\([ \\t]*', 'shell'),
  call('new File\\([ \\t]*', 'delete-tree', `${ANY_TEXT}\\)\\.deleteDir\\(`),
  call('new File\\([ \\t]*', 'delete', `${ANY_TEXT}\\)\\.delete\\(`),
  call('new File\\([ \\t]*', 'read', `${ANY_TEXT}\\)\\.(?:text|readLines|eachLine|bytes)\\b`),
];

const JULIA = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /\b(?:run|read|readlines|readchomp|open|success|pipeline)\([ \t]*`([^`\n]*)`/g },
  call('\\brm\\([ \\t]*', 'delete-tree', `${TEXT}[^)\\n]{0,100}\\brecursive\\s{0,4}=\\s{0,4}true`),
  call('\\brm\\([ \\t]*', 'delete'),
  call('\\b(?:read|readlines|readchomp|open|eachline)\\([ \\t]*', 'read'),
];

const APPLE_SCRIPT = (): readonly ConsoleRule[] => [
  {
    use: 'shell',
    pattern: /do shell script((?:[ \t&]*"(?:[^"\\\n]|\\.)*")+)/g,
    list: true,
  },
  call('\\.doShellScript\\([ \\t]*', 'shell', ANY_TEXT),
];

const CRYSTAL = (): readonly ConsoleRule[] => [
  { use: 'shell', pattern: /`([^`\n]*)`/g },
  call('\\b(?:system|exec)[ \\t(]+', 'shell'),
  call('\\bFileUtils\\.rm_rf?[ \\t(]+', 'delete-tree'),
];

/** Programs with commands of their own, by name. */
export const CONSOLES: Readonly<Record<string, Console>> = {
  sqlite3: { flags: '-cmd', from: 1, input: 'always', rules: SQLITE },
  duckdb: { flags: '-c -s -cmd', from: 1, input: 'always', rules: SQLITE },
  psql: { flags: '-c --command', input: true, rules: POSTGRES },
  mysql: { flags: '-e --execute', input: true, rules: MYSQL },
  mariadb: { flags: '-e --execute', input: true, rules: MYSQL },
  tclsh: { input: true, rules: TCL },
  wish: { input: true, rules: TCL },
  expect: { flags: '-c', input: true, rules: TCL },
  ed: { input: 'always', rules: ED },
  ex: { flags: '-c --cmd', plus: true, input: 'always', rules: VIM },
  vi: { flags: '-c --cmd', plus: true, input: 'always', rules: VIM },
  vim: { flags: '-c --cmd', plus: true, input: 'always', rules: VIM },
  nvim: { flags: '-c --cmd', plus: true, input: 'always', rules: VIM },
  view: { flags: '-c --cmd', plus: true, rules: VIM },
  ftp: { input: 'always', rules: TRANSFER },
  sftp: { input: 'always', rules: TRANSFER },
  lftp: { flags: '-c -e', input: 'always', rules: TRANSFER },
  gdb: { flags: '-ex -iex -eval-command -ix --eval-command', input: 'always', rules: DEBUGGER },
  lldb: { flags: '-o -O -k --one-line', input: 'always', rules: DEBUGGER },
  emacs: { flags: '--eval -eval --execute -execute', rules: LISP },
  guile: { flags: '-c', input: true, rules: LISP },
  racket: { flags: '-e --eval', input: true, rules: LISP },
  sbcl: { flags: '--eval', input: 'always', rules: CLOJURE },
  clojure: { flags: '-e', input: true, rules: CLOJURE },
  bb: { flags: '-e', input: true, rules: CLOJURE },
  ocaml: { flags: '-e', input: true, rules: OCAML },
  nim: { from: 1, rules: NIM },
  elixir: { flags: '-e --eval', input: true, rules: ELIXIR },
  erl: { flags: '-eval', rules: ELIXIR },
  groovy: { flags: '-e', rules: JVM },
  scala: { flags: '-e', input: true, rules: JVM },
  kotlinc: { flags: '-e', rules: JVM },
  jshell: { input: 'always', rules: JVM },
  crystal: { from: 1, rules: CRYSTAL },
  ansible: { flags: '-a --args', rules: () => [{ use: 'shell', pattern: /^(.+)$/gm }] },
  julia: { flags: '-e --eval -E --print', input: true, rules: JULIA },
  ghc: { flags: '-e', rules: () => [call('\\b(?:system|callCommand|readCreateProcess)[ \\t(]+', 'shell')] },
  osascript: { flags: '-e', input: true, rules: APPLE_SCRIPT },
};
