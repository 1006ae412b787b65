/** The name, maybe with `*`, of the processes that a class or query of WMI selects; undefined for others. */
export function askedProcesses(query: string): string | undefined {
  if (!/^\s*(?:win32_process\s*$|select\b.*\bfrom\s+win32_process\b)/is.test(query)) return undefined;
  if (!/\swhere\s/i.test(query)) return '*';
  return /\bname\s*(?:=|like)\s*["']([\w.%-]+)["']/i.exec(query)?.[1]?.replaceAll('%', '*');
}
