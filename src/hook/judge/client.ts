import { judgeFetch } from './client-fetch.ts';
import { JudgeError } from './judge-error.ts';
import type { ModelReply, ModelRequest } from './model-request.ts';

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';
const GOOGLE_URL = 'https://generativelanguage.googleapis.com/v1beta';
const SCHEMA_NAME = 'verdict';

/**
 * Sends one request to a model through the provider's SDK. Its models are used on their own: the layer above them
 * retries on its own and writes warnings to standard output, which belongs to the host.
 *
 * @throws JudgeError whatever goes wrong
 */
export async function askModel(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
  try {
    const model = await modelFor(request);
    const { content, finishReason, usage } = await model.doGenerate({
      prompt: [
        { role: 'system', content: request.system },
        { role: 'user', content: [{ type: 'text', text: request.user }] },
      ],
      maxOutputTokens: request.maxTokens,
      abortSignal: signal,
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.schema === undefined
        ? {}
        : { responseFormat: { type: 'json', name: SCHEMA_NAME, schema: request.schema } }),
    });
    if (finishReason.unified === 'length' || finishReason.unified === 'content-filter') {
      throw new JudgeError('incomplete', 'its answer is not whole');
    }
    return {
      text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
      inputTokens: usage.inputTokens.total ?? 0,
      outputTokens: usage.outputTokens.total ?? 0,
    };
  } catch (error) {
    throw judgeError(error, signal);
  }
}

async function modelFor({ endpoint, apiKey, model }: ModelRequest) {
  const { provider, baseUrl, caFile } = endpoint;
  const fetch = judgeFetch(caFile);
  // Address and key are always given: left out, the SDK would look for them in environment variables of its own.
  switch (provider) {
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key = apiKey === '' ? {} : { apiKey };
      const settings = {
        name: 'judge',
        baseURL: baseUrl ?? '',
        supportsStructuredOutputs: true,
        fetch,
        ...key,
      };
      return createOpenAICompatible(settings).chatModel(model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: baseUrl ?? ANTHROPIC_URL, apiKey, fetch }).languageModel(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ baseURL: baseUrl ?? GOOGLE_URL, apiKey, fetch }).languageModel(model);
    }
    default: {
      const never: never = provider;
      return never;
    }
  }
}

function judgeError(error: unknown, signal: AbortSignal): JudgeError {
  if (error instanceof JudgeError) return error;
  if (signal.aborted) return new JudgeError('timeout', 'it did not answer in time');
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof JudgeError) return cause;
  // All other errors come from reading the answer: its text is in the error, so nothing of that is passed on.
  return new JudgeError('not-json', 'its answer cannot be read');
}
