import type { Language } from './language.ts';

/**
 * What a call does with its first argument.
 * `shell`: runs a shell command; `argv`: runs a program, given as a list or as words; `program`: runs a program given as
 * a text that is split, or through a shell, or as a list; `code`: runs code of the same language; `load`: runs a file of
 * it; the others are uses of a path or URL. `move`, `copy`, `copy-tree`, `link` and `symlink` have two paths, `open` a mode after the path, `request` a method before the URL.
 * `rights`: changes who may use a path; `chdir`: what follows happens in that folder; `save` fetches a URL into a file.
 */
export type CallUse =
  | 'shell'
  | 'argv'
  | 'program'
  | 'code'
  | 'read'
  | 'load'
  | 'write'
  | 'write-tree'
  | 'delete'
  | 'delete-tree'
  | 'list'
  | 'open'
  | 'move'
  | 'copy'
  | 'copy-tree'
  | 'link'
  | 'symlink'
  | 'rights'
  | 'download'
  | 'upload'
  | 'connect'
  | 'request'
  | 'listen'
  | 'chdir'
  | 'save';

/** A call that matters: by the last part of its name, and what must stand before that. */
export interface CodeCall {
  readonly use: CallUse;
  /**
   * Names one of which must stand before, separated by spaces; `*`: anything may; a name in the list that is empty
   * (`-`): the call may stand alone. Absent: the call stands alone or behind anything.
   */
  readonly of?: string;
}

type CallTable = Readonly<Record<string, CodeCall | readonly CodeCall[]>>;

const PYTHON: CallTable = {
  system: { use: 'shell' },
  popen: { use: 'shell' },
  getoutput: { use: 'shell' },
  getstatusoutput: { use: 'shell' },
  run: { use: 'program', of: 'subprocess sp - pexpect' },
  call: { use: 'program', of: 'subprocess sp -' },
  check_call: { use: 'program' },
  check_output: { use: 'program' },
  Popen: { use: 'program' },
  create_subprocess_shell: { use: 'shell' },
  create_subprocess_exec: { use: 'argv' },
  spawn: [{ use: 'shell', of: 'pty pexpect' }],
  execv: { use: 'argv' },
  execve: { use: 'argv' },
  execvp: { use: 'argv' },
  execvpe: { use: 'argv' },
  execl: { use: 'argv' },
  execle: { use: 'argv' },
  execlp: { use: 'argv' },
  execlpe: { use: 'argv' },
  spawnl: { use: 'argv' },
  spawnle: { use: 'argv' },
  spawnlp: { use: 'argv' },
  spawnlpe: { use: 'argv' },
  spawnv: { use: 'argv' },
  spawnve: { use: 'argv' },
  spawnvp: { use: 'argv' },
  spawnvpe: { use: 'argv' },
  posix_spawn: { use: 'argv' },
  posix_spawnp: { use: 'argv' },
  exec: { use: 'code', of: '- builtins __builtins__' },
  eval: { use: 'code', of: '- builtins __builtins__' },
  chdir: { use: 'chdir', of: 'os contextlib -' },
  rmtree: { use: 'delete-tree' },
  remove_tree: { use: 'delete-tree' },
  remove: { use: 'delete', of: 'os posix' },
  unlink: { use: 'delete' },
  rmdir: { use: 'delete' },
  removedirs: { use: 'delete' },
  send2trash: { use: 'delete-tree' },
  rename: { use: 'move', of: 'os *' },
  replace: { use: 'move', of: 'os' },
  move: { use: 'move', of: 'shutil' },
  copy: { use: 'copy', of: 'shutil' },
  copy2: { use: 'copy' },
  copyfile: { use: 'copy' },
  copytree: { use: 'copy-tree' },
  extractall: { use: 'write-tree' },
  truncate: { use: 'write', of: 'os' },
  open: { use: 'open' },
  read_text: { use: 'read' },
  read_bytes: { use: 'read' },
  write_text: { use: 'write' },
  write_bytes: { use: 'write' },
  touch: { use: 'write' },
  chmod: { use: 'rights', of: 'os *' },
  chown: { use: 'rights', of: 'os' },
  makedirs: { use: 'write' },
  mkdir: { use: 'write' },
  symlink: { use: 'symlink', of: 'os' },
  symlink_to: { use: 'symlink' },
  link: { use: 'link', of: 'os' },
  hardlink_to: { use: 'link' },
  listdir: { use: 'list' },
  scandir: { use: 'list' },
  walk: { use: 'list', of: 'os' },
  getline: { use: 'read', of: 'linecache' },
  getlines: { use: 'read', of: 'linecache' },
  input: { use: 'read', of: 'fileinput' },
  FileInput: { use: 'read' },
  // It loads what is in there, and shows nothing.
  load_dotenv: { use: 'list' },
  run_path: { use: 'load', of: 'runpy -' },
  execfile: { use: 'load', of: '-' },
  dotenv_values: { use: 'read' },
  urlopen: { use: 'download' },
  urlretrieve: { use: 'save' },
  get: { use: 'download', of: 'requests httpx session client' },
  post: { use: 'upload', of: 'requests httpx session client' },
  put: { use: 'upload', of: 'requests httpx session client' },
  patch: { use: 'upload', of: 'requests httpx session client' },
  delete: { use: 'connect', of: 'requests httpx session client' },
  head: { use: 'connect', of: 'requests httpx session client' },
  request: { use: 'request', of: 'requests httpx session client http' },
  HTTPConnection: { use: 'connect' },
  HTTPSConnection: { use: 'connect' },
  create_connection: { use: 'connect' },
  connect: { use: 'connect' },
  connect_ex: { use: 'connect' },
  SMTP: { use: 'connect' },
  FTP: { use: 'connect' },
};

const FILE_SYSTEM = 'fs fsp promises node:fs fs/promises node:fs/promises Deno Bun fse require';

const JAVASCRIPT: CallTable = {
  exec: { use: 'shell', of: 'child_process cp require node:child_process childProcess -' },
  execSync: { use: 'shell' },
  execFile: { use: 'argv' },
  execFileSync: { use: 'argv' },
  spawn: { use: 'program' },
  spawnSync: { use: 'program' },
  fork: { use: 'argv', of: 'child_process cp require' },
  execa: { use: 'program' },
  execaSync: { use: 'program' },
  execaCommand: { use: 'shell' },
  $: { use: 'shell' },
  Command: { use: 'argv', of: 'Deno' },
  run: { use: 'program', of: 'Deno' },
  eval: { use: 'code' },
  Function: { use: 'code' },
  runInThisContext: { use: 'code' },
  runInNewContext: { use: 'code' },
  chdir: { use: 'chdir', of: 'process Deno' },
  rm: { use: 'delete-tree', of: `${FILE_SYSTEM} -` },
  rmSync: { use: 'delete-tree' },
  rmdir: { use: 'delete-tree', of: `${FILE_SYSTEM} -` },
  rmdirSync: { use: 'delete-tree' },
  unlink: { use: 'delete', of: `${FILE_SYSTEM} -` },
  unlinkSync: { use: 'delete' },
  remove: { use: 'delete-tree', of: 'fs fse Deno' },
  removeSync: { use: 'delete-tree' },
  sync: { use: 'delete-tree', of: 'rimraf del' },
  rimraf: { use: 'delete-tree' },
  rimrafSync: { use: 'delete-tree' },
  del: { use: 'delete-tree', of: '-' },
  emptyDirSync: { use: 'delete-tree' },
  rename: { use: 'move', of: FILE_SYSTEM },
  renameSync: { use: 'move' },
  copyFile: { use: 'copy' },
  copyFileSync: { use: 'copy' },
  cp: { use: 'copy-tree', of: FILE_SYSTEM },
  cpSync: { use: 'copy-tree' },
  truncateSync: { use: 'write' },
  readFile: { use: 'read' },
  readFileSync: { use: 'read' },
  readTextFile: { use: 'read' },
  readTextFileSync: { use: 'read' },
  createReadStream: { use: 'read' },
  file: { use: 'read', of: 'Bun' },
  require: { use: 'load', of: '-' },
  import: { use: 'load', of: '-' },
  writeFile: { use: 'write' },
  writeFileSync: { use: 'write' },
  writeTextFile: { use: 'write' },
  appendFile: { use: 'write' },
  appendFileSync: { use: 'write' },
  createWriteStream: { use: 'write' },
  write: { use: 'write', of: 'Bun' },
  mkdirSync: { use: 'write' },
  chmodSync: { use: 'rights' },
  symlink: { use: 'symlink', of: FILE_SYSTEM },
  symlinkSync: { use: 'symlink' },
  link: { use: 'link', of: FILE_SYSTEM },
  linkSync: { use: 'link' },
  open: { use: 'open', of: `${FILE_SYSTEM}` },
  openSync: { use: 'open' },
  readdir: { use: 'list' },
  readdirSync: { use: 'list' },
  fetch: { use: 'download', of: '- globalThis window undici' },
  get: { use: 'download', of: 'http https axios got superagent request require' },
  post: { use: 'upload', of: 'axios got superagent request' },
  put: { use: 'upload', of: 'axios got superagent request' },
  request: { use: 'connect', of: 'http https axios undici require' },
  axios: { use: 'connect', of: '-' },
  got: { use: 'download', of: '-' },
  createConnection: { use: 'connect', of: 'net tls require' },
  connect: { use: 'connect', of: 'net tls Bun Deno' },
  WebSocket: { use: 'connect' },
};

const RUBY: CallTable = {
  system: { use: 'program' },
  exec: { use: 'program' },
  spawn: { use: 'program' },
  popen: { use: 'program' },
  popen3: { use: 'program' },
  capture2: { use: 'program' },
  capture2e: { use: 'program' },
  capture3: { use: 'program' },
  eval: { use: 'code' },
  instance_eval: { use: 'code' },
  load: { use: 'load', of: '- Kernel' },
  require: { use: 'load', of: '- Kernel' },
  require_relative: { use: 'load' },
  chdir: { use: 'chdir', of: 'Dir FileUtils' },
  cd: { use: 'chdir', of: 'FileUtils' },
  rm: { use: 'delete', of: 'FileUtils' },
  rm_f: { use: 'delete' },
  rm_r: { use: 'delete-tree' },
  rm_rf: { use: 'delete-tree' },
  remove_entry: { use: 'delete-tree' },
  remove_entry_secure: { use: 'delete-tree' },
  remove_dir: { use: 'delete-tree' },
  rmtree: { use: 'delete-tree' },
  delete: { use: 'delete', of: 'File Dir Pathname' },
  unlink: { use: 'delete', of: 'File Dir Pathname' },
  rmdir: { use: 'delete', of: 'Dir FileUtils' },
  mv: { use: 'move', of: 'FileUtils' },
  rename: { use: 'move', of: 'File' },
  cp: { use: 'copy', of: 'FileUtils' },
  cp_r: { use: 'copy' },
  symlink: { use: 'symlink', of: 'File' },
  link: { use: 'link', of: 'File' },
  ln_s: { use: 'symlink', of: 'FileUtils' },
  ln_sf: { use: 'symlink', of: 'FileUtils' },
  ln: { use: 'link', of: 'FileUtils' },
  open: { use: 'open' },
  new: [
    { use: 'open', of: 'File' },
    { use: 'connect', of: 'TCPSocket' },
  ],
  read: { use: 'read', of: 'File IO' },
  readlines: { use: 'read', of: 'File IO' },
  foreach: { use: 'read', of: 'File IO' },
  binread: { use: 'read' },
  write: { use: 'write', of: 'File IO' },
  binwrite: { use: 'write' },
  truncate: { use: 'write', of: 'File' },
  glob: { use: 'list', of: 'Dir' },
  entries: { use: 'list', of: 'Dir' },
  get: { use: 'download', of: 'HTTP Faraday HTTParty RestClient' },
  post: { use: 'upload', of: 'HTTP Faraday HTTParty RestClient' },
  URI: { use: 'connect', of: '-' },
};

const PERL: CallTable = {
  system: { use: 'program' },
  exec: { use: 'program' },
  readpipe: { use: 'shell' },
  eval: { use: 'code' },
  do: { use: 'load', of: '-' },
  require: { use: 'load', of: '-' },
  chdir: { use: 'chdir' },
  unlink: { use: 'delete' },
  rmdir: { use: 'delete' },
  rmtree: { use: 'delete-tree' },
  remove_tree: { use: 'delete-tree' },
  rename: { use: 'move' },
  move: { use: 'move' },
  copy: { use: 'copy' },
  symlink: { use: 'symlink' },
  link: { use: 'link' },
  open: { use: 'open' },
  opendir: { use: 'list' },
  truncate: { use: 'write' },
  get: { use: 'download', of: '- LWP Simple ua http' },
  getstore: { use: 'save' },
};

const PHP: CallTable = {
  system: { use: 'shell' },
  exec: { use: 'shell' },
  shell_exec: { use: 'shell' },
  passthru: { use: 'shell' },
  popen: { use: 'shell' },
  proc_open: { use: 'shell' },
  pcntl_exec: { use: 'argv' },
  eval: { use: 'code' },
  assert: { use: 'code' },
  include: { use: 'load', of: '-' },
  include_once: { use: 'load', of: '-' },
  require: { use: 'load', of: '-' },
  require_once: { use: 'load', of: '-' },
  chdir: { use: 'chdir' },
  unlink: { use: 'delete' },
  rmdir: { use: 'delete' },
  rename: { use: 'move' },
  copy: { use: 'copy' },
  symlink: { use: 'symlink' },
  link: { use: 'link' },
  fopen: { use: 'open' },
  file_get_contents: { use: 'read' },
  readfile: { use: 'read' },
  file: { use: 'read', of: '-' },
  parse_ini_file: { use: 'read' },
  highlight_file: { use: 'read' },
  show_source: { use: 'read' },
  file_put_contents: { use: 'write' },
  chmod: { use: 'rights' },
  scandir: { use: 'list' },
  curl_init: { use: 'connect' },
  fsockopen: { use: 'connect' },
  stream_socket_client: { use: 'connect' },
};

const LUA: CallTable = {
  execute: { use: 'shell', of: 'os' },
  system: { use: 'shell', of: 'fn' },
  jobstart: { use: 'program', of: 'fn' },
  popen: { use: 'shell', of: 'io' },
  loadstring: { use: 'code' },
  load: { use: 'code', of: '-' },
  dofile: { use: 'load' },
  loadfile: { use: 'load' },
  chdir: { use: 'chdir', of: 'lfs' },
  remove: { use: 'delete', of: 'os' },
  rename: { use: 'move', of: 'os' },
  open: { use: 'open', of: 'io' },
  lines: { use: 'read', of: 'io' },
  input: { use: 'read', of: 'io' },
  request: { use: 'download', of: 'http https' },
};

const R: CallTable = {
  system: { use: 'shell' },
  system2: { use: 'program' },
  shell: { use: 'shell' },
  setwd: { use: 'chdir' },
  unlink: { use: 'delete-tree' },
  'file.remove': { use: 'delete' },
  'file.rename': { use: 'move' },
  'file.copy': { use: 'copy' },
  'read.csv': { use: 'read' },
  'read.table': { use: 'read' },
  readLines: { use: 'read' },
  readRDS: { use: 'read' },
  csv: { use: 'read', of: 'read' },
  table: { use: 'read', of: 'read' },
  source: { use: 'load' },
  'download.file': { use: 'save' },
};

/** Calls by language and last name. */
export const CODE_CALLS: Readonly<Record<Exclude<Language, 'awk'>, CallTable>> = {
  python: PYTHON,
  javascript: JAVASCRIPT,
  ruby: RUBY,
  perl: PERL,
  php: PHP,
  lua: LUA,
  r: R,
};

/** Languages in which a call needs no parentheses: `system "ls"`. */
export const BARE_CALLS: ReadonlySet<Language> = new Set(['ruby', 'perl', 'php', 'lua']);
