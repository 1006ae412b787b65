import type { JudgeQuestion, JudgeSpec } from '../../model/judge.ts';
import type { KeptVerdict } from '../../model/verdict-store.ts';
import { parseJcliAnswer } from './jcli-answer.ts';
import { JudgeError } from './judge-error.ts';
import type { JudgePorts, UsageScope } from './judge-ports.ts';
import type { ModelReply, ModelRequest } from './model-request.ts';
import { parseVerdict, verdictSchema } from './parse-verdict.ts';
import { offeredVerdicts, type PreparedPrompt } from './prompt.ts';

const FIRST_BACKOFF_MS = 250;

export interface VerdictRequest {
  readonly question: JudgeQuestion;
  readonly prompt: PreparedPrompt;
  readonly scopes: readonly UsageScope[];
  /** When there has to be an answer; milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks once for a verdict, and again after errors that may pass.
 *
 * @throws JudgeError
 */
export async function requestVerdict(request: VerdictRequest, ports: JudgePorts): Promise<KeptVerdict> {
  const { judge } = request.question;
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptVerdict(request, ports);
    } catch (error) {
      if (!(error instanceof JudgeError) || !error.mayPass || attempt >= judge.retry) throw error;
      const waitMs = error.retryAfterMs ?? FIRST_BACKOFF_MS * 2 ** attempt;
      if (ports.clock.nowMs() + waitMs >= request.deadlineMs) throw error;
      await ports.clock.sleep(waitMs, request.signal);
      if (request.signal.aborted) throw error;
    }
  }
}

/** One try: with everything that helps the model, and without it for servers that refuse that. */
async function attemptVerdict(request: VerdictRequest, ports: JudgePorts): Promise<KeptVerdict> {
  const { question, prompt } = request;
  const { judge } = question;
  const nonce = ports.random();
  let marker = ports.random();
  while (!prompt.canMark(marker)) marker = ports.random();
  const offered = offeredVerdicts(judge);
  const plain: ModelRequest = {
    ...target(judge, ports.env),
    ...prompt.with(marker, nonce),
    schema: undefined,
    temperature: undefined,
    maxTokens: judge.maxTokens,
  };
  const isStructured = judge.format === 'verdict' && judge.endpoint?.structuredOutput === true;
  const full: ModelRequest = {
    ...plain,
    schema: isStructured ? verdictSchema(offered) : undefined,
    // Several answers to the likeliest one would be the same answer.
    temperature: judge.samples === 1 ? 0 : undefined,
  };
  const reply = await send(full, request, ports).catch((error) => {
    if (!(error instanceof JudgeError) || !error.tooFancy) throw error;
    return send(plain, request, ports);
  });
  return judge.format === 'jcli'
    ? parseJcliAnswer(reply.text, offered)
    : parseVerdict(reply.text, nonce, offered);
}

async function send(
  request: ModelRequest,
  { scopes, signal }: VerdictRequest,
  ports: JudgePorts,
): Promise<ModelReply> {
  const usage = scopes.length === 0 ? undefined : usageOf(ports);
  if (usage?.reserve(scopes, 1) === false) throw new JudgeError('budget', 'its budget is used up');
  const reply = await ports.askModel(request, signal);
  usage?.spend(scopes, reply.inputTokens + reply.outputTokens);
  return reply;
}

function usageOf(ports: JudgePorts) {
  try {
    return ports.usage();
  } catch {
    throw new JudgeError('budget', 'what is left of its budget cannot be read');
  }
}

/** The server that gets the question. Keys are read when they are needed: a kept verdict needs none. */
function target(
  { name, endpoint, model }: JudgeSpec,
  env: JudgePorts['env'],
): Pick<ModelRequest, 'endpoint' | 'apiKey' | 'model'> {
  if (endpoint === null) {
    throw new JudgeError('not-set-up', `no file of the user or the organisation says where "${name}" is`);
  }
  if (model === null) throw new JudgeError('not-set-up', 'no model is named');
  const apiKey = endpoint.apiKeyEnv === null ? '' : (env[endpoint.apiKeyEnv] ?? '');
  if (endpoint.apiKeyEnv !== null && apiKey === '') {
    throw new JudgeError('no-key', `the environment variable ${endpoint.apiKeyEnv} with its key is not set`);
  }
  return { endpoint, apiKey, model };
}
