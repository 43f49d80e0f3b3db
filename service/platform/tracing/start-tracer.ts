import type { Log } from '../log.ts';
import type * as OpenTelemetry from './open-telemetry.ts';
import type { Tracer, TracingConfig } from './tracer.ts';

/** Starts tracing; undefined where it is off. OpenTelemetry is a file of its own in the build, loaded here and nowhere else. */
export async function startTracer(config: TracingConfig | null, log: Log): Promise<Tracer | undefined> {
  if (config === null) return undefined;
  const file = new URL('./open-telemetry.ts', import.meta.url);
  const { createTracer } = (await import(file.href)) as typeof OpenTelemetry; // the file that the address names
  return createTracer(config, log);
}
