const VERSION =
  /^(?<core>(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8}))(?:-(?<pre>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** True for a version as https://semver.org has it, without build metadata: `1.2.0`, `2026.11.3`, `2.0.0-rc.1`. */
export function isVersion(text: string): boolean {
  return text.length <= 100 && VERSION.test(text);
}

/** Which of two versions comes first, by the precedence of https://semver.org: negative if `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const [coreA, preA] = partsOf(a);
  const [coreB, preB] = partsOf(b);
  const core = compareLists(coreA, coreB);
  // A version with a pre-release comes before the one that it leads to.
  if (core !== 0 || preA.length === 0 || preB.length === 0) return core || preB.length - preA.length;
  return compareLists(preA, preB);
}

function partsOf(version: string): readonly [readonly string[], readonly string[]] {
  const { core = '', pre } = VERSION.exec(version)?.groups ?? {};
  return [core.split('.'), pre?.split('.') ?? []];
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers come before words, and are compared as numbers. */
function compareParts(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
