const VERSION =
  /^(?:(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8}))(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** True for a version as https://semver.org has it, without build metadata: `1.2.0`, `2026.11.3`, `2.0.0-rc.1`. */
export function isVersion(text: string): boolean {
  return text.length <= 100 && VERSION.test(text);
}

/** Orders two versions by the precedence of https://semver.org: negative if `a` is the older one. Other texts are oldest. */
export function compareVersions(a: string, b: string): number {
  return isVersion(b) ? Bun.semver.order(a, b) : 1;
}
