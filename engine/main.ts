/**
 * Runs the engine as a process. Reads its options as one JSON line from stdin, prints `{"ready":true,"port":N}`
 * in one line on stdout, logs JSON lines on stderr. Ends on SIGTERM, SIGINT and when stdin closes (the parent died).
 */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { logToStderr, messageOf } from './log.ts';
import { engineOptionsSchema } from './options.ts';
import { startEngine } from './start.ts';

/** A stop that takes longer is cut off: unfinished runs resume at the next start. */
const STOP_GRACE_MS = 5_000;

function explain(error: unknown): string {
  if (!(error instanceof z.ZodError)) return messageOf(error);
  // Paths and rules only; the values hold secrets.
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}

const lines = createInterface({ input: process.stdin });
const parentGone = new Promise<void>((resolve) => lines.once('close', () => resolve()));
const firstLine = new Promise<string>((resolve) => lines.once('line', resolve));

try {
  const line = await Promise.race([firstLine, parentGone.then(() => '')]);
  const options = engineOptionsSchema.parse(JSON.parse(line === '' ? '{}' : line));
  const engine = await startEngine(options);
  let stopping = false;
  const stop = (why: string): void => {
    if (stopping) return;
    stopping = true;
    logToStderr('info', 'engine.stopping', { why });
    setTimeout(() => process.exit(1), options.stopLimitMs + STOP_GRACE_MS).unref();
    engine.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  void parentGone.then(() => stop('stdin closed'));
  // Last: a reader may request a stop at once.
  process.stdout.write(`${JSON.stringify({ ready: true, port: engine.port })}\n`);
} catch (error) {
  logToStderr('error', 'engine.start_failed', { message: explain(error) });
  process.exit(1);
}
