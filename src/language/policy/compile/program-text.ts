import { fastHash } from '../../../lib/digest.ts';
import type { Rule } from '../../../model/policy.ts';
import type { CompiledSet } from './compiled-set.ts';

/** A file that a set extends, as it was when the set was compiled. */
export interface ExtendedFile {
  /** The path at which it was looked for. */
  readonly at: string;
  /** The same without links. */
  readonly path: string;
  readonly root: string | null;
  readonly digest: string;
}

/** A data file of a set, as it was when the set was compiled. */
export interface DataFile {
  /** The path at which it was looked for. */
  readonly at: string;
  /** The folder that it must lie in, null for any place. */
  readonly root: string | null;
  /** The digest of its text, or why there is none. */
  readonly state: string;
}

/** A folder of which a set extends policy files, as it was when the set was compiled. */
export interface ExtendedFolder {
  /** The path at which it was looked for. */
  readonly at: string;
  /** The folder that it must lie in, null for any place. */
  readonly root: string | null;
  /** How many levels of folders below it were looked into, null for all. */
  readonly levels: number | null;
  /** The digest of the names that were found. */
  readonly state: string;
}

/** A compiled set, as it is kept for the next process. */
export interface KeptSet {
  readonly set: CompiledSet;
  /** Files beside those that were discovered; they must still be there and say the same. */
  readonly extended: readonly ExtendedFile[];
  /** Folders, which must still hold policy files of the same names. */
  readonly folders: readonly ExtendedFolder[];
  /** Locks of sources, which must still say the same. */
  readonly locks: readonly DataFile[];
  /** Data files, which must still say the same, or still not be there. */
  readonly data: readonly DataFile[];
}

const FORMAT = 'policy-set-6';

/** Parts of rules that are kept as texts, a line for each rule: nearly all rules are ruled out without them. */
const DECODED_LATER = ['when', 'params', 'position'] as const satisfies readonly (keyof Rule)[];
type DecodedLater = Pick<Rule, (typeof DECODED_LATER)[number]>;

/** The text of a compiled set for the cache: its digest, a line for the whole set, then the parts that are decoded later. */
export function keptText(kept: KeptSet): string {
  const { rules } = kept.set;
  const first = rules.map(({ when, params, position, ...rule }) => rule);
  const later = rules.map(({ when, params, position }) => ({ when, params, position }));
  const lines = [{ ...kept, set: { ...kept.set, rules: first } }, ...later].map((part) =>
    JSON.stringify(part),
  );
  const text = lines.join('\n');
  return `${FORMAT} ${fastHash(text)}\n${text}`;
}

/** The compiled set in a text of the cache; undefined if the text is not whole or of another format. */
export function readKept(text: string): KeptSet | undefined {
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end === -1 || text.slice(0, end) !== `${FORMAT} ${fastHash(body)}`) return undefined;
  const [first = '', ...later] = body.split('\n');
  const kept = JSON.parse(first) as KeptSet;
  for (const [index, rule] of kept.set.rules.entries()) {
    texts.set(rule, later[index] ?? '');
    Object.defineProperties(rule, DECODERS);
  }
  return kept;
}

const texts = new WeakMap<object, string>();

/** The same for all rules: a function for each would take as much memory as it saves. */
const DECODERS = Object.fromEntries(DECODED_LATER.map((key) => [key, decoderOf(key)]));

/** Puts the values of a rule instead of their text once one of them is asked for. */
function decoderOf(key: keyof DecodedLater): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: object) {
      const decoded = JSON.parse(texts.get(this) ?? '') as DecodedLater;
      for (const each of DECODED_LATER)
        Object.defineProperty(this, each, { value: decoded[each], enumerable: true, configurable: true });
      return decoded[key];
    },
  };
}
