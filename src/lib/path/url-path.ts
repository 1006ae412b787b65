/** How often an escape may itself be escaped and still be found. */
const MAX_ROUNDS = 4;

/** The normal form of a URL's path: needless escapes decoded, `.` and `..` resolved. An escaped slash stays. */
export function normaliseUrlPath(path: string): string {
  const pieces = path.split(/(%2f)/i);
  return withoutDots(pieces.map((piece) => (/^%2f$/i.test(piece) ? piece : decodePercent(piece))).join(''));
}

/** The same for lenient servers: decoded twice, a backslash or escaped slash is a slash, several count as one. */
export function lenientUrlPath(path: string): string {
  let text = path;
  for (let round = 0; round < MAX_ROUNDS && text.includes('%'); round++) text = decodePercent(text);
  return withoutDots(text.replaceAll('\\', '/').replace(/\/{2,}/g, '/'));
}

/** Percent signs decoded; bytes that are no UTF-8 stay escaped. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
    }
  });
}

/** Resolves `.` and `..`; above the root is the root, a relative path may climb. */
export function withoutDots(path: string): string {
  const root = path.startsWith('/');
  const segments = path.split('/');
  const kept: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const above = kept.at(-1);
    if (segment === '..' && above !== undefined && above !== '..' && !(root && kept.length === 1)) kept.pop();
    else if (segment === '..' ? !root : segment !== '.') {
      kept.push(segment);
      continue;
    }
    // A dot segment at the end leaves a folder.
    if (isLast) kept.push('');
  }
  return kept.join('/');
}
