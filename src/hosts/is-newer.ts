/** True if a version is newer than another; numbers behind those of the other do not count. */
export function isNewer(version: string, than: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, known] of than.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== known) return part > known;
  }
  return false;
}
