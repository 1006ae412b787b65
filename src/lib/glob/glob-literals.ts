/** Strings of which each matching text contains one; undefined if there are none. Found without compiling the glob. */
export function globLiterals(written: string): readonly string[] | undefined {
  const glob = written.startsWith('./') ? written.slice(2) : written;
  return PLAIN.test(glob) ? usable([rarest(runs(glob))]) : literalsAround(glob);
}

/** Most globs: the fewer patterns are run over them, the better, as there are hundreds. */
const PLAIN = /^[^\\[\]{}]*$/;

function literalsAround(written: string): readonly string[] | undefined {
  // A class may match its own text as well.
  const glob = written.replace(CLASS, '*');
  // Escapes, other classes and ranges would have to be parsed.
  if (/[\\[\]]|\.\.[^{},]*\}/.test(glob)) return undefined;
  const outside = rarest(runs(glob.replace(/\{.*\}/s, '*')));
  if (outside.rarity >= RARE_ENOUGH || glob.replace(GROUP, '').includes('{')) return usable([outside]);
  let best = [outside];
  for (const { 0: group, 1: inside = '', index } of glob.matchAll(GROUP)) {
    if (!inside.includes(',')) continue;
    // The text before and after the braces makes each alternative longer.
    const head = glob.slice(0, index).replace(GROUP, '*');
    const tail = glob.slice(index + group.length).replace(GROUP, '*');
    const alternatives = inside.split(',').map((alternative) => rarest(runs(head + alternative + tail)));
    if (commonest(alternatives) > commonest(best)) best = alternatives;
  }
  return usable(best);
}

const CLASS = /\[[^\][\\/{},]+\]/g;
const GROUP = /\{([^{}]*)\}/g;
const RARE_ENOUGH = 8;

interface Run {
  readonly text: string;
  /** The higher, the fewer paths are likely to have it. */
  readonly rarity: number;
}

/** Runs of literal characters; a slash next to `**` is optional. Long runs, and names with a dot in or before them, are rare. */
function runs(glob: string): readonly Run[] {
  const found: Run[] = [];
  let isEnding = false;
  for (let start = 0; ; ) {
    const wild = nextWildcard(glob, start);
    const crosses = glob.startsWith('**', wild);
    const text = glob.slice(start, crosses && wild > start && glob[wild - 1] === '/' ? wild - 1 : wild);
    found.push({ text, rarity: text.length + (text.includes('.', isEnding ? 1 : 0) ? 3 : 0) });
    if (wild === glob.length) return found;
    isEnding = !crosses;
    start = wild + 1;
    while (crosses && glob[start] === '*') start += 1;
    if (crosses && glob[start] === '/') start += 1;
  }
}

function nextWildcard(glob: string, from: number): number {
  const star = glob.indexOf('*', from);
  const one = glob.indexOf('?', from);
  if (star < 0 || one < 0) return Math.max(star, one) < 0 ? glob.length : Math.max(star, one);
  return Math.min(star, one);
}

const NOTHING: Run = { text: '', rarity: 0 };

function rarest(all: readonly Run[]): Run {
  return all.reduce((best, each) => (each.rarity > best.rarity ? each : best), NOTHING);
}

function commonest(all: readonly Run[]): number {
  return Math.min(...all.map(({ rarity }) => rarity));
}

function usable(all: readonly Run[]): readonly string[] | undefined {
  return commonest(all) === 0 ? undefined : all.map(({ text }) => text);
}
