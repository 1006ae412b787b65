/**
 * Strings of which one occurs in every text that fits the glob, or undefined if there is no such set that is worth
 * looking for. Found by looking at the glob's text only, so that hundreds of globs can be ruled out without compiling
 * one.
 */
export function globLiterals(written: string): readonly string[] | undefined {
  // A class may stand for its own text as well.
  const plain = written.replace(CLASS, '*');
  // Escapes, other classes and ranges would have to be parsed.
  if (/[\\[\]]|\.\.[^{},]*\}/.test(plain)) return undefined;
  const glob = plain.startsWith('./') ? plain.slice(2) : plain;
  const open = glob.indexOf('{');
  const outside = rarest(runs(glob.replace(/\{.*\}/s, '*')));
  if (open < 0 || outside.length >= LONG_ENOUGH) return usable([outside]);
  const close = glob.indexOf('}', open);
  const inside = glob.slice(open + 1, close);
  if (close < 0 || inside.includes('{') || !inside.includes(',')) return usable([outside]);
  // What is before and after the braces makes each alternative longer.
  const head = glob.slice(0, open);
  const tail = glob.slice(close + 1).replace(/\{.*/s, '*');
  const alternatives = inside.split(',').map((alternative) => rarest(runs(head + alternative + tail)));
  return usable(alternatives) ?? usable([outside]);
}

const CLASS = /\[[^\][\\/{},]+\]/g;
const LONG_ENOUGH = 4;

/** Runs of characters that stand for themselves. A slash beside `**` may be left out of the text. */
function runs(glob: string): readonly string[] {
  return glob.split(/\/?\*{2,}\/?|[*?]/);
}

/** The one that is likely to be in the fewest paths: the longest, but `/.ssh` rather than `/home/`. */
function rarest(texts: readonly string[]): string {
  let best = '';
  let most = 0;
  for (const text of texts) {
    const rarity = text.length + (text.includes('.') ? 3 : 0);
    if (rarity <= most) continue;
    best = text;
    most = rarity;
  }
  return best;
}

function usable(literals: readonly string[]): readonly string[] | undefined {
  return literals.includes('') ? undefined : literals;
}
