import { didYouMean } from '../../../lib/closest.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Layer, Rule, RuleException } from '../../../model/policy.ts';
import type { ExceptionDraft } from '../parse/file-draft.ts';
import { warning } from '../yaml/problem.ts';
import { isAbove } from './is-above.ts';
import type { SetFile } from './resolve.ts';
import { TRUSTED_LAYERS } from './trusted-layers.ts';

/**
 * Applies the exceptions of trusted layers (`TRUSTED_LAYERS`) to policies: shipped packs and policies of the same or a lower
 * layer, but no locked ones. Those of other layers have no effect.
 */
export function withExceptions(
  files: readonly SetFile[],
  rules: readonly Rule[],
  warnings: Diagnostic[],
): readonly Rule[] {
  const drafts = files.flatMap(({ draft, layer }) =>
    (draft.exceptions ?? []).map((exception) => ({ exception, layer })),
  );
  if (drafts.length === 0) return rules;
  // Under the id that names its layer a policy is known even where nobody else has its own.
  const byId = new Map(rules.map((rule) => [`${rule.id}@${rule.layer}`, rule]));
  for (const rule of rules) byId.set(rule.id, rule);
  const found = new Map<string, RuleException[]>();
  for (const { exception, layer } of drafts) {
    const { policy, ...rest } = exception;
    const rule = byId.get(policy.text);
    const refused = (why: string, hint: string) => {
      const message = `Cannot except calls from "${policy.text}": ${why}; the exception has no effect`;
      warnings.push(warning('exception', policy.position, message, hint));
    };
    if (!TRUSTED_LAYERS.includes(layer))
      refused(`this is a ${layer} file`, 'write it into ~/.config/policy, /etc/policy or a bundle');
    else if (rule === undefined) warnings.push(...slip(exception, byId));
    else if (rule.locked === true)
      refused('it is locked', 'ask for a change of the policy, or take the exception out');
    else if (rule.layer !== 'builtin' && isAbove(rule, { layer }))
      refused(`it belongs to the layer "${rule.layer}", which is above`, aboveHint(policy.text, layer, byId));
    else found.set(rule.id, [...(found.get(rule.id) ?? []), rest]);
  }
  return rules.map((rule) => {
    const exceptions = found.get(rule.id);
    return exceptions === undefined ? rule : { ...rule, exceptions };
  });
}

function aboveHint(id: string, layer: Layer, byId: ReadonlyMap<string, Rule>): string {
  const own = `${id}@${layer}`;
  return byId.has(own) ? `the policy of this layer is "${own}"` : 'write it in a file of that layer';
}

/** A policy of another project is not here; but where a file of its name is, the id may be wrong. */
function slip({ policy }: ExceptionDraft, byId: ReadonlyMap<string, Rule>): readonly Diagnostic[] {
  const file = policy.text.slice(0, policy.text.indexOf('/') + 1);
  const isHere = file !== '' && [...byId.keys()].some((id) => id.startsWith(file));
  if (file !== '' && !isHere) return [];
  const message = `Cannot except calls from "${policy.text}": there is no such policy; the exception has no effect`;
  const hint = didYouMean(policy.text, byId.keys(), 'name it as file-name/policy-id');
  return [warning('exception', policy.position, message, hint)];
}
