import { isAbsolute } from 'node:path';
import { isJsonObject, type JsonObject, own, ownItems, ownObject, ownString } from '../../../lib/json.ts';
import { orList } from '../../../lib/or-list.ts';
import { templateProblems } from '../../../lib/template.ts';
import type { Action } from '../../../model/action.ts';
import type { SpecProblem } from '../../../model/diagnostic.ts';
import type { EventKind } from '../../../model/event.ts';
import { checkCommonParams } from '../../actions/common-params.ts';
import { actionSpec } from '../../actions/registry.ts';
import { rewriteForm } from '../../actions/rewrite/registry.ts';
import { checkTemplateKeys } from '../../actions/template-params.ts';
import { verdictEntries } from '../schema/judge-draft.ts';

/** The problems of a policy with `type: llm_judge` that the schema cannot express. */
export function judgePolicyProblems(policy: JsonObject, on: readonly EventKind[]): readonly SpecProblem[] {
  return [
    ...promptProblems(policy),
    ...settingProblems(policy),
    ...verdictEntries(policy).flatMap(([name, { action, params }]) => {
      const isMapping = isJsonObject(own(policy, 'verdicts'));
      const index = Math.max(0, ownItems(policy, 'verdicts').indexOf(name));
      const path = ['verdicts', isMapping ? name : index];
      return verdictProblems(name, action, params, on).map((problem) => ({
        ...problem,
        path: Object.hasOwn(policy, 'verdicts') ? [...path, ...problem.path] : ['format'],
      }));
    }),
  ];
}

/** Prompts of jcli's hooks are kept as they are, whatever they name. */
function promptProblems(policy: JsonObject): readonly SpecProblem[] {
  if (own(policy, 'format') !== 'jcli') return checkTemplateKeys(policy, ['prompt']);
  return templateProblems(ownString(policy, 'prompt') ?? '').map(({ message }) => ({
    code: 'template',
    path: ['prompt'],
    message,
  }));
}

/** The problems of a judge's settings, of a policy or of an entry of `judges`. */
export function settingProblems(settings: JsonObject): readonly SpecProblem[] {
  const baseUrl = ownString(settings, 'base_url');
  const caFile = ownString(settings, 'ca_file');
  const cache = own(settings, 'cache');
  const kept = isJsonObject(cache) ? cache : {};
  const store = typeof cache === 'string' ? cache : ownString(kept, 'store');
  const storePath = typeof cache === 'string' ? ['cache'] : ['cache', 'store'];
  const problems: (SpecProblem | undefined)[] = [
    addressProblem(baseUrl, ['base_url'], WEB, 'api_key_env'),
    addressProblem(store, storePath, REDIS, 'password_env" of "cache'),
    variableProblem(ownString(settings, 'api_key_env'), ['api_key_env']),
    variableProblem(ownString(kept, 'password_env'), ['cache', 'password_env']),
  ];
  if (own(settings, 'provider') === 'openai-compatible' && baseUrl === undefined) {
    problems.push({
      code: 'missing-key',
      path: ['provider'],
      message: 'Cannot ask an openai-compatible judge: it has no address',
      hint: 'add "base_url", such as http://127.0.0.1:11434/v1',
    });
  }
  if (caFile !== undefined && !isAbsolute(caFile)) {
    problems.push({
      code: 'bad-value',
      path: ['ca_file'],
      message: `Cannot use ca_file "${caFile}": it is not an absolute path`,
      hint: 'write the whole path',
    });
  }
  return problems.filter((found) => found !== undefined);
}

interface Scheme {
  readonly protocols: readonly string[];
  readonly example: string;
}

const WEB: Scheme = { protocols: ['https:', 'http:'], example: 'https://judge.example/v1' };
const REDIS: Scheme = { protocols: ['redis:', 'rediss:'], example: 'redis://127.0.0.1:6379' };

/** The address itself is not shown: it may hold a secret by mistake. */
function addressProblem(
  address: string | undefined,
  path: readonly string[],
  { protocols, example }: Scheme,
  variable: string,
): SpecProblem | undefined {
  if (address === undefined) return undefined;
  const url = URL.parse(address);
  const message = `Cannot use the address in "${path.at(-1)}"`;
  if (url === null || !protocols.includes(url.protocol)) {
    const wanted = `write one like ${example}`;
    return { code: 'bad-value', path, message: `${message}: it is not a URL of this kind`, hint: wanted };
  }
  if (url.password === '') return undefined;
  const hint = `keep it in an environment variable and name that in "${variable}"`;
  return { code: 'bad-value', path, message: `${message}: it holds a password`, hint };
}

/** The value is not shown: it may be the key itself. */
function variableProblem(name: string | undefined, path: readonly string[]): SpecProblem | undefined {
  if (name === undefined || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return undefined;
  const message = `Cannot use "${path.at(-1)}": it is not the name of an environment variable`;
  return { code: 'bad-value', path, message, hint: 'write the name only, such as JUDGE_API_KEY' };
}

/** An approval where nobody asks for one lets pass, so it may be on any event. */
function verdictProblems(
  name: string,
  action: Action,
  params: JsonObject,
  on: readonly EventKind[],
): readonly SpecProblem[] {
  const spec = actionSpec(action);
  const problems: SpecProblem[] = [];
  const without = on.find((kind) => !spec.events.includes(kind));
  if (without !== undefined && action !== 'approve' && action !== 'continue') {
    problems.push({
      code: 'event-action',
      path: [],
      message: `Cannot use verdict "${name}" with action "${action}" on event "${without}": the event does not have it`,
      hint: `use it on ${spec.events.join(', ')}`,
    });
  }
  const known = Object.keys(spec.params);
  const isCommon = (key: string) =>
    ['message', 'add_context', 'suppress_output', 'on_unsupported'].includes(key);
  for (const key of Object.keys(params).filter((each) => !known.includes(each) && !isCommon(each))) {
    problems.push({
      code: 'unknown-key',
      path: [key],
      message: `Cannot use key "${key}" in verdict "${name}": action "${action}" has no such parameter`,
    });
  }
  if (action === 'modify' && !Object.hasOwn(params, 'rewrite')) {
    problems.push({
      code: 'missing-key',
      path: [],
      message: `Cannot use verdict "${name}": key "rewrite" is missing`,
      hint: 'write it as a mapping with "rewrite"',
    });
  }
  return [
    ...problems,
    ...rewriteProblems(params, on),
    ...[...(spec.check?.(params) ?? []), ...checkCommonParams(params)].filter(
      ({ needsVerdict }) => needsVerdict !== true,
    ),
  ];
}

/** Rewrite forms on events that have nothing for them to change. */
export function rewriteProblems(params: JsonObject, on: readonly EventKind[]): readonly SpecProblem[] {
  return Object.keys(ownObject(params, 'rewrite') ?? {}).flatMap((key): readonly SpecProblem[] => {
    const form = rewriteForm(key);
    const without = form === undefined ? undefined : on.find((kind) => !form.events.includes(kind));
    if (form === undefined || without === undefined) return [];
    const message = `Cannot rewrite with "${key}" on event "${without}": there is nothing for it to change`;
    const hint = `use it on ${orList(form.events)}`;
    return [{ code: 'event-action', path: ['rewrite', key], at: 'key', message, hint }];
  });
}
