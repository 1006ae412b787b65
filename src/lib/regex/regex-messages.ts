/** The engine's own descriptions of its errors, in plain words. The culprit is the part it names. */
export function explainRegexError(description: string, culprit: string): string {
  switch (description) {
    case 'invalid escape sequence':
      return `unknown escape "${culprit}"${escapeHint(culprit)}`;
    case 'invalid character class range':
      return `no such class or range: "${culprit}"`;
    case 'invalid named capture':
      return `a group's name has letters, digits and "_" only: "${culprit}"`;
    case 'duplicate capture group name':
      return `two groups are named "${culprit}"`;
    case 'invalid nested repetition operator':
      return `a repetition of a repetition, "${culprit}": put the inner one in a group`;
    case 'invalid repeat count':
      return `repetitions go up to 1000 in all, the lower number first: "${culprit}"`;
    default:
      return description;
  }
}

/** Finds the part that the engine names: its first occurrence up to which the source fails alike. Undefined after 20 tries. */
export function errorIndex(
  source: string,
  culprit: string,
  failsAlike: (prefix: string) => boolean,
): number | undefined {
  if (culprit === '') return undefined;
  let at = source.indexOf(culprit);
  for (let tries = 0; at !== -1 && tries < 20; tries++) {
    if (failsAlike(source.slice(0, at + culprit.length))) return at;
    at = source.indexOf(culprit, at + 1);
  }
  return undefined;
}

function escapeHint(culprit: string): string {
  if (culprit.startsWith('\\u')) return ', write \\x{41} for a character by its number';
  if (culprit.startsWith('\\Z')) return ', write \\z for the end of the text';
  return /^\\[A-Za-z]/.test(culprit) ? '' : ', a backslash may precede signs only';
}
