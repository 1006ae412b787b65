import { type CharSet, charSetOf, charSetOfChar, isSurrogate, WORD } from './char-set.ts';
import { type Anchor, parseRegex, type RegexFault, type RegexNode } from './regex-syntax.ts';

/** A regular expression that runs without the engine. */
export interface SmallRegex {
  /** The number of instructions; a test takes at most this times (characters + 1) steps. */
  readonly size: number;
  /** True if it matches somewhere in the text; undefined for a text that needs the engine. */
  readonly test: (text: string) => boolean | undefined;
}

type Instruction =
  | { readonly op: 'set'; readonly set: CharSet }
  | { readonly op: 'place'; readonly place: Anchor }
  | { readonly op: 'match' }
  /** Continues at one or two instructions. */
  | { readonly op: 'go'; readonly to: readonly number[] };

const MAX_SOURCE = 1_000;
const MAX_TIMES = 50;
const MAX_SIZE = 200;
/** The limit of the expanded parts, including those without a width, which may repeat inside each other. */
const MAX_PARTS = 1_000;
/** Names of groups and escapes of odd characters, which the tree does not show. */
const LEFT_TO_ENGINE = /\(\?P?<|\\[^!-~]/;

/** Leaves a source to the engine. */
class Unknown extends Error {}

/** Compiles plain syntax with the engine's meaning, for a few tests of short texts: loading the engine is slow. Else undefined. */
export function smallRegex(
  source: string,
  tree: RegexNode | RegexFault = parseRegex(source),
): SmallRegex | undefined {
  if (!('type' in tree) || source.length > MAX_SOURCE || LEFT_TO_ENGINE.test(source)) return undefined;
  try {
    const { program, folds } = programOf(tree);
    return { size: program.length, test: testerOf(program, folds) };
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

/** The instructions, and whether one of them ignores case. */
function programOf(tree: RegexNode): { readonly program: readonly Instruction[]; readonly folds: boolean } {
  const program: Instruction[] = [];
  let parts = 0;
  let folds = false;
  emit(tree);
  program.push({ op: 'match' });
  return { program, folds };

  function fork(...to: number[]): number[] {
    program.push({ op: 'go', to });
    return to;
  }

  function emit(node: RegexNode): void {
    parts += 1;
    if (parts > MAX_PARTS || program.length > MAX_SIZE) throw new Unknown();
    switch (node.type) {
      case 'char':
        emitSet(charSetOfChar(node.text, node.fold), node.fold);
        break;
      case 'any':
        emitSet(charSetOf(node.written, node.fold), node.fold);
        break;
      case 'empty':
        if (node.anchor === undefined) throw new Unknown();
        program.push({ op: 'place', place: node.anchor });
        break;
      case 'group':
        emit(node.body);
        break;
      case 'concat':
        node.items.forEach(emit);
        break;
      case 'alternate':
        emitBranches(node.branches);
        break;
      case 'repeat':
        emitRepeat(node);
    }
  }

  function emitSet(set: CharSet | undefined, fold: boolean): void {
    if (set === undefined) throw new Unknown();
    program.push({ op: 'set', set });
    folds ||= fold;
  }

  function emitBranches(items: readonly RegexNode[]): void {
    const starts = fork();
    const ends = items.map((item) => {
      starts.push(program.length);
      emit(item);
      return fork();
    });
    for (const end of ends) end.push(program.length);
  }

  function emitRepeat({ body, min, max }: Extract<RegexNode, { type: 'repeat' }>): void {
    // Parts that repeat without a width, twice or never are left to the engine.
    const isOdd = body.type === 'empty' || body.type === 'repeat' || max === 0;
    if (isOdd || min > MAX_TIMES || max < min) throw new Unknown();
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

/** Follows all paths through the program at once, character by character. */
function testerOf(program: readonly Instruction[], folds: boolean): SmallRegex['test'] {
  const first = program[0];
  const isAnchored = first?.op === 'place' && first.place === 'start';
  return (text) => {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      // Outside of ASCII, letters have more than one other case.
      if (folds ? code > 0x7f : isSurrogate(code)) return undefined;
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

    /** Adds the instructions that are reachable from one instruction and read the character there. */
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

function isAt(place: Anchor, text: string, at: number): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === text.length;
  const isBoundary = isWordUnit(text, at - 1) !== isWordUnit(text, at);
  return isBoundary === (place === 'boundary');
}

function isWordUnit(text: string, at: number): boolean {
  return at >= 0 && at < text.length && has(WORD, text.charCodeAt(at));
}
