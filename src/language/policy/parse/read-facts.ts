import { didYouMean } from '../../../lib/closest.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import type { Diagnostic, Position, SpecProblem } from '../../../model/diagnostic.ts';
import { withFacts } from '../../keys/history/fact-places.ts';
import {
  definitionSpec,
  type FactDefinition,
  factDefinition,
  factProblems,
} from '../../keys/history/fact-spec.ts';
import { MATCHER_TABLE } from '../../keys/registry.ts';
import { inAskingOrder } from '../../keys/when.ts';
import { problem } from '../yaml/problem.ts';
import { problemsAt } from '../yaml/problems-at.ts';
import type { YamlPath } from '../yaml/yaml.ts';
import { keyEventProblems } from './check-policy.ts';
import type { FactDraft, FactReference } from './file-draft.ts';
import { entriesIn, type FileReading, takeCost } from './file-reading.ts';

/** Reads the section `facts`; those with problems are left out. */
export function readFacts(reading: FileReading): readonly FactDraft[] {
  const { document, diagnostics } = reading;
  const take = takeCost('fact', reading);
  return entriesIn(reading, 'facts').flatMap(([name, spec]): readonly FactDraft[] => {
    const base = ['facts', name];
    const position = document.positionOf(base, 'key');
    if (!isJsonObject(spec) || !take(spec, position)) return [];
    const { when, outcome } = factDefinition(spec, name);
    const found = problemsAt(document, base, [
      ...factProblems(spec, MATCHER_TABLE).map(
        (each): SpecProblem => (each.path.length > 0 ? each : { ...each, at: 'key' }),
      ),
      ...keyEventProblems(when, ['before_tool']),
    ]);
    diagnostics.push(...found);
    if (found.length > 0) return [];
    return [{ name, when: inAskingOrder(when, MATCHER_TABLE), outcome, position }];
  });
}

/**
 * Matching keys with the facts that they name of their own file written out, so that a policy holds all that it goes by. Those of
 * other files are left to the set.
 *
 * @param positionOf the position of a part of the matching keys
 * @param others receives the facts to look up in other files
 */
export function withOwnFacts(
  when: JsonObject,
  facts: readonly FactDraft[],
  declared: readonly string[],
  positionOf: (path: YamlPath) => Position,
  others: (reference: FactReference) => void,
  diagnostics: Diagnostic[],
): JsonObject {
  return withFacts(when, (fact, { path }) => {
    if (isJsonObject(fact)) return definitionSpec(inOrder(factDefinition(fact)));
    const text = String(fact);
    const own = facts.find(({ name }) => name === text);
    if (own !== undefined) return definitionSpec(own);
    const position = positionOf(path);
    if (text.includes('/')) others({ text, position });
    // The faults of a fact of this file have been reported.
    else if (!declared.includes(text)) diagnostics.push(unknownFact(text, position, declared));
    return { ref: text };
  });
}

function inOrder(definition: FactDefinition): FactDefinition {
  return { ...definition, when: inAskingOrder(definition.when, MATCHER_TABLE) };
}

/** A name that no fact has. */
export function unknownFact(text: string, position: Position, names: Iterable<string>): Diagnostic {
  const hint = didYouMean(text, names, 'add it under "facts"');
  return problem('fact', position, `Cannot use fact "${text}": there is none of that name here`, hint);
}
