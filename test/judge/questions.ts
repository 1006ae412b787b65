import type { Json } from '../../src/lib/json.ts';
import type { JudgeQuestion, JudgeSpec, VerdictName } from '../../src/model/judge.ts';

/** A judge with everything usual left out: it denies on errors and keeps nothing. */
export function judgeSpec(parts: Partial<JudgeSpec> = {}): JudgeSpec {
  return {
    name: 'default',
    prompt: 'May this run? {{arguments.command}}',
    format: 'verdict',
    verdicts: judgeVerdicts('approve', 'deny'),
    endpoint: {
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKeyEnv: null,
      structuredOutput: true,
      caFile: null,
    },
    model: 'some-model',
    timeoutMs: 5_000,
    retry: 0,
    samples: 1,
    threshold: 0,
    onError: 'deny',
    onLowConfidence: 'ask',
    redact: ['secrets'],
    maxChars: 16_000,
    maxTokens: 2_048,
    cache: null,
    perSession: { calls: null, tokens: null },
    perDay: { calls: null, tokens: null },
    ...parts,
  };
}

/** A question about a call with this command. */
export function question(command: Json, judge: Partial<JudgeSpec> = {}): JudgeQuestion {
  return {
    ruleId: 'test/judged',
    judge: judgeSpec(judge),
    host: 'testhost',
    session: 's',
    canWait: true,
    value: (path) => (path === 'arguments.command' ? command : undefined),
  };
}

/** Verdicts that do what they are called. */
export function judgeVerdicts(...names: readonly VerdictName[]): JudgeSpec['verdicts'] {
  return Object.fromEntries(names.map((name) => [name, { action: name, params: {} }]));
}
