import {
  type CharSet,
  CLASSES,
  isHalf,
  type Place,
  parseSmallRegex,
  type SmallNode,
  Unknown,
} from './small-regex-syntax.ts';

/** A regular expression that needs no engine. */
export interface SmallRegex {
  /** Instructions; a test takes no more steps than these times the characters of the text and one. */
  readonly size: number;
  /** Whether it matches somewhere in the text; undefined for a text that only the engine can tell. */
  readonly test: (text: string) => boolean | undefined;
}

type Instruction =
  | { readonly op: 'set'; readonly set: CharSet }
  | { readonly op: 'place'; readonly place: Place }
  | { readonly op: 'match' }
  /** Goes on in one place or in two. */
  | { readonly op: 'go'; readonly to: readonly number[] };

const MAX_SIZE = 200;
/** What is written out of it, parts without a width too: these may be repeated inside each other. */
const MAX_PARTS = 1_000;

/**
 * Compiles a regular expression that only uses what everybody knows, and means by it what the engine means. Loading the engine takes
 * longer than all else that judging one call takes, so it is for short texts that are tested a few times. Undefined for any other source.
 */
export function smallRegex(source: string): SmallRegex | undefined {
  try {
    const { tree, fold } = parseSmallRegex(source);
    const program = programOf(tree);
    return { size: program.length, test: testerOf(program, fold) };
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

function programOf(tree: SmallNode): readonly Instruction[] {
  const program: Instruction[] = [];
  let parts = 0;
  emit(tree);
  program.push({ op: 'match' });
  return program;

  function fork(...to: number[]): number[] {
    program.push({ op: 'go', to });
    return to;
  }

  function emit(node: SmallNode): void {
    parts += 1;
    if (parts > MAX_PARTS || program.length > MAX_SIZE) throw new Unknown();
    if (node.type === 'set') program.push({ op: 'set', set: node.set });
    else if (node.type === 'place') program.push({ op: 'place', place: node.place });
    else if (node.type === 'all') node.items.forEach(emit);
    else if (node.type === 'one of') emitBranches(node.items);
    else emitRepeat(node);
  }

  function emitBranches(items: readonly SmallNode[]): void {
    const starts = fork();
    const ends = items.map((item) => {
      starts.push(program.length);
      emit(item);
      return fork();
    });
    for (const end of ends) end.push(program.length);
  }

  function emitRepeat({ body, min, max }: Extract<SmallNode, { type: 'repeat' }>): void {
    for (let time = 0; time < min; time += 1) emit(body);
    const isEndless = max === Number.POSITIVE_INFINITY;
    const exits: number[][] = [];
    for (let time = min; time < (isEndless ? min + 1 : max); time += 1) {
      const start = program.length;
      exits.push(fork(start + 1));
      emit(body);
      if (isEndless) fork(start);
    }
    for (const exit of exits) exit.push(program.length);
  }
}

/** Follows all ways through the program at once, character by character. */
function testerOf(program: readonly Instruction[], fold: boolean): SmallRegex['test'] {
  const first = program[0];
  const isAnchored = first?.op === 'place' && first.place === 'start';
  return (text) => {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      // Outside of ASCII, letters have more than one other case.
      if (fold ? code > 0x7f : isHalf(code)) return undefined;
    }
    const reached: number[] = program.map(() => -1);
    let here: number[] = [];
    for (let at = 0; at <= text.length; at += 1) {
      if (at === 0 || !isAnchored) enter(0, at, here);
      if (here.at(-1) === MATCHED) return true;
      if (here.length === 0 && isAnchored) return false;
      if (at === text.length) return false;
      const code = text.charCodeAt(at);
      const next: number[] = [];
      for (const index of here) {
        const step = program[index];
        if (step?.op === 'set' && has(step.set, code)) enter(index + 1, at + 1, next);
      }
      here = next;
    }
    return false;

    /** Adds the instructions that read the character there, on all ways from one instruction. */
    function enter(start: number, at: number, into: number[]): void {
      if (into.at(-1) === MATCHED) return;
      const open = [start];
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        if (reached[index] === at) continue;
        reached[index] = at;
        const step = program[index];
        if (step?.op === 'set') into.push(index);
        else if (step?.op === 'go') open.push(...step.to);
        else if (step?.op === 'match') {
          into.push(MATCHED);
          return;
        } else if (step !== undefined && isAt(step.place, text, at)) open.push(index + 1);
      }
    }
  };
}

const MATCHED = -1;

function has({ negated, ranges }: CharSet, code: number): boolean {
  for (let index = 0; index < ranges.length; index += 2)
    if (code >= (ranges[index] ?? 0) && code <= (ranges[index + 1] ?? 0)) return !negated;
  return negated;
}

function isAt(place: Place, text: string, at: number): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === text.length;
  const isBoundary = isWordUnit(text, at - 1) !== isWordUnit(text, at);
  return isBoundary === (place === 'boundary');
}

function isWordUnit(text: string, at: number): boolean {
  return at >= 0 && at < text.length && has(CLASSES['w'] as CharSet, text.charCodeAt(at));
}
