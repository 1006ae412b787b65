import type { JsonObject } from '../../../lib/json.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { JudgeSpec } from '../../../model/judge.ts';
import { LAYERS, type Layer, type Rule } from '../../../model/policy.ts';
import type { JudgeDraft, NamedJudge } from '../schema/judge-draft.ts';
import { problem, warning } from '../yaml/problem.ts';
import { isAbove } from './is-above.ts';
import { judgeSpec } from './judge-spec.ts';
import type { SetFile } from './resolve.ts';
import { TRUSTED_LAYERS } from './trusted-layers.ts';

const RENAME = 'give it another name';

export interface Judges {
  /** A policy's judge with every setting that counts; says which do not. */
  readonly specOf: (draft: JudgeDraft, rule: Rule, warnings: Diagnostic[]) => JudgeSpec;
}

/** Collects the judges of all files that may define some. A name belongs to the uppermost layer that uses it. */
export function judgesIn(
  files: readonly SetFile[],
  diagnostics: Diagnostic[],
  warnings: Diagnostic[],
): Judges {
  const owners = new Map<string, { readonly layer: Layer; readonly judge: NamedJudge }>();
  for (const { layer, judge } of definitions(files)) {
    const { name, position } = judge;
    const owner = owners.get(name);
    if (!TRUSTED_LAYERS.includes(layer)) {
      const message = `Cannot define judge "${name}" in a ${layer} file: it has no effect`;
      warnings.push(
        warning('trust', position, message, 'write it in a file of the user or the organisation'),
      );
    } else if (owner === undefined) owners.set(name, { layer, judge });
    else {
      const isLower = isAbove(owner, { layer });
      const message = `Cannot define judge "${name}" again: it belongs to ${owner.judge.position.file}`;
      if (isLower)
        warnings.push(warning('duplicate-id', position, `${message}, whose settings hold`, RENAME));
      else diagnostics.push(problem('duplicate-id', position, message, RENAME));
    }
  }
  const settings = new Map(
    [...owners].map(([name, { judge }]): [string, JsonObject] => [name, judge.settings]),
  );
  return {
    specOf: (draft, rule, notes) => {
      const mayPoint = rule.layer === 'builtin' || TRUSTED_LAYERS.includes(rule.layer);
      if (!mayPoint) notes.push(...withoutEffect(draft, rule.layer));
      return judgeSpec(draft, rule.id, settings, mayPoint);
    },
  };
}

function definitions(
  files: readonly SetFile[],
): readonly { readonly layer: Layer; readonly judge: NamedJudge }[] {
  return files
    .flatMap(({ layer, draft }) => (draft.judges ?? []).map((judge) => ({ layer, judge })))
    .sort((a, b) => LAYERS.indexOf(a.layer) - LAYERS.indexOf(b.layer));
}

function withoutEffect({ places }: JudgeDraft, layer: Layer): readonly Diagnostic[] {
  return Object.entries(places).map(([key, position]) => {
    const message = `Cannot use "${key}" of a judge in a ${layer} file: it has no effect`;
    return warning('trust', position, message, 'write it in a file of the user or the organisation');
  });
}
