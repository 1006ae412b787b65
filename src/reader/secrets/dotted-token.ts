/** The offset of the first dot of a possible token in three parts, the second of six characters; -1 if there is none. */
export function dottedTokenFrom(text: string, from: number): number {
  for (let at = text.indexOf('.', from); at !== -1; at = text.indexOf('.', at + 1)) {
    if (at >= 23 && text.charCodeAt(at + 7) === 46 && isRun(text, at - 23, at)) return at;
  }
  return -1;
}

function isRun(text: string, from: number, to: number): boolean {
  for (let at = to - 1; at >= from; at--) {
    const unit = text.charCodeAt(at);
    const lower = unit | 32;
    const isWord = (lower >= 97 && lower <= 122) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45;
    if (!isWord) return false;
  }
  return true;
}
