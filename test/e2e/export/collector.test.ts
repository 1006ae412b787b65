import { describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { gemini } from '../../../src/hosts/gemini/gemini.ts';
import { callText } from '../hook/messages.ts';
import { workplace as newWorkplace } from '../hook/workplace.ts';
import { pointsIn, startOtlpReceiver } from './otlp-receiver.ts';

/** The OpenTelemetry Collector: builder.yaml says how it is built. */
const COLLECTOR = process.env['OTELCOL'];

describe.skipIf(COLLECTOR === undefined)('the OpenTelemetry Collector', () => {
  test('takes what policy export sends, and hands it on as it is', async () => {
    const workplace = newWorkplace();
    const to = startOtlpReceiver();
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    workplace.write({
      'collector.yaml': `
receivers: {otlp: {protocols: {http: {endpoint: '127.0.0.1:${port}'}}}}
exporters: {otlphttp: {endpoint: '${to.url}', encoding: json, compression: none}}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    logs: {receivers: [otlp], exporters: [otlphttp]}
    metrics: {receivers: [otlp], exporters: [otlphttp]}
`,
    });
    const collector = spawn(COLLECTOR ?? '', ['--config', join(workplace.folder, 'collector.yaml')], {
      stdio: 'ignore',
    });
    try {
      for (const command of ['git push -f', 'ls']) {
        const input = callText(gemini, command, workplace.project);
        await workplace.run({ args: ['hook', '--host', 'gemini'], input });
      }
      const said = await workplace.run({ args: ['export', '--otlp', `http://127.0.0.1:${port}`] });
      expect([said.exitCode, said.stderr]).toEqual([0, '']);
      const endMs = performance.now() + 10_000;
      while ((to.logs.length < 3 || to.metrics.length < 3) && performance.now() < endMs) await Bun.sleep(50);
      expect(to.logs.map(({ event, body }) => [event, body])).toEqual([
        ['policy.heartbeat', 'heartbeat'],
        ['policy.decision', 'deny baseline/git-push-force'],
        ['policy.decision', 'continue'],
      ]);
      expect(to.logs[1]?.attributes).toMatchObject({ 'policy.matched': ['baseline/git-push-force'] });
      const decisions = to.metrics.find(({ name }) => name === 'policy.decisions') ?? {};
      expect(pointsIn(decisions).map(({ value }) => value)).toEqual([1, 1]);
    } finally {
      collector.kill();
      await to.stop();
    }
  });
});
