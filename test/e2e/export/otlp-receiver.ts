import { isJsonObject, type Json, type JsonObject, own } from '../../../src/lib/json.ts';

/** A record of a log as a receiver has it. */
export interface ReceivedLog {
  readonly event: string;
  readonly body: string;
  readonly resource: Readonly<Record<string, Json>>;
  readonly attributes: Readonly<Record<string, Json>>;
}

export type Answer = () => Response | Promise<Response>;

export interface OtlpReceiver {
  readonly url: string;
  readonly paths: readonly string[];
  readonly headers: readonly Headers[];
  /** What was answered with a yes. */
  readonly logs: readonly ReceivedLog[];
  readonly metrics: readonly JsonObject[];
  /** How the next requests are answered: undefined stands for a yes, as does an empty list. */
  readonly answers: (Answer | undefined)[];
  readonly stop: () => Promise<void>;
}

/** A receiver of OTLP over HTTP as JSON, on loopback, that reads what the specification says. */
export function startOtlpReceiver(): OtlpReceiver {
  const logs: ReceivedLog[] = [];
  const metrics: JsonObject[] = [];
  const paths: string[] = [];
  const headers: Headers[] = [];
  const answers: (Answer | undefined)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const text = await request.text();
      const { pathname } = new URL(request.url);
      paths.push(pathname);
      headers.push(request.headers);
      const answer = answers.shift();
      if (answer !== undefined) return answer();
      const body: Json = JSON.parse(text);
      if (pathname.endsWith('/v1/logs')) logs.push(...logsIn(body));
      else if (pathname.endsWith('/v1/metrics')) metrics.push(...metricsIn(body));
      else return new Response(null, { status: 404 });
      return Response.json({});
    },
  });
  const stop = async () => {
    await server.stop(true);
  };
  return { url: `http://127.0.0.1:${server.port}`, paths, headers, logs, metrics, answers, stop };
}

function logsIn(body: Json): readonly ReceivedLog[] {
  return list(body, 'resourceLogs').flatMap((ofResource) => {
    const resource = attributesIn(own(ofResource, 'resource'));
    return list(ofResource, 'scopeLogs').flatMap((ofScope) =>
      list(ofScope, 'logRecords').map((record) => ({
        event: String(own(record, 'eventName')),
        body: String(valueIn(own(record, 'body') ?? null)),
        resource,
        attributes: attributesIn(record),
      })),
    );
  });
}

function metricsIn(body: Json): readonly JsonObject[] {
  return list(body, 'resourceMetrics').flatMap((ofResource) =>
    list(ofResource, 'scopeMetrics').flatMap((ofScope) => list(ofScope, 'metrics')),
  );
}

/** The data points of a metric, their values by their attributes. */
export function pointsIn(metric: JsonObject) {
  const kind = own(metric, 'sum') ?? own(metric, 'histogram') ?? {};
  return list(kind, 'dataPoints').map((point) => ({
    attributes: attributesIn(point),
    value: Number(own(point, 'asInt') ?? own(point, 'count')),
  }));
}

function list(of: Json, key: string): readonly JsonObject[] {
  const value = isJsonObject(of) ? own(of, key) : undefined;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function attributesIn(of: Json | undefined): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    list(of ?? null, 'attributes').map((each) => [
      String(own(each, 'key')),
      valueIn(own(each, 'value') ?? null),
    ]),
  );
}

/** An `AnyValue`: numbers of 64 bits are strings. */
function valueIn(value: Json): Json {
  if (!isJsonObject(value)) return null;
  const array = own(value, 'arrayValue');
  if (array !== undefined) return list(array, 'values').map(valueIn);
  return Object.values(value)[0] ?? null;
}
