import { CODE, NUMBERS } from './code-contexts.ts';
import type { Context, Kind } from './context.ts';
import { Random } from './random.ts';
import { BEHIND, COMMANDS, COMPOUND, SUM_PLACES, TEXT_PLACES, WORD_PLACES } from './statement-contexts.ts';
import { SUBSTITUTIONS, WORD_PARTS } from './word-contexts.ts';

/** A context, and the seed of the choices in it. */
interface Link {
  readonly context: Context;
  readonly seed: number;
}

/** Contexts inside each other, around one marker command. */
export type Chain = readonly Link[];

/** A change of the text at a part of its length: something put in, or the next sign taken out. */
interface Edit {
  readonly part: number;
  /** What is put in; undefined if something is taken out. */
  readonly text: string | undefined;
}

/** How a script is made: chains one after the other, then changes. */
export interface Recipe {
  readonly index: number;
  readonly chains: readonly Chain[];
  readonly edits: readonly Edit[];
}

/** A script with its marker commands: the words that they echo. */
export interface Script {
  readonly recipe: Recipe;
  readonly text: string;
  readonly markers: readonly string[];
}

/** What may hold what; the groups are equally likely. */
const GROUPS: Readonly<Record<Kind, readonly (readonly Context[])[]>> = {
  statements: [COMPOUND, BEHIND, WORD_PLACES, WORD_PLACES, SUM_PLACES, TEXT_PLACES, ...CODE, NUMBERS],
  word: byKind('word'),
  quoted: byKind('quoted'),
  sum: byKind('sum'),
};

const ALL = [
  ...COMPOUND,
  ...BEHIND,
  ...WORD_PLACES,
  ...SUM_PLACES,
  ...TEXT_PLACES,
  ...CODE.flat(),
  ...NUMBERS,
  ...COMMANDS,
  ...[...SUBSTITUTIONS, ...WORD_PARTS],
];

function byKind(kind: Kind): readonly (readonly Context[])[] {
  const parts = WORD_PARTS.filter(({ is }) => is === kind);
  return [SUBSTITUTIONS.filter(({ is }) => is === kind), parts, parts];
}

const MAX_LINKS = 5;
/** What is put into texts. `MARKER` is a marker of its own. */
const INSERTED: readonly string[] = [
  ...'[]{}()$"\'`#\\;&|<>!=~*?@+^%,: \n\t\v\f\r\u00a0\u2003\ufeffé',
  ...['$(', '${', '<(', '$((', '))', '\\\n', '[[', ']]', '""', "''"],
];
const INSERTED_COMMANDS: readonly string[] = [
  '$(echo MARKER >&9)',
  '`echo MARKER >&9`',
  '<(echo MARKER >&9)',
  '"$(echo MARKER >&9)"',
  '${u:-$(echo MARKER >&9)}',
  '\necho MARKER >&9\n',
  ';echo MARKER >&9;',
  '(echo MARKER >&9)',
  '|echo MARKER >&9 ',
  '$((`echo MARKER >&9`))',
];
/** What is taken out of texts: signs that names of files do not hold. */
const TAKEN_OUT = /[[\]{}()$"'`#\\;&|<>!=\s]/g;

/** The script of an index. The same seed and index give the same script. */
export function recipeOf(seed: number, index: number): Recipe {
  const random = new Random(seed, index);
  const chains = Array.from({ length: random.below(4) === 0 ? 2 : 1 }, () => newChain(random));
  const edits = Array.from({ length: random.below(2) === 0 ? 1 + random.below(2) : 0 }, () =>
    newEdit(random),
  );
  return { index, chains, edits };
}

function newEdit(random: Random): Edit {
  const part = random.below(10_000) / 10_000;
  switch (random.below(4)) {
    case 0:
      return { part, text: undefined };
    case 1:
      return { part, text: random.pick(INSERTED_COMMANDS) };
    default:
      return { part, text: random.pick(INSERTED) };
  }
}

function newChain(random: Random): Chain {
  const length = 1 + random.below(MAX_LINKS - 1);
  const links: Link[] = [];
  let kind: Kind = 'statements';
  while (links.length < length || kind !== 'statements') {
    const group: readonly Context[] =
      links.length < length - 1 || kind === 'statements'
        ? random.pick(GROUPS[kind])
        : SUBSTITUTIONS.filter(({ is }) => is === kind);
    const context = random.pick(group);
    links.push({ context, seed: random.below(2 ** 31) });
    kind = context.holds;
  }
  if (random.below(3) === 0) links.push({ context: random.pick(COMMANDS), seed: random.below(2 ** 31) });
  return links;
}

/** Writes the script of a recipe. */
export function scriptOf(recipe: Recipe): Script {
  const marker = (number: number) => `m${recipe.index}x${number}`;
  const { chains, edits } = recipe;
  const text = edits.reduce(
    (before, edit, at) => edited(before, edit, marker(chains.length + at)),
    chains.map((chain, at) => render(chain, `echo ${marker(at)} >&9`)).join('\n'),
  );
  return { recipe, text, markers: [...chains, ...edits].map((_, at) => marker(at)) };
}

function edited(before: string, { part, text }: Edit, marker: string): string {
  const at = Math.floor(part * before.length);
  if (text !== undefined) return before.slice(0, at) + text.replace('MARKER', marker) + before.slice(at);
  TAKEN_OUT.lastIndex = at;
  const found = TAKEN_OUT.exec(before);
  return found === null ? before : before.slice(0, found.index) + before.slice(found.index + 1);
}

function render(chain: Chain, command: string): string {
  return chain.reduceRight((inner, { context, seed }) => context.around(inner, new Random(seed)), command);
}

/** The names of the contexts that a marker is in, outermost first. */
export function classOf({ chains, edits }: Recipe): string {
  const names = chains.map((chain) => chain.map(({ context }) => context.name).join(' > '));
  const changes = edits.map(({ text }) => (text === undefined ? ' - a sign' : ` + ${JSON.stringify(text)}`));
  return names.join(' ; ') + changes.join('');
}

/** The contexts that a context may give way to in a smaller script: those first in their kind. */
function simpler(context: Context): readonly Context[] {
  const alike = ALL.filter(({ is, holds }) => is === context.is && holds === context.holds);
  return alike.slice(0, Math.min(alike.indexOf(context), 4));
}

/** Recipes with one part less, or one that is simpler. */
export function smaller(recipe: Recipe): readonly Recipe[] {
  const without = <T>(list: readonly T[], from: number, to = from + 1) => [
    ...list.slice(0, from),
    ...list.slice(to),
  ];
  const { chains, edits } = recipe;
  const found: Recipe[] = [];
  for (const at of edits.keys()) found.push({ ...recipe, edits: without(edits, at) });
  for (const [at, chain] of chains.entries()) {
    if (chains.length > 1) found.push({ ...recipe, chains: without(chains, at) });
    for (let from = 0; from < chain.length; from++) {
      for (let to = chain.length; to > from; to--) {
        if (chain[from]?.context.is !== chain[to - 1]?.context.holds) continue;
        found.push({ ...recipe, chains: chains.with(at, without(chain, from, to)) });
      }
    }
  }
  for (const [at, chain] of chains.entries()) {
    for (const [place, { context, seed }] of chain.entries()) {
      for (const other of simpler(context)) {
        found.push({ ...recipe, chains: chains.with(at, chain.with(place, { context: other, seed })) });
      }
    }
  }
  return found;
}
