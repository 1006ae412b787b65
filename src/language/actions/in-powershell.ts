/** Commands of bash that PowerShell has not, or reads otherwise, in its own words. The first that fits counts. */
const COMMANDS: readonly (readonly [bash: RegExp, powershell: string])[] = [
  [/^rm -rf (\S+)$/, 'Remove-Item $1 -Recurse -Force'],
  [/^rm (\S+)$/, 'Remove-Item $1'],
  [/^cp (\S+) (\S+)$/, 'Copy-Item $1 $2'],
  [/^mv (\S+) (\S+)$/, 'Move-Item $1 $2'],
  [/^ln -s (\S+) (\S+)$/, 'New-Item -ItemType SymbolicLink $2 -Target $1'],
  [/^find (\S+) -name '([^']+)' -delete$/, "Get-ChildItem $1 -Recurse -Filter '$2' | Remove-Item"],
  [/^set -a; \. \.\/(\S+); set \+a$/, 'node --env-file=$1 app.js'],
  [/^while true; do (.+); sleep (\d+); done$/, 'while ($$true) { $1; Start-Sleep $2 }'],
  [/^curl -fsSLo (\S+) (\S+)$/, 'Invoke-WebRequest $2 -OutFile $1'],
  [/^curl (.+)$/, 'curl.exe $1'],
  [/^lsblk$/, 'Get-Disk'],
  [/^sudo systemctl restart (\S+)$/, 'Restart-Service $1'],
  [/^PATH="\$PWD\/bin:\$PATH" (.+)$/, '$$env:PATH = "$$PWD/bin;$$env:PATH"; $1'],
  [/^([A-Z_]+)=('[^']+') (.+)$/, '$$env:$1 = $2; $3'],
  [/^([A-Z_]+)=(\w+) (.+)$/, "$$env:$1 = '$2'; $3"],
  [/^(.+) && (.+)$/, '$1; if ($$?) { $2 }'],
  [/^(.+)$/, '$1'],
];

/** A way out with its commands, between backticks, as PowerShell takes them. */
export function inPowerShell(text: string): string {
  return text.replace(/`([^`\n]+)`/g, (_quoted, command: string) => `\`${translated(command)}\``);
}

function translated(command: string): string {
  const [bash, powershell] = COMMANDS.find(([each]) => each.test(command)) ?? [];
  const own = bash === undefined ? command : command.replace(bash, powershell ?? '');
  return own
    .replaceAll('$PWD:', `\${PWD}:`)
    .replace(/(?<![\w.~])\/tmp\//g, '$$env:TEMP/')
    .replace(/\$(?!PWD|HOME|true)([A-Z][A-Z_]+)\b/g, '$$env:$1');
}
