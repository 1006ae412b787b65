import type { JsonObject } from '../../../lib/json.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';

/** The questions that a judge would get about one event. */
export interface ShownPrompt {
  readonly policyId: string;
  readonly judge: string;
  /** Undefined if nobody has named one. */
  readonly model: string | undefined;
  readonly system: string;
  readonly user: string;
}

/** The prompts of judges in full, for people. Ends with a line break; empty if no judge is asked. */
export function judgePromptsText(prompts: readonly ShownPrompt[], paint: Paint): string {
  return prompts
    .map(({ policyId, judge, model, system, user }) => {
      const by = `judge ${judge}, ${model === undefined ? 'no model' : `model ${model}`}`;
      const head = `${paint.bold(printable(policyId))} asks ${printable(by)}`;
      return `\n${head}\n${block('system', system, paint)}\n${block('user', user, paint)}\n`;
    })
    .join('');
}

/** The same as data. */
export function judgePromptsJson(prompts: readonly ShownPrompt[]): readonly JsonObject[] {
  return prompts.map(({ policyId, judge, model, system, user }) => ({
    policy: policyId,
    judge,
    model: model ?? null,
    system,
    user,
  }));
}

function block(title: string, text: string, paint: Paint): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return [paint.dim(`  ${title}`), ...lines.map((line) => `    ${printable(line)}`)].join('\n');
}
