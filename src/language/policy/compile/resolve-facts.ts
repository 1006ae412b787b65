import { sha256Hex } from '../../../lib/digest.ts';
import { isJsonObject, type Json, type JsonObject, own, ownString } from '../../../lib/json.ts';
import type { Diagnostic, Position } from '../../../model/diagnostic.ts';
import type { FactRow, FactValue } from '../../../model/policy.ts';
import { DEFAULT_OUTCOMES, type FactPlace, withFacts } from '../../keys/history/fact-places.ts';
import { definitionIn, type FactDefinition } from '../../keys/history/fact-spec.ts';
import { factUse } from '../../keys/history/spec.ts';
import { dataListPaths } from '../parse/data-lists.ts';
import type { FactDraft, RuleDraft } from '../parse/file-draft.ts';
import { requirementsOf } from '../parse/normalise-policy.ts';
import { unknownFact } from '../parse/read-facts.ts';
import { problem } from '../yaml/problem.ts';
import { isAbove } from './is-above.ts';
import type { SetFile } from './resolve.ts';
import { isUntrusted } from './trusted-layers.ts';

/** The facts of a set, as its policies in force come to use them. */
export interface FactTable {
  /** The policy with the ids of its facts; undefined, with a diagnostic, if one does not exist. */
  readonly resolve: (draft: RuleDraft, file: SetFile) => RuleDraft | undefined;
  /** Takes up the facts of a policy that is in force. */
  readonly use: (when: JsonObject) => void;
  /** Those with a name that no policy uses, in files with policies of their own. */
  readonly unused: () => readonly FactDraft[];
  /** Those in use; undefined if there are none. */
  readonly rows: () => readonly FactRow[] | undefined;
}

/** Looks up the facts of a set of files. */
export function factTable(files: readonly SetFile[], diagnostics: Diagnostic[]): FactTable {
  const known = new Map<string, FactRow>();
  const used = new Map<string, FactRow>();
  const inUse = new Set<FactDraft>();
  const rowOf = (definition: FactDefinition, id: string, position: Position, file: SetFile): FactRow => {
    const digest = sha256Hex([JSON.stringify(definition.when)]).slice(0, 8);
    const row: FactRow = {
      id: `${file.layer}:${id}~${digest}`,
      position,
      layer: file.layer,
      when: definition.when,
      ...requirementsOf(definition.when),
      values: ['repository'],
      ...(isUntrusted(file) ? { untrusted: true } : {}),
    };
    known.set(row.id, row);
    return row;
  };
  const resolveFact = (
    fact: Json,
    place: FactPlace,
    draft: RuleDraft,
    file: SetFile,
  ): JsonObject | undefined => {
    const text = isJsonObject(fact) ? ownString(fact, 'ref') : undefined;
    const elsewhere = text === undefined ? undefined : factInOtherFile(text, draft, file, files, diagnostics);
    const definition = elsewhere?.fact ?? definitionIn(fact);
    if (definition === undefined) return undefined;
    const owner = elsewhere?.file ?? file;
    const { name, outcome = DEFAULT_OUTCOMES[place.ask] } = definition;
    const id = name === undefined ? `${draft.id}.${place.ask}` : `${owner.draft.name}/${name}`;
    const named = owner.draft.facts?.find((each) => each.name === name);
    if (named !== undefined) inUse.add(named);
    return { fact: rowOf(definition, id, named?.position ?? draft.position, owner).id, outcome };
  };
  return {
    resolve(draft, file) {
      let isWhole = true;
      const when = withFacts(draft.when, (fact, place) => {
        const found = resolveFact(fact, place, draft, file);
        if (found === undefined) isWhole = false;
        return found ?? fact;
      });
      if (!isWhole) return undefined;
      return when === draft.when ? draft : { ...draft, when };
    },
    use(when) {
      withFacts(when, (fact, place) => {
        const id = factUse(fact)?.fact ?? '';
        const row = used.get(id) ?? known.get(id);
        const since = known.get(factUse(own(place.spec, 'since'))?.fact ?? '');
        if (row !== undefined) used.set(id, withUse(row, place, since));
        return fact;
      });
    },
    unused: () =>
      files
        .filter(({ pack, draft }) => pack === undefined && draft.rules.length > 0)
        .flatMap(({ draft: { facts = [] } }) => facts.filter((fact) => !inUse.has(fact))),
    rows: () => (used.size === 0 ? undefined : [...used.values()]),
  };
}

/** A fact with the demands of one more policy. */
function withUse(row: FactRow, { ask, spec }: FactPlace, since: FactRow | undefined): FactRow {
  if (ask === 'from') return { ...row, carried: true };
  const count = own(spec, 'count');
  const distinct = ask === 'count' && isJsonObject(count) ? own(count, 'distinct') : undefined;
  const asked: readonly FactValue[] = [...[own(spec, 'same') ?? []].flat(), distinct ?? []]
    .flat()
    .map(String);
  // A fact that frees a call has to be about the folder of each change.
  const isTied =
    own(spec, 'not_seen') !== undefined && since !== undefined && own(since.when, 'path') !== undefined;
  const tied = !isTied ? [] : ask === 'since' ? ['folders'] : ask === 'not_seen' ? ['folder'] : [];
  const values = [...row.values, ...asked, ...tied];
  return { ...row, values: [...new Set(values)].sort() };
}

/** A fact of a file of the same layer or one above; of the same project, where that is nobody's to trust. */
function factInOtherFile(
  text: string,
  draft: RuleDraft,
  by: SetFile,
  files: readonly SetFile[],
  diagnostics: Diagnostic[],
): { readonly fact: FactDraft; readonly file: SetFile } | undefined {
  const position = by.draft.factsElsewhere?.find((each) => each.text === text)?.position ?? draft.position;
  const inReach = files.flatMap((file) => {
    const isReached = isAbove(file, by) || (file.layer === by.layer && file.root === by.root);
    return isReached ? (file.draft.facts ?? []).map((fact) => ({ fact, file })) : [];
  });
  const nameOf = ({ fact, file }: (typeof inReach)[number]) => `${file.draft.name}/${fact.name}`;
  const found = inReach.find((each) => nameOf(each) === text);
  if (found !== undefined && dataListPaths(found.fact.when).length === 0) return found;
  const below = files.find(({ draft: { name, facts = [] } }) =>
    facts.some((fact) => `${name}/${fact.name}` === text),
  );
  if (found !== undefined) {
    const message = `Cannot use fact "${text}" in another file: it reads its values out of a data file`;
    diagnostics.push(problem('fact', position, message, 'write it under "facts" of this file'));
  } else if (below !== undefined) {
    const message = `Cannot use fact "${text}" here: it is in ${below.file}, a ${below.layer} file, and this is a ${by.layer} file`;
    diagnostics.push(problem('fact', position, message, 'write it under "facts" of this file'));
  } else diagnostics.push(unknownFact(text, position, inReach.map(nameOf)));
  return undefined;
}
