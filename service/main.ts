import { loadConfig } from './config.ts';
import { StartError } from '#platform/start-error.ts';
import { wantsHistory, WITH_HISTORY } from './quick-start/history/wants-history.ts';
import { startSystem } from './start-system.ts';

const STOP_MAX_MS = 60_000;

const ARGUMENTS = ['--empty', WITH_HISTORY];

/**
 * Starts the whole system and stays in the foreground until it is signalled to stop. `--empty` seeds the staff account only; `--with-history` gives the
 * demo workspace a past.
 */
async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => !ARGUMENTS.includes(arg));
  if (unknown.length > 0) throw new StartError(`Unknown argument ${unknown.join(' ')}. Valid arguments are ${ARGUMENTS.join(' and ')}.`);
  const config = loadConfig();
  const stopping = new AbortController();
  // A signal during the start lets the start finish; then everything stops in order.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const print = (text: string): void => void process.stdout.write(text);
  const system = await startSystem(config, {
    isEmpty: args.includes('--empty'),
    hasHistory: wantsHistory(args, config),
    print,
    signal: stopping.signal,
  });
  if (!stopping.signal.aborted)
    await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve(), { once: true }));
  process.stdout.write('\nStopping\n');
  setTimeout(() => {
    process.stderr.write(`Stopping took longer than ${STOP_MAX_MS / 1000} seconds. The next start completes what was left.\n`);
    process.exit(1);
  }, STOP_MAX_MS).unref();
  await system.stop();
}

try {
  await main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  process.stderr.write(
    `\n${error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
