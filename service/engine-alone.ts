import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { startEmbeddedEngine } from '#adapters/embedded-engine.ts';
import { externalAddress } from '#platform/db/host.ts';
import { createLog } from '#platform/log.ts';
import { loadEngineConfig } from './config.ts';
import { startTracer } from '#platform/tracing/start-tracer.ts';
import { runCommand, say } from './run-command.ts';

/**
 * `engine`: the embedded engine without the service, in a container of its own. It has a database of its own and listens on HOST and PORT; the
 * service uses it as any other engine, by AUTOMATION_ENGINE_BASE_URL (docs/adr/0080-one-image.md).
 */
async function main(): Promise<number> {
  const config = loadEngineConfig();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  // The folder that this process has for its version of Node lies in the one to pass on.
  const compiled = getCompileCacheDir();
  const log = createLog(config.logLevel);
  const tracer = await startTracer(config.tracing, log);
  const engine = startEmbeddedEngine({
    ...config,
    tracer,
    ...(compiled === undefined ? {} : { compileCacheDir: dirname(compiled) }),
    database: externalAddress(config.databaseUrl.reveal()),
    log,
    onSlowStart: say,
    startSignal: stopping.signal,
  });
  try {
    await engine.ready;
    say(`The engine listens on ${config.host}:${config.port}.`);
    if (!stopping.signal.aborted)
      await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    await engine.stop();
    await tracer?.stop();
  }
  return 0;
}

await runCommand(main);
