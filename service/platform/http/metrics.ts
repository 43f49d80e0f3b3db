import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client';
import { watchEventLoop } from '../event-loop.ts';
import { HELD, HELD_KINDS, heldNow } from '../held.ts';
import { declaredMetrics, recordWith } from '../measure.ts';

export type Metrics = { close(): Promise<void> };

/** A value, or one for each value of the gauge's label; null while it is unknown. */
export type GaugeValue = number | Readonly<Record<string, number>> | null;

/** Gauges that one reading fills, by name. `label`: the name of the one label, where a gauge has one. */
export type Reading<Name extends string = string> = {
  gauges: Readonly<Record<Name, { help: string; label?: string }>>;
  read: () => Promise<Readonly<Record<Name, GaugeValue>>>;
  /** How long the values are kept, where reading them costs more than they change; they are read at each request when left out. */
  keepMs?: number;
};

/** Types a reading by its own names. */
export function defineReading<Name extends string>(reading: Reading<Name>): Reading {
  return reading;
}

/** Below the ten seconds after which Prometheus gives up, so that a database that is away hides no other figure. */
const READ_MS = 7_000;

/**
 * Serves GET /metrics on its own port, so that a proxy in front of the API never publishes it: what the modules that are loaded measure (measure.ts), `readings`, what the process holds of
 * each counted resource, and how long work waits for its event loop. `?name[]=` limits it to the metrics that are named. Gauges are read per request. The format is OpenMetrics, which has exemplars.
 */
export async function serveMetrics(host: string, port: number, readings: readonly Reading[]): Promise<Metrics> {
  const registry = openMetrics();
  collectDefaultMetrics({ register: registry });
  for (const reading of readings) addReading(registry, reading);
  for (const kind of HELD_KINDS)
    new Gauge({
      name: `portal_held_${kind}`,
      help: HELD[kind],
      registers: [registry],
      collect() {
        this.set(heldNow(kind));
      },
    });
  const loop = watchEventLoop();
  new Gauge({
    name: 'portal_event_loop_delay_seconds',
    help: 'How long work waited for the event loop since the last reading, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const { quantile, ms } of loop.delays()) this.set({ quantile }, ms / 1_000);
    },
  });
  new Gauge({
    name: 'portal_event_loop_hold_seconds',
    help: 'Processor time that the main thread spent between two looks at its event loop since the last reading, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const { quantile, ms } of loop.holds()) this.set({ quantile }, ms / 1_000);
    },
  });
  const server: Server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://metrics');
    if (request.method !== 'GET' || url?.pathname !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    chosenOf(registry, url.searchParams.getAll('name[]'))
      .metrics()
      .then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  startRecording(registry);
  return {
    close: () => {
      recordWith(null);
      loop.close();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The types of the library give its constructor no parameter. */
function openMetrics(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** Returns the metrics that are named, of which alone gauges are read; all of them where none is. */
function chosenOf(registry: Registry<OpenMetricsContentType>, names: readonly string[]): Registry<OpenMetricsContentType> {
  if (names.length === 0) return registry;
  const chosen = openMetrics();
  for (const name of new Set(names)) {
    const metric = registry.getSingleMetric(name);
    if (metric) chosen.registerMetric(metric);
  }
  return chosen;
}

function startRecording(registry: Registry<OpenMetricsContentType>): void {
  const registers = [registry];
  const histograms = new Map<string, Histogram>();
  const counters = new Map<string, Counter>();
  for (const metric of declaredMetrics()) {
    const { name, help } = metric;
    const labelNames = [...metric.labels];
    if (metric.kind === 'counter') counters.set(name, new Counter({ name, help, labelNames, registers }));
    else {
      const buckets = [...metric.buckets];
      histograms.set(name, new Histogram<string>({ name, help, labelNames, buckets, registers, enableExemplars: true }));
    }
  }
  recordWith({
    observe(name, labels, value, traceId) {
      histograms.get(name)?.observe({ labels, value, ...(traceId === undefined ? {} : { exemplarLabels: { trace_id: traceId } }) });
    },
    count: (name, labels) => counters.get(name)?.inc(labels),
  });
}

type Values = Readonly<Record<string, GaugeValue>>;

/** All gauges of a reading are collected together, and read once. */
function addReading(registry: Registry<OpenMetricsContentType>, { gauges, read, keepMs = 0 }: Reading): void {
  let shared: Promise<Values> | undefined;
  let kept: { values: Values; until: number } | undefined;
  const readOnce = async (): Promise<Values> => {
    if (kept && performance.now() < kept.until) return kept.values;
    shared ??= readInTime(read).finally(() => (shared = undefined));
    const values = await shared;
    if (keepMs > 0 && Object.keys(values).length > 0) kept = { values, until: performance.now() + keepMs };
    return values;
  };
  for (const [name, { help, label }] of Object.entries(gauges))
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        const value = (await readOnce())[name] ?? Number.NaN;
        if (typeof value === 'number') {
          if (label === undefined) this.set(value);
          // Unknown, so that the last values are not repeated.
          else this.reset();
        } else for (const [key, amount] of Object.entries(value)) this.set({ [label ?? '']: key }, amount);
      },
    });
}

/** Returns nothing where the reading failed or takes too long: the gauges are then not a number. */
async function readInTime(read: Reading['read']): Promise<Values> {
  const done = new AbortController();
  try {
    return await Promise.race([read(), delay(READ_MS, {}, { signal: done.signal, ref: false })]);
  } catch {
    return {};
  } finally {
    done.abort();
  }
}
