import type { JudgePorts } from '../../src/hook/judge/judge-ports.ts';
import type { ModelReply, ModelRequest } from '../../src/hook/judge/model-request.ts';
import { MACHINE_CLOCK } from '../../src/hook/machine-judge-ports.ts';
import { nonceIn } from '../e2e/judge/model-server.ts';

/** What a model in this process says. */
export type Model = (request: ModelRequest, index: number) => string | Promise<string>;

/** Ports whose model is a function. Nothing is kept and nothing is counted unless the test says where. */
export function portsWith(
  model: Model,
  parts: Partial<JudgePorts> = {},
): JudgePorts & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    env: {},
    clock: MACHINE_CLOCK,
    random: () => crypto.randomUUID().replaceAll('-', ''),
    storeFor: () => {
      throw new Error('nothing is kept here');
    },
    usage: () => {
      throw new Error('nothing is counted here');
    },
    async askModel(request): Promise<ModelReply> {
      requests.push(request);
      return { text: await model(request, requests.length - 1), inputTokens: 100, outputTokens: 20 };
    },
    ...parts,
  };
}

/** The answer that a prompt asks for. */
export function verdictText(
  request: ModelRequest,
  verdict: string,
  confidence = 0.9,
  reason = 'so it is',
): string {
  return JSON.stringify({ nonce: nonceIn(request.system), reason, confidence, verdict });
}
