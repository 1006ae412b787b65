import { buildLiteralIndex, type LiteralIndex } from '../../lib/literal-index.ts';
import { checkTime } from '../../lib/time-limit.ts';
import { TOKEN_ROWS } from '../generated/token-rows.ts';
import { ASSIGNED_SECRETS } from './assignments.ts';
import { BOT_TOKENS } from './bot-tokens.ts';
import { ALL_PERSONAL, PERSONAL_DETECTORS } from './personal-data.ts';
import { PRIVATE_KEYS } from './private-key.ts';
import { namesSecretProgram } from './secret-programs.ts';
import { hasCommand, type Redacted, type SecretFinder, type SecretSpan } from './secret-span.ts';
import { type PhraseForm, phraseFinder, type TokenForm, tokenFinder, URL_PASSWORDS } from './token-finder.ts';

/** One kind of secret that can be found in a text. */
export interface SecretDetector {
  readonly name: string;
  readonly summary: string;
}

/** A row of `programs/secrets/tokens.yaml`. */
interface Row {
  readonly summary: string;
  readonly owner?: string;
  readonly tokens?: readonly TokenForm[];
  readonly phrases?: readonly PhraseForm[];
}

/** The name for every detector. */
export const ALL_SECRETS = 'secrets';

/** The more specific ones first. `owners`: services whose tokens the names of variables tell alone. */
const ROWS = JSON.parse(TOKEN_ROWS) as {
  readonly detectors: Readonly<Record<string, Row>>;
  readonly owners: readonly string[];
};

/** Secrets that no row can describe. */
const FOUND_BY_CODE: Readonly<Record<string, readonly SecretFinder[]>> = {
  'private-key': [PRIVATE_KEYS],
  service: BOT_TOKENS,
  'basic-auth-url': [URL_PASSWORDS],
  assignment: [ASSIGNED_SECRETS],
  'command-line': [{ literals: [], find: findCommandSecrets }],
};

interface NamedSpan extends SecretSpan {
  readonly name: string;
  readonly rank: number;
}

interface Indexed {
  readonly name: string;
  readonly owner: string | undefined;
  /** Lower for detectors that are more specific. */
  readonly rank: number;
  readonly finder: SecretFinder;
}

const FINDERS: readonly Indexed[] = Object.entries(ROWS.detectors).flatMap(([name, row], rank) => {
  const { owner, tokens = [], phrases = [] } = row;
  const finders = [...tokens.map(tokenFinder), ...(FOUND_BY_CODE[name] ?? []), ...phrases.map(phraseFinder)];
  return finders.map((finder) => ({ name, owner: finder.owner ?? owner, rank, finder }));
});

/** The services that are known to have tokens. */
export const OWNERS: readonly string[] = [
  ...new Set([...FINDERS.flatMap(({ owner }) => owner ?? []), ...ROWS.owners]),
];

/** The services that issued the tokens in a text, as far as their form tells. */
export function ownersIn(text: string): readonly string[] {
  const owners = new Set<string>();
  eachLikely(text, ({ owner, finder }) => {
    if (owner !== undefined && finder.find(text).length > 0) owners.add(owner);
  });
  return [...owners];
}

export const SECRET_FINDERS: readonly SecretFinder[] = FINDERS.map(({ finder }) => finder);

/** Building the index takes longer than looking through a text of this many UTF-16 units. */
const MAX_UNINDEXED_LENGTH = 16_384;
let index: LiteralIndex<Indexed> | undefined;
/** Of a text in Chinese or with arrows nothing else becomes a letter of ASCII. */
const FOLDS_INTO_ASCII = /[\u0130\u017f\u212a]/;

/** Visits the finders that a text is worth showing to. */
function eachLikely(text: string, visit: (finder: Indexed) => void): void {
  if (text.length > MAX_UNINDEXED_LENGTH) {
    index ??= buildLiteralIndex(
      FINDERS.map((item) => ({ literals: item.finder.literals, fold: true, item })),
      FOLDS_INTO_ASCII,
    );
    index.find(text, visit);
    for (const item of FINDERS) if (item.finder.literals.length === 0) visit(item);
    return;
  }
  const lower = text.toLowerCase();
  for (const item of FINDERS) {
    if (item.finder.literals.length === 0 || item.finder.literals.some((literal) => lower.includes(literal)))
      visit(item);
  }
}

/** Every detector. `secrets` in place of a name means all of them. */
export const SECRET_DETECTORS: readonly SecretDetector[] = Object.entries(ROWS.detectors).map(
  ([name, { summary }]) => ({ name, summary }),
);

/** Every detector, those of personal data included. */
export const DETECTORS: readonly SecretDetector[] = [...SECRET_DETECTORS, ...PERSONAL_DETECTORS];

/** Every name that a policy may give: those of groups, and of each detector. */
export const DETECTOR_NAMES: readonly string[] = [
  ALL_SECRETS,
  ALL_PERSONAL,
  ...DETECTORS.map(({ name }) => name),
];

/** True for a detector's name, and for `secrets` and `personal`. */
export function isDetector(name: string): boolean {
  return DETECTOR_NAMES.includes(name);
}

/** @see {redactSecrets} */
export function redactBy(text: string, detectors: readonly string[] = [ALL_SECRETS]): Redacted {
  const unknown = detectors.find((name) => !isDetector(name));
  if (unknown !== undefined) throw new Error(`Cannot redact "${unknown}": there is no such detector`);
  const wanted = detectors.includes(ALL_SECRETS) ? undefined : detectors;
  const spans: NamedSpan[] = [];
  eachLikely(text, ({ name, rank, finder }) => {
    checkTime();
    if (wanted !== undefined && !wanted.includes(name)) return;
    for (const span of finder.find(text)) {
      checkTime();
      if (!hasCommand(text.slice(span.start, span.end))) spans.push({ ...span, name, rank });
    }
  });
  for (const { name, find } of PERSONAL_DETECTORS) {
    if (!detectors.includes(name) && !detectors.includes(ALL_PERSONAL)) continue;
    checkTime();
    for (const span of find(text)) spans.push({ ...span, name, rank: FINDERS.length + spans.length });
  }
  if (spans.length === 0) return { text, found: [] };
  const merged = mergeOverlaps(spans);
  let redacted = '';
  let from = 0;
  for (const { start, end, name } of merged) {
    redacted += `${text.slice(from, start)}[redacted:${name}]`;
    from = end;
  }
  return { text: redacted + text.slice(from), found: [...new Set(merged.map((span) => span.name))] };
}

/** Loaded with the rows: few texts have a command with a secret. */
function findCommandSecrets(text: string): readonly SecretSpan[] {
  if (!namesSecretProgram(text)) return [];
  const { findCommandSecrets: find } =
    require('./command-secrets.ts') as typeof import('./command-secrets.ts');
  return find(text);
}

/** Overlapping spans become one with the name of the most specific detector. */
function mergeOverlaps(spans: readonly NamedSpan[]): readonly NamedSpan[] {
  const merged: NamedSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
    } else {
      const { name, rank } = span.rank < last.rank ? span : last;
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), name, rank };
    }
  }
  return merged;
}
