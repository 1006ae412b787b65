import { closest } from '../lib/closest.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LAYERS, type Rule, type RuleException } from '../model/policy.ts';
import type { ExceptionDraft } from './file-draft.ts';
import { problem, warning } from './problem.ts';
import type { SetFile } from './resolve.ts';
import { TRUSTED_LAYERS } from './trusted-layers.ts';

/**
 * Gives the policies of a set the exceptions that its files have. Files of the user and the organisation reach the packs
 * that are always loaded and the policies of their own layer and lower ones; nobody reaches what is locked.
 */
export function withExceptions(
  files: readonly SetFile[],
  rules: readonly Rule[],
  diagnostics: Diagnostic[],
  warnings: Diagnostic[],
): readonly Rule[] {
  const drafts = files.flatMap(({ draft, layer }) =>
    (draft.exceptions ?? []).map((exception) => ({ exception, layer })),
  );
  if (drafts.length === 0) return rules;
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const found = new Map<string, RuleException[]>();
  for (const { exception, layer } of drafts) {
    const { policy, ...rest } = exception;
    const rule = byId.get(policy.text);
    const refused = (why: string, hint: string) => {
      const message = `Cannot except calls from "${policy.text}": ${why}; the exception has no effect`;
      warnings.push(warning('exception', policy.position, message, hint));
    };
    if (!TRUSTED_LAYERS.includes(layer))
      refused(`this is a ${layer} file`, 'only the user and the organisation can');
    else if (rule === undefined) diagnostics.push(...slip(exception, byId));
    else if (rule.locked === true)
      refused('it is locked', 'ask for a change of the policy, or take the exception out');
    else if (rule.layer !== 'builtin' && LAYERS.indexOf(rule.layer) < LAYERS.indexOf(layer))
      refused(`it belongs to the layer "${rule.layer}", which is above`, 'write it in a file of that layer');
    else found.set(rule.id, [...(found.get(rule.id) ?? []), rest]);
  }
  return rules.map((rule) => {
    const exceptions = found.get(rule.id);
    return exceptions === undefined ? rule : { ...rule, exceptions };
  });
}

/** A policy of another project is not here; but where its file is, the id must be right. */
function slip({ policy }: ExceptionDraft, byId: ReadonlyMap<string, Rule>): readonly Diagnostic[] {
  const near = closest(policy.text, byId.keys());
  const file = policy.text.slice(0, policy.text.indexOf('/') + 1);
  const isHere = file !== '' && [...byId.keys()].some((id) => id.startsWith(file));
  if (file !== '' && !isHere) return [];
  const message = `Cannot except calls from "${policy.text}": there is no such policy`;
  const hint = near === undefined ? 'name it as file-name/policy-id' : `did you mean "${near}"?`;
  return [problem('exception', policy.position, message, hint)];
}
