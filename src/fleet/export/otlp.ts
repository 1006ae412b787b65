import { arch, hostname, platform } from 'node:os';
import {
  type Counter,
  DiagLogLevel,
  diag,
  type Histogram,
  SeverityNumber,
  ValueType,
} from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import {
  AggregationTemporalityPreference,
  OTLPMetricExporter,
} from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPExporterError } from '@opentelemetry/otlp-exporter-base';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { METRICS, type MetricName, type RESOURCE_ATTRIBUTES } from './attributes.ts';
import type { LogEvent, Measurement } from './decision-event.ts';

export interface OtlpOptions {
  /** Of the receiver; `v1/logs` and `v1/metrics` are below it. */
  readonly url: URL;
  readonly version: string;
  readonly machine: string;
  /** Receives a warning about decisions that the receiver has taken in and thrown away. */
  readonly onWarning: (warning: string) => void;
}

/** Sends to a receiver by OTLP over HTTP, as JSON. A call that resolves has been answered with a yes. */
export interface OtlpSender {
  readonly logs: (events: readonly LogEvent[]) => Promise<void>;
  readonly metrics: (measurements: readonly Measurement[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const NAME = 'policy';

/** How `process.platform` and `process.arch` are called in OpenTelemetry's conventions, where it is something else. */
const OS_TYPES: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  ia32: 'x86',
  arm: 'arm32',
  ppc: 'ppc32',
};

const DURATION_BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The packages read the usual variables themselves: `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_RESOURCE_ATTRIBUTES` and others. */
export function createOtlpSender({ url, version, machine, onWarning }: OtlpOptions): OtlpSender {
  const silent = () => {};
  let isUnderstood = true;
  const tell = (...parts: readonly unknown[]) => {
    const text = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
    if (text.startsWith(UNREADABLE_ANSWER)) isUnderstood = false;
    else onWarning(text);
  };
  diag.setLogger(
    { error: tell, warn: tell, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = resourceOf(version, machine);
  const logExporter = new OTLPLogExporter({ url: below(url, 'v1/logs') });
  const metricExporter = new OTLPMetricExporter({
    url: below(url, 'v1/metrics'),
    // The next process does not know the numbers that were sent.
    temporalityPreference: AggregationTemporalityPreference.DELTA,
  });
  const exported = (start: (done: Done) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      isUnderstood = true;
      start(({ code, error }) => {
        if (code !== ExportResultCode.SUCCESS) reject(new Error(causeOf(error)));
        else if (isUnderstood) resolve();
        else reject(new Error('no OTLP receiver answers there'));
      });
    });
  return {
    logs: async (events) => {
      const records = logRecords(events, resource, version);
      await exported((done) => logExporter.export(records, done));
    },
    metrics: async (measurements) => {
      const { reader, record } = createMeter(resource, version, metricExporter);
      for (const measurement of measurements) record(measurement);
      const { resourceMetrics } = await reader.collect();
      await exported((done) => metricExporter.export(resourceMetrics, done));
    },
    close: async () => {
      await Promise.all([logExporter.shutdown(), metricExporter.shutdown()]);
    },
  };
}

function resourceOf(version: string, machine: string): Resource {
  const own: Record<keyof typeof RESOURCE_ATTRIBUTES, string> = {
    'service.name': NAME,
    'service.version': version,
    'host.id': machine,
    'host.name': hostname(),
    'host.arch': ARCHITECTURES[arch()] ?? arch(),
    'os.type': OS_TYPES[platform()] ?? platform(),
  };
  return detectResources({ detectors: [envDetector] }).merge(resourceFromAttributes(own));
}

function below(url: URL, path: string): string {
  return new URL(path, url.href.endsWith('/') ? url : `${url.href}/`).href;
}

const SEVERITIES = {
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
} as const;

function logRecords(events: readonly LogEvent[], resource: Resource, version: string): ReadableLogRecord[] {
  const records: ReadableLogRecord[] = [];
  const done = async () => {};
  const collector = {
    onEmit: (record: ReadableLogRecord) => records.push(record),
    forceFlush: done,
    shutdown: done,
  };
  const provider = new LoggerProvider({ resource, processors: [collector] });
  const logger = provider.getLogger(NAME, version);
  for (const { name, timeMs, severity, body, attributes } of events) {
    logger.emit({
      eventName: name,
      ...(timeMs === 0 ? {} : { timestamp: timeMs }),
      severityNumber: SEVERITIES[severity],
      severityText: severity.toUpperCase(),
      body,
      attributes: { ...attributes },
    });
  }
  return records;
}

/** Collects when it is asked to, and not by a timer. */
class OneTimeReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

function createMeter(resource: Resource, version: string, exporter: OTLPMetricExporter) {
  const reader = new OneTimeReader({
    aggregationTemporalitySelector: (type) => exporter.selectAggregationTemporality(type),
  });
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter(NAME, version);
  const counter = (name: MetricName): Counter =>
    meter.createCounter(name, { ...METRICS[name], valueType: ValueType.INT });
  const decisions = counter('policy.decisions');
  const matches = counter('policy.matches');
  const duration: Histogram = meter.createHistogram('policy.decision.duration', {
    ...METRICS['policy.decision.duration'],
    advice: { explicitBucketBoundaries: DURATION_BOUNDARIES },
  });
  const takers: Record<MetricName, (value: number, attributes: Measurement['attributes']) => void> = {
    'policy.decisions': (value, attributes) => decisions.add(value, attributes),
    'policy.matches': (value, attributes) => matches.add(value, attributes),
    'policy.decision.duration': (value, attributes) => duration.record(value, attributes),
  };
  const record = ({ metric, value, attributes }: Measurement) => takers[metric](value, attributes);
  return { reader, record };
}

type Done = Parameters<OTLPLogExporter['export']>[1];

/** The packages warn so of an answer of any web server, and take it for a yes. */
const UNREADABLE_ANSWER = 'Failed to parse';

function causeOf(error: Error | undefined): string {
  if (error === undefined) return 'it was not taken';
  if (!(error instanceof OTLPExporterError)) return error.message;
  if (error.code !== undefined) return `it answered ${error.code} ${error.message}`;
  return 'it answered that it cannot take them now (429, 502, 503 or 504)';
}
