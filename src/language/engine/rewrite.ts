import { deepEqual } from '../../lib/deep-equal.ts';
import { type Json, own, ownObject } from '../../lib/json.ts';
import { checkTime } from '../../lib/time-limit.ts';
import type { Event, EventKind } from '../../model/event.ts';
import type { Facts } from '../../model/facts.ts';
import type { Rule } from '../../model/policy.ts';
import type { RewriteForm, RewriteInput } from '../actions/action-spec.ts';
import { RewriteError } from '../actions/rewrite/paths.ts';
import { REWRITE_FORMS } from '../actions/rewrite/registry.ts';
import { workingDirectories } from '../keys/call/working-directories.ts';
import { factsOf } from './facts.ts';
import { valueRendererFor } from './template-values.ts';

/** An event after all rewrites, or why they cannot be carried out. */
export type Rewritten =
  | {
      readonly ok: true;
      readonly event: Event;
      /** Rewrite forms that had an effect, or might if the host does not show the parts that they change; empty if there are none. */
      readonly forms: readonly string[];
      /** The policies whose rewrites had an effect. */
      readonly ruleIds: readonly string[];
    }
  | { readonly ok: false; readonly ruleId: string; readonly cause: string };

/** Applies the rewrites of several policies in order, each to the result of the one before. */
export function applyRewrites(rules: readonly Rule[], facts: Facts): Rewritten {
  let event = facts.event;
  const forms = new Set<string>();
  const ruleIds = new Set<string>();
  for (const rule of rules) {
    checkTime();
    const render = valueRendererFor(rule, factsOf(event, facts));
    for (const [form, spec] of formsOf(rule, event.kind)) {
      try {
        const subject = form.apply(spec, event.subject, inputFor(event, render, facts));
        const isUnseen = form.of !== undefined && !Object.hasOwn(event.subject, form.of);
        if (!isUnseen && (subject === event.subject || deepEqual(subject, event.subject))) continue;
        event = event.with(subject);
        forms.add(form.key);
        ruleIds.add(rule.id);
      } catch (error) {
        if (!(error instanceof RewriteError)) throw error;
        return { ok: false, ruleId: rule.id, cause: error.message };
      }
    }
  }
  return { ok: true, event, forms: [...forms], ruleIds: [...ruleIds] };
}

/** The forms of a rule's rewrite, in the order of the registry: from structure to text. */
function formsOf(rule: Rule, kind: EventKind): readonly (readonly [RewriteForm, Json])[] {
  const rewrite = ownObject(rule.params, 'rewrite') ?? {};
  return REWRITE_FORMS.flatMap((form) => {
    const spec = own(rewrite, form.key);
    return spec === undefined || !form.events.includes(kind) ? [] : [[form, spec] as const];
  });
}

function inputFor(event: Event, render: RewriteInput['render'], facts: Facts): RewriteInput {
  return {
    kind: event.kind,
    render,
    textPaths: event.texts.map(({ path }) => path),
    aliases: event.tool?.aliases ?? {},
    commands: event.tool?.commands,
    unwritten: event.tool?.extraArguments?.['command'],
    place: () => ({
      home: facts.surroundings.home,
      cwd: workingDirectories(event, facts.surroundings)[0],
      programs: facts.programs,
    }),
  };
}
