import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Programs that scripts may start. They harm nothing, for scripts name no file outside of their own folder but a descriptor,
 * whatever is put into them.
 */
const PROGRAMS = 'base64 bash cat chmod cp env find ln mv nice rev sed tee timeout tr xargs'.split(' ');
const BATCH = 250;
/** How long a script may take, and what goes on behind the last one. */
const SCRIPT_MS = 2_000;
const BASH = Bun.which('bash') ?? '/bin/bash';

/** Scripts of the superuser are run for nobody: bash trusts the superuser's environment less, and harm can come of anything. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

function own(folder: string): void {
  if (USER !== undefined) chownSync(folder, USER.uid, USER.gid);
}

/** Runs each script of a file in a folder and a subshell of its own. What is written to descriptor 9 goes to its output. */
const DRIVER = `
exec 9>&1 1>/dev/null 2>/dev/null 8< "$1"
ulimit -t 2 -f 1024 -n 64 -v 1000000 -c 0
FUNCNEST=30
declare -i __at=0
__folder=$2
set --
while IFS= read -r -d '' -u 8 __text; do
  cd "$__folder/$__at" || exit
  printf '\\n#%d\\n' "$__at" >&9
  __at+=1
  ( exec 8<&- < /dev/null; eval "$__text" )
done
`;

/**
 * Runs scripts in a real bash, which knows no programs but a few harmless ones, and gives all words that they wrote to
 * descriptor 9. A script that takes too long is ended.
 */
export async function runInBash(texts: readonly string[]): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  const folder = mkdtempSync(join(tmpdir(), 'policy-oracle-'));
  try {
    chmodSync(folder, 0o755);
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    for (const name of PROGRAMS) {
      const path = Bun.which(name);
      if (path === null) throw new Error(`Cannot find "${name}": the oracle needs it`);
      symlinkSync(path, join(programs, name));
      if (name === 'bash') symlinkSync(path, join(programs, 'sh'));
    }
    for (let from = 0; from < texts.length; ) {
      from += await runBatch(texts.slice(from, from + BATCH), folder, written);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return written;
}

/** Runs scripts up to one that takes too long or ends the others, if there is one, and says how many. */
async function runBatch(texts: readonly string[], folder: string, written: Set<string>): Promise<number> {
  const work = mkdtempSync(join(folder, 'work-'));
  own(work);
  for (const at of texts.keys()) {
    mkdirSync(join(work, `${at}`));
    own(join(work, `${at}`));
  }
  const file = join(work, 'scripts');
  writeFileSync(file, texts.map((text) => `${text}\0`).join(''));
  const child = Bun.spawn([BASH, '--norc', '--noprofile', '-c', DRIVER, 'bash', file, work], {
    env: { PATH: join(folder, 'bin'), HOME: work, LC_ALL: 'C.UTF-8' },
    stdin: 'ignore',
    stderr: 'ignore',
    detached: true,
    ...USER,
  });
  // All that it started is of its group.
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), SCRIPT_MS);
  const decoder = new TextDecoder();
  let output = '';
  for await (const chunk of child.stdout) {
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    if (text.includes('#')) timer.refresh();
  }
  clearTimeout(timer);
  const lines = output.split('\n');
  rmSync(work, { recursive: true, force: true });
  for (const line of lines) written.add(line);
  const started = lines.filter((line) => line.startsWith('#')).length;
  return Math.max(started, 1);
}
