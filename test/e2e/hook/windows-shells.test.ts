import { describe, expect, test } from 'bun:test';
import { BINARY } from '../../support/binary.ts';

/** Nothing but PowerShell reads it, and nothing of it does harm. */
const HARMLESS = "$n = 1; foreach ($f in @('a', 'b')) { \"{0,3} $f\" -f $n++ }; (Get-Date).Year";
const DANGEROUS = '$p = "$HOME\\work"; ri $p -r -fo';

/** Plain words in bash; here the backslashes make a path. */
const SECRET = ['cat "sub\\.aws\\credentials"', "cat 'sub\\.aws\\credentials'"];

interface Told {
  readonly host: string;
  readonly event: string;
  readonly tool: string;
  readonly argument?: string;
  /** The argument that names a folder. */
  readonly folder?: string;
}

function answer(
  { host, event, tool, argument = 'command', folder }: Told,
  command: string,
  cwd: string,
  { HOME = '/home/ada', place = '' } = {},
): string {
  const message = {
    session_id: 's',
    transcript_path: '/t',
    cwd,
    hook_event_name: event,
    timestamp: '2026-01-01T00:00:00Z',
    tool_name: tool,
    tool_input: { [argument]: command, ...(folder === undefined ? {} : { [folder]: place }) },
  };
  const { stdout, stderr } = Bun.spawnSync(
    [BINARY, 'hook', '--no-log', '--host', host, '--policies', 'builtin:baseline'],
    { stdin: Buffer.from(JSON.stringify(message)), env: { HOME } },
  );
  return stdout.toString() + stderr.toString();
}

const NAMED: readonly Told[] = [
  { host: 'claude', event: 'PreToolUse', tool: 'PowerShell' },
  { host: 'copilot', event: 'PreToolUse', tool: 'powershell' },
];
const SYSTEM: readonly Told[] = [
  { host: 'codex', event: 'PreToolUse', tool: 'Bash' },
  { host: 'qwen', event: 'PreToolUse', tool: 'run_shell_command' },
  { host: 'gemini', event: 'BeforeTool', tool: 'run_shell_command' },
  { host: 'vscode', event: 'PreToolUse', tool: 'run_in_terminal' },
];

const WITH_FOLDER: readonly Told[] = [
  { host: 'codex', event: 'PreToolUse', tool: 'exec_command', argument: 'cmd', folder: 'workdir' },
  { host: 'qwen', event: 'PreToolUse', tool: 'run_shell_command', folder: 'directory' },
  { host: 'gemini', event: 'BeforeTool', tool: 'run_shell_command', folder: 'dir_path' },
  { host: 'vscode', event: 'PreToolUse', tool: 'run_in_terminal', folder: 'cwd' },
];
const WINDOWS = 'C:\\Users\\ada';
const OFF_DRIVES = ['/', '/tmp', '\\\\srv\\share', '\\\\wsl.localhost\\Ubuntu\\home\\ada'];

describe('the hook with the shells of Windows', () => {
  test.each(NAMED)('reads what %p is given as PowerShell', (told) => {
    expect(answer(told, HARMLESS, '/home/ada/proj')).not.toContain('Refused');
    expect(answer(told, DANGEROUS, '/home/ada/proj')).toContain('baseline/delete-outside');
    for (const each of SECRET)
      expect(answer(told, each, '/home/ada/proj')).toContain('baseline/secrets-read');
  });

  test.each(SYSTEM)('reads what %p is given as PowerShell where the agent works on a drive', (told) => {
    expect(answer(told, HARMLESS, 'C:\\work\\proj')).not.toContain('Refused');
    expect(answer(told, DANGEROUS, 'C:\\work\\proj')).toContain('baseline/delete-outside');
    for (const each of SECRET)
      expect(answer(told, each, 'C:\\work\\proj')).toContain('baseline/secrets-read');
    expect(answer(told, HARMLESS, '/home/ada/proj')).toContain('baseline/unreadable');
  });

  test.each(WITH_FOLDER)('reads what %p is given in the same shell in any folder', (told) => {
    const key = `cat ${WINDOWS}\\.ssh\\id_rsa`;
    for (const place of OFF_DRIVES) {
      for (const HOME of ['/home/ada', WINDOWS])
        expect(answer(told, key, 'C:\\work', { HOME, place })).toContain('baseline/secrets-read');
      expect(answer(told, HARMLESS, place, { HOME: WINDOWS })).not.toContain('Refused');
    }
    for (const cwd of ['/home/ada/proj', '/mnt/c/work'])
      expect(answer(told, HARMLESS, cwd, { place: 'C:\\work' })).toContain('baseline/unreadable');
  });

  test.each(OFF_DRIVES)('finds a path with backslashes in Git Bash where the agent works in %p', (cwd) => {
    const told = { host: 'claude', event: 'PreToolUse', tool: 'Bash' };
    for (const each of [`${WINDOWS}\\.claude\\settings.json`, '..\\.claude\\settings.json', '.git\\hooks\\x'])
      expect(answer(told, `touch '${each}'`, cwd, { HOME: WINDOWS })).toContain('Refused by baseline/');
    expect(answer(told, "touch 'src\\x'", cwd, { HOME: WINDOWS })).not.toContain('Refused');
  });

  test('finds paths with backslashes in Git Bash where the agent works on a drive', () => {
    const told = { host: 'claude', event: 'PreToolUse', tool: 'Bash' };
    for (const each of ['head ".kube\\config"', 'touch ".git\\hooks\\x"', "cd .git && touch 'hooks\\x'"])
      expect(answer(told, each, 'C:\\work\\proj')).toContain('Refused by baseline/');
    expect(answer(told, 'touch "src\\x"', 'C:\\work\\proj')).not.toContain('Refused');
  });

  test.each<[string, string | undefined]>([
    ['takeown /F "C:\\Program Files" /R /D Y', 'system-permissions'],
    ['takeown /f $env:SystemRoot /r', 'system-permissions'],
    ['cmd /c "icacls %SystemRoot% /reset /t"', 'system-permissions'],
    ['icacls ~ /setowner me /t', 'system-permissions'],
    ['icacls .claude\\settings.json /deny me:R', 'guard-settings'],
    ['icacls C:\\Windows /grant Everyone:F /t', 'system-permissions'],
    ['cmd /c "icacls C:\\Windows /GRANT:r me:F /T"', 'system-permissions'],
    ['icacls C:\\ /restore acl.txt', 'system-permissions'],
    ['icacls ~\\.ssh\\authorized_keys /grant Everyone:F', 'public-access'],
    ['icacls ~\\x /save ~\\.bashrc', 'persistence-startup'],
    ['takeown /f build /r', undefined],
    ['cmd /c "icacls C:\\Windows /verify /t"', undefined],
    ['icacls C:\\Windows /findsid me /t', undefined],
    ['icacls C:\\Windows /save acl.txt /t', undefined],
    ['cacls C:\\Windows /t', undefined],
    ['icacls ~\\.claude\\settings.json', undefined],
    ['icacls ~\\.bashrc', undefined],
    ['icacls ~\\.ssh\\authorized_keys /inheritance:r /remove:g you', undefined],
    ['icacls "C:\\Program Files\\x" /grant me:F /t', undefined],
    ['takeown /f ~\\.ssh\\id_rsa', undefined],
    ['icacls . /grant me:F /t', undefined],
    ['icacls ~\\.ssh\\id_rsa /inheritance:r /grant:r me:R', undefined],
  ])('knows whose files %p takes over', (command, policy) => {
    const told = { host: 'claude', event: 'PreToolUse', tool: 'PowerShell' };
    const said = answer(told, command, '/home/ada/proj');
    expect(/baseline\/([a-z-]+)/.exec(said)?.[1]).toBe(policy);
  });

  test('names the shell and the place where it cannot read on', () => {
    const { stdout } = Bun.spawnSync(
      [BINARY, 'explain', '--host', 'claude', '--policies', 'builtin:baseline', '-'],
      {
        stdin: Buffer.from(JSON.stringify({ tool: 'PowerShell', arguments: { command: 'Get-Date\n"abc' } })),
        env: { HOME: '/home/ada' },
      },
    );
    expect(stdout.toString()).toContain('as PowerShell (line 2, column 1)');
  });

  test.each([
    'pwsh -c "$n = 1; if (\\$n -eq 1) { \'a\' }"',
    "cmd /c 'if exist build dir /b build'",
    'powershell.exe -NoProfile -Command "Get-Content \'a.txt\' | Select-Object -First 3"',
  ])('passes %p in bash', (command) => {
    const told = { host: 'claude', event: 'PreToolUse', tool: 'Bash' };
    expect(answer(told, command, '/home/ada/proj')).not.toContain('Refused');
  });
});
