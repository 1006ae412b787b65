import type { ProgramReader } from '../../shell/scope/interpreter.ts';

type ReaderTable = Readonly<Record<string, ProgramReader>>;

/** The tables of readers by file, loaded late. A program may have several readers for different things. */
export const READER_TABLES: Readonly<Record<string, () => ReaderTable>> = {
  'evaluated-arguments': () =>
    (require('./evaluated-arguments.ts') as typeof import('./evaluated-arguments.ts'))
      .EVALUATED_ARGUMENT_READERS,
  builtins: () => (require('./builtins.ts') as typeof import('./builtins.ts')).BUILTIN_READERS,
  'control-builtins': () =>
    (require('./control-builtins.ts') as typeof import('./control-builtins.ts')).CONTROL_BUILTIN_READERS,
  printers: () => (require('./printers.ts') as typeof import('./printers.ts')).PRINTER_READERS,
  'line-filters': () => (require('./line-filters.ts') as typeof import('./line-filters.ts')).FILTER_READERS,
  shells: () => (require('./shells.ts') as typeof import('./shells.ts')).SHELL_READERS,
  fetchers: () => (require('./fetchers.ts') as typeof import('./fetchers.ts')).FETCH_READERS,
  connections: () => (require('./connections.ts') as typeof import('./connections.ts')).CONNECTION_READERS,
  tar: () => (require('./tar.ts') as typeof import('./tar.ts')).TAR_READERS,
  unpackers: () => (require('./unpackers.ts') as typeof import('./unpackers.ts')).UNPACKER_READERS,
  clones: () => (require('./clones.ts') as typeof import('./clones.ts')).CLONE_READERS,
  'file-tools': () => (require('./file-tools.ts') as typeof import('./file-tools.ts')).FILE_TOOL_READERS,
  screen: () => (require('./screen.ts') as typeof import('./screen.ts')).SCREEN_READERS,
  disks: () => (require('./disks.ts') as typeof import('./disks.ts')).DISK_READERS,
  sed: () => (require('./sed.ts') as typeof import('./sed.ts')).SED_READERS,
  'hidden-commands': () =>
    (require('./hidden-commands.ts') as typeof import('./hidden-commands.ts')).HIDDEN_COMMAND_READERS,
  interpreters: () =>
    (require('./interpreters.ts') as typeof import('./interpreters.ts')).INTERPRETER_READERS,
  cmdlets: () => (require('./cmdlets.ts') as typeof import('./cmdlets.ts')).CMDLET_READERS,
  'windows-shells': () =>
    (require('./windows-shells.ts') as typeof import('./windows-shells.ts')).WINDOWS_SHELL_READERS,
  consoles: () => (require('./consoles.ts') as typeof import('./consoles.ts')).CONSOLE_READERS,
  'git/git': () => (require('./git/git.ts') as typeof import('./git/git.ts')).GIT_READERS,
  find: () => (require('./find.ts') as typeof import('./find.ts')).FIND_READERS,
  xargs: () => (require('./xargs.ts') as typeof import('./xargs.ts')).XARGS_READERS,
  patches: () => (require('./patches.ts') as typeof import('./patches.ts')).PATCH_READERS,
  'own-program': () => (require('./own-program.ts') as typeof import('./own-program.ts')).OWN_READERS,
  typists: () => (require('./typists.ts') as typeof import('./typists.ts')).TYPIST_READERS,
};
