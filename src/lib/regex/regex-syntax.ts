/** A regular expression. The content of a class is left as it is written. */
export type RegexNode =
  | { readonly type: 'char'; readonly text: string; readonly fold: boolean }
  | { readonly type: 'any'; readonly weight: number; readonly written: string; readonly fold: boolean }
  | { readonly type: 'empty'; readonly anchor?: Anchor }
  | { readonly type: 'group'; readonly body: RegexNode }
  | { readonly type: 'repeat'; readonly body: RegexNode; readonly min: number; readonly max: number }
  | { readonly type: 'concat'; readonly items: readonly RegexNode[] }
  | { readonly type: 'alternate'; readonly branches: readonly RegexNode[] };

/** A place in the text; those of lines are left out. */
export type Anchor = 'start' | 'end' | 'boundary' | 'no boundary';

/** Why a source is no regular expression, and where, in UTF-16 units from 0. */
export interface RegexFault {
  readonly message: string;
  readonly index: number;
}

/** The price of a Unicode class, in the engine's instructions: it has some hundred ranges. */
const UNICODE_CLASS_WEIGHT = 9;
/** Analyses that walk the tree recursively can bear this depth; nobody writes a tenth of it. */
const MAX_DEPTH = 200;

interface Level {
  readonly openedAt: number;
  readonly fold: boolean;
  readonly dotAll: boolean;
  readonly branches: RegexNode[];
  items: RegexNode[];
}

const REPEAT = /\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y;
const FLAGS = /\(\?([imsU]*)(?:-([imsU]+))?([:)])/y;
const NAMED_GROUP = /\(\?P?<[^>=!]*>/y;
const UNICODE_CLASS = /\\[pP](?:\{[^}]*\}|[\s\S])/y;
const HEX_ESCAPE = /\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/y;
const OCTAL_ESCAPE = /\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/y;
const ANCHORS: Readonly<Record<string, Anchor>> = { A: 'start', z: 'end', b: 'boundary', B: 'no boundary' };
/** A dot that takes line breaks too. */
export const ANY_CHARACTER = '(?s:.)';
const CONTROL: Readonly<Record<string, string>> = { a: '\x07', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/**
 * Parses RE2 syntax, up to 200 nested groups. It accepts more than the engine, which reports faults in classes, escapes and
 * flags.
 */
export function parseRegex(source: string): RegexNode | RegexFault {
  const stack: Level[] = [];
  let level: Level = { openedAt: 0, fold: false, dotAll: false, branches: [], items: [] };
  let fold = false;
  let dotAll = false;
  /** From the first flag that makes anchors match at lines; nobody cares where it ends. */
  let hasLines = false;
  let at = 0;

  function match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(source) ?? undefined;
  }

  function open(length: number): void {
    stack.push(level);
    level = { openedAt: at, fold, dotAll, branches: [], items: [] };
    at += length;
  }

  function add(node: RegexNode, length: number): void {
    level.items.push(node);
    at += length;
  }

  function addAny(written: string, length: number, weight = 1): void {
    add({ type: 'any', weight, written, fold }, length);
  }

  while (at < source.length) {
    const unit = source[at];
    switch (unit) {
      case '(': {
        const fault = openGroup();
        if (fault !== undefined) return fault;
        if (stack.length > MAX_DEPTH) return { message: 'groups nest too deeply', index: at - 1 };
        break;
      }
      case ')': {
        const outer = stack.pop();
        if (outer === undefined) return { message: 'closing parenthesis without an opening one', index: at };
        const body = endOf(level);
        ({ fold, dotAll } = level);
        level = outer;
        add({ type: 'group', body }, 1);
        break;
      }
      case '|':
        level.branches.push({ type: 'concat', items: level.items });
        level.items = [];
        at += 1;
        break;
      case '[': {
        const end = endOfClass(source, at);
        if (end === -1) return { message: 'missing closing bracket', index: at };
        const written = source.slice(at, end);
        addAny(written, written.length, weightOfClass(written));
        break;
      }
      case '*':
      case '+':
      case '?': {
        if (!repeatLast(unit === '+' ? 1 : 0, unit === '?' ? 1 : Number.POSITIVE_INFINITY, 1)) {
          return { message: `nothing to repeat before "${unit}"`, index: at };
        }
        break;
      }
      case '{': {
        const repeat = match(REPEAT);
        if (repeat === undefined) {
          add({ type: 'char', text: '{', fold }, 1);
          break;
        }
        const min = Number(repeat[1]);
        const max = repeat[2] === undefined ? min : Number(repeat[3] ?? Number.POSITIVE_INFINITY);
        if (!repeatLast(min, max, repeat[0].length)) {
          return { message: `nothing to repeat before "${repeat[0]}"`, index: at };
        }
        break;
      }
      case '^':
      case '$':
        add(hasLines ? { type: 'empty' } : { type: 'empty', anchor: unit === '^' ? 'start' : 'end' }, 1);
        break;
      case '.':
        addAny(dotAll ? ANY_CHARACTER : '.', 1);
        break;
      case '\\': {
        const fault = readEscape();
        if (fault !== undefined) return fault;
        break;
      }
      default: {
        const text = String.fromCodePoint(source.codePointAt(at) ?? 0);
        add({ type: 'char', text, fold }, text.length);
      }
    }
  }
  if (stack.length > 0) return { message: 'missing closing parenthesis', index: level.openedAt };
  return endOf(level);

  function openGroup(): RegexFault | undefined {
    if (source[at + 1] !== '?') {
      open(1);
      return undefined;
    }
    const lookaround = match(/\(\?(?:<?[=!])/y)?.[0];
    if (lookaround !== undefined) {
      const way = lookaround.endsWith('!')
        ? ', write what must not be there as not_regex or below "not"'
        : '';
      return { message: `lookaround is not supported by the linear-time engine${way}`, index: at };
    }
    if (source.startsWith('(?>', at)) {
      return { message: 'atomic groups are not supported by the linear-time engine', index: at };
    }
    const named = match(NAMED_GROUP);
    if (named !== undefined) {
      open(named[0].length);
      return undefined;
    }
    const flags = match(FLAGS);
    if (flags === undefined) return { message: 'unknown group syntax "(?"', index: at };
    const [whole, on = '', off = '', close] = flags;
    if (close === ':') open(whole.length);
    else at += whole.length;
    if (on.includes('m')) hasLines = true;
    if (on.includes('i')) fold = true;
    if (off.includes('i')) fold = false;
    if (on.includes('s')) dotAll = true;
    if (off.includes('s')) dotAll = false;
    return undefined;
  }

  function repeatLast(min: number, max: number, length: number): boolean {
    const body = level.items.pop();
    if (body === undefined) return false;
    add({ type: 'repeat', body, min, max }, length);
    // A question mark behind it only makes it lazy.
    if (source[at] === '?') at += 1;
    return true;
  }

  function readEscape(): RegexFault | undefined {
    const next = source[at + 1];
    if (next === undefined) return { message: 'nothing after the last backslash', index: at };
    if (next === 'Q') {
      readQuoted();
      return undefined;
    }
    const place = ANCHORS[next];
    if (place !== undefined) {
      add({ type: 'empty', anchor: place }, 2);
      return undefined;
    }
    const hex = match(HEX_ESCAPE);
    const octal = match(OCTAL_ESCAPE);
    const control = CONTROL[next];
    if (hex !== undefined) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
      if (code > 0x10ffff) addAny(hex[0], hex[0].length);
      else add({ type: 'char', text: String.fromCodePoint(code), fold }, hex[0].length);
    } else if (octal !== undefined) {
      add(
        { type: 'char', text: String.fromCodePoint(Number.parseInt(octal[0].slice(1), 8)), fold },
        octal[0].length,
      );
    } else if (/[1-9]/.test(next) || source.startsWith('\\k<', at)) {
      return { message: 'backreferences are not supported by the linear-time engine', index: at };
    } else if (next === 'p' || next === 'P') {
      const written = match(UNICODE_CLASS)?.[0] ?? source.slice(at, at + 2);
      addAny(written, written.length, UNICODE_CLASS_WEIGHT);
    } else if (control !== undefined) {
      add({ type: 'char', text: control, fold }, 2);
    } else if (/[A-Za-z]/.test(next)) {
      addAny(source.slice(at, at + 2), 2);
    } else {
      const text = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
      add({ type: 'char', text, fold }, 1 + text.length);
    }
    return undefined;
  }

  function readQuoted(): void {
    const end = source.indexOf('\\E', at + 2);
    const quoted = source.slice(at + 2, end === -1 ? source.length : end);
    for (const text of quoted) level.items.push({ type: 'char', text, fold });
    at += 2 + quoted.length + (end === -1 ? 0 : 2);
  }
}

/** ASCII characters, groups, alternatives, the escapes that everybody knows, and at most one repetition behind each. */
const PLAIN =
  /^(?:\(\?i\))?(?:(?:[^\\[\]{}()?*+\u0080-\uffff]|\\[bBdDsSwWAz]|\\[!-/:-@[-`{-~]|\((?:\?:|(?!\?))|\))(?:[*+?]\??)?)*$/;

/** True if the engine accepts the source for certain, given that `parseRegex` does. */
export function isPlainRegex(source: string): boolean {
  return PLAIN.test(source);
}

/** The most instructions that a tree can compile to, where a Unicode class counts as nine. */
export function programSizeBound(node: RegexNode): number {
  switch (node.type) {
    case 'char':
    case 'empty':
      return 1;
    case 'any':
      return node.weight;
    case 'group':
      return programSizeBound(node.body) + 2;
    case 'repeat': {
      const copies = node.max === Number.POSITIVE_INFINITY ? node.min + 1 : node.max;
      return (programSizeBound(node.body) + 1) * copies + 1;
    }
    case 'concat':
      return node.items.reduce((sum, item) => sum + programSizeBound(item), 1);
    case 'alternate':
      return node.branches.reduce((sum, branch) => sum + programSizeBound(branch) + 1, 0);
    default:
      return node satisfies never;
  }
}

function endOf(level: Level): RegexNode {
  const last: RegexNode = { type: 'concat', items: level.items };
  return level.branches.length === 0 ? last : { type: 'alternate', branches: [...level.branches, last] };
}

function weightOfClass(text: string): number {
  return 1 + (text.match(/\\[pP]/g)?.length ?? 0) * (UNICODE_CLASS_WEIGHT - 1);
}

/** The index after the bracket that closes a class, or -1. */
function endOfClass(source: string, start: number): number {
  let at = source[start + 1] === '^' ? start + 2 : start + 1;
  for (let first = true; at < source.length; first = false) {
    if (source[at] === ']' && !first) return at + 1;
    const namedEnd = source.startsWith('[:', at) ? source.indexOf(':]', at) : -1;
    if (namedEnd !== -1) {
      at = namedEnd + 2;
      continue;
    }
    const isGroup = /^\\[dDsSwWpP]/.test(source.slice(at, at + 2));
    at = endOfClassChar(source, at);
    const isRange = !isGroup && source[at] === '-' && source[at + 1] !== ']';
    if (isRange) at = endOfClassChar(source, at + 1);
  }
  return -1;
}

function endOfClassChar(source: string, at: number): number {
  if (source[at] !== '\\') return at + 1;
  return source.startsWith('\\x{', at) ? at + 3 : at + 2;
}
