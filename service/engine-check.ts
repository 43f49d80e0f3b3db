import { checkEngine } from './adapters/engine-check.ts';
import { createEngineClient } from './adapters/engine-client.ts';
import { createEngineSend } from './adapters/engine/engine-send.ts';
import { loadConfig } from './config.ts';
import { systemClock } from './platform/clock.ts';
import { createInternalFetch } from './platform/outbound/internal-fetch.ts';
import { StartError } from './platform/start-error.ts';
import { runCommand, say } from './run-command.ts';

/**
 * `npm run engine:check`: walks the engine of the settings as the service uses it, and says in words what is wrong. Runs before the service's first
 * start, or while it runs. Ends with 1 when something is wrong.
 */
async function main(): Promise<number> {
  const { engine } = loadConfig(undefined, { nextToService: true });
  const { baseUrl, adminEmail, adminPassword } = engine;
  if (baseUrl === null)
    throw new StartError('AUTOMATION_ENGINE_BASE_URL is not set: the embedded engine belongs to the service and needs no check.');
  const internal = createInternalFetch((origin) => origin === new URL(baseUrl).origin);
  const client = createEngineClient({
    baseUrl: () => baseUrl,
    account: adminEmail === null || adminPassword === null ? null : { email: adminEmail, password: adminPassword },
    send: createEngineSend(internal),
    clock: systemClock,
  });
  const marks = { ok: 'ok    ', warn: 'warn  ', bad: 'error ' };
  try {
    const isFine = await checkEngine(client, engine, ({ state, text }) => say(`${marks[state]}${text}`));
    say(isFine ? 'The engine is ready for agents.' : 'Correct what is wrong, then run the check again.');
    return isFine ? 0 : 1;
  } finally {
    await internal.close();
  }
}

await runCommand(main);
