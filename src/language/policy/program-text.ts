import { fastHash } from '../../lib/fast-hash.ts';
import type { CompiledSet } from './compiled-set.ts';

/** A file that a set extends, as it was when the set was compiled. */
export interface ExtendedFile {
  /** Where it was looked for. */
  readonly at: string;
  /** The same without links. */
  readonly path: string;
  readonly root: string | null;
  readonly digest: string;
}

/** A data file of a set, as it was when the set was compiled. */
export interface DataFile {
  /** Where it was looked for. */
  readonly at: string;
  /** The folder that it must lie in, null for any place. */
  readonly root: string | null;
  /** The digest of its text, or why there is none. */
  readonly state: string;
}

/** A folder of which a set extends policy files, as it was when the set was compiled. */
export interface ExtendedFolder {
  /** Where it was looked for. */
  readonly at: string;
  /** The folder that it must lie in, null for any place. */
  readonly root: string | null;
  /** How many levels of folders below it were looked into, null for all. */
  readonly levels: number | null;
  /** The digest of the names that were found. */
  readonly state: string;
}

/** What is kept of a compiled set for the next process. */
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

const FORMAT = 'policy-set-5';

/** Parts of rules that are kept as texts inside of the text: nearly all rules are ruled out without them. */
const DECODED_LATER = ['when', 'params'] as const;

/** The text of a compiled set for the cache. */
export function keptText(kept: KeptSet): string {
  const rules = kept.set.rules.map((rule) => ({
    ...rule,
    ...Object.fromEntries(DECODED_LATER.map((key) => [key, JSON.stringify(rule[key])])),
  }));
  const json = JSON.stringify({ ...kept, set: { ...kept.set, rules } });
  return `${FORMAT} ${fastHash(json)}\n${json}`;
}

/** The compiled set in a text of the cache; undefined if the text is not whole or of another format. */
export function readKept(text: string): KeptSet | undefined {
  const end = text.indexOf('\n');
  const json = text.slice(end + 1);
  if (end === -1 || text.slice(0, end) !== `${FORMAT} ${fastHash(json)}`) return undefined;
  const kept = JSON.parse(json) as KeptSet;
  for (const rule of kept.set.rules) {
    texts.set(rule, { when: String(rule.when), params: String(rule.params) });
    Object.defineProperties(rule, DECODERS);
  }
  return kept;
}

const texts = new WeakMap<object, Readonly<Record<(typeof DECODED_LATER)[number], string>>>();

/** The same for all rules: a function for each would take as much memory as what it saves. */
const DECODERS = Object.fromEntries(DECODED_LATER.map((key) => [key, decoderOf(key)]));

/** Puts a value in the place of its text once it is asked for. */
function decoderOf(key: (typeof DECODED_LATER)[number]): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: object) {
      const value: unknown = JSON.parse(texts.get(this)?.[key] ?? '');
      Object.defineProperty(this, key, { value, enumerable: true, configurable: true });
      return value;
    },
  };
}
