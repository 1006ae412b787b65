import type { RewriteInput } from '../effects/effect.ts';
import { rewriteForm } from '../effects/rewrite/registry.ts';
import { deepEqual } from '../lib/deep-equal.ts';
import { ownObject } from '../lib/json.ts';
import type { Event } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { Rule } from '../model/policy.ts';
import { factsOf } from './facts.ts';
import { rendererFor } from './template-values.ts';

/** An event after all rewrites, and which forms changed it. */
export interface Rewritten {
  readonly event: Event;
  /** Rewrite forms that had an effect; empty if nothing changed. */
  readonly forms: readonly string[];
  /** The policies whose rewrites had an effect. */
  readonly ruleIds: readonly string[];
}

/** Applies the rewrites of several policies in order, each to what the one before left. */
export function applyRewrites(rules: readonly Rule[], facts: Facts): Rewritten {
  let event = facts.event;
  const forms = new Set<string>();
  const ruleIds = new Set<string>();
  for (const rule of rules) {
    const render = rendererFor(rule, factsOf(event, facts));
    for (const [key, spec] of Object.entries(ownObject(rule.params, 'rewrite') ?? {})) {
      const form = rewriteForm(key);
      if (form === undefined || !form.events.includes(event.kind)) continue;
      const subject = form.apply(spec, event.subject, inputFor(event, render));
      if (subject === event.subject || deepEqual(subject, event.subject)) continue;
      event = event.with(subject);
      forms.add(key);
      ruleIds.add(rule.id);
    }
  }
  return { event, forms: [...forms], ruleIds: [...ruleIds] };
}

function inputFor(event: Event, render: RewriteInput['render']): RewriteInput {
  return {
    kind: event.kind,
    render,
    textPaths: event.texts.map(({ path }) => path),
    aliases: event.tool?.aliases ?? {},
  };
}
